import { inspect } from 'node:util';

/** A thrown value as text: its stack with causes and properties, or the value. */
export const describeError = (error: unknown): string =>
  inspect(error, { depth: 4, colors: false, breakLength: 120 });

/** The same for several values in one line. Strings appear without quotes. */
export const describeAll = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? value : describeError(value))).join(' ');
