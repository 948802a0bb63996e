import { inspect } from 'node:util';

/** What a thrown value says for itself: the stack with its causes and properties, or the value. */
export const describeError = (error: unknown): string =>
  inspect(error, { depth: 4, colors: false, breakLength: 120 });

/** The same for several values in a line, of which texts are words. */
export const describeAll = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? value : describeError(value))).join(' ');
