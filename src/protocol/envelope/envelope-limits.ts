import { ExposableError } from '../exposable-error.js';

const mebibyte = 1024 * 1024;

/** The maximum size of each field, in bytes. */
export const envelopeLimits = { event: mebibyte, environment: mebibyte, 'fetch-body': 100 * mebibyte };

/** The combined maximum size of all fields, plus the boundaries. */
export const largestEnvelope = 103 * mebibyte;

/** Creates the error for an invalid envelope. `field` is the invalid part. */
export const envelopeError = (code: 400 | 413, field: string, why: string): ExposableError =>
  new ExposableError(`The field "${field}" ${why}.`, code);
