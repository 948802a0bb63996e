import { inspect } from 'node:util';

/** Describes a thrown value: an error's stack with causes and properties, or the value itself. */
export const describeError = (error: unknown): string =>
  inspect(error, { depth: 4, colors: false, breakLength: 120 });

/** Formats several values on one line. Strings appear without quotes. */
export const describeAll = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? value : describeError(value))).join(' ');
