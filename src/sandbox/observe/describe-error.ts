import { inspect } from 'node:util';

/** What a thrown value says for itself: the stack with its causes and properties, or the value. */
export const describeError = (error: unknown): string =>
  inspect(error, { depth: 4, colors: false, breakLength: 120 });
