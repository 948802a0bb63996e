import { ExposableError } from '../exposable-error.js';

const mebibyte = 1024 * 1024;

/** The maximum size of each field, in bytes. */
export const envelopeLimits = { event: mebibyte, environment: mebibyte, 'fetch-body': 100 * mebibyte };

/** The size of all fields at their maximum size, plus the boundaries. */
export const largestEnvelope = 103 * mebibyte;

/** Creates the error for a request that is not a valid envelope. `field` is the part that is invalid. */
export const envelopeError = (code: 400 | 413, field: string, why: string): ExposableError =>
  new ExposableError(`The field "${field}" ${why}.`, code);
