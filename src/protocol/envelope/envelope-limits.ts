import { ExposableError } from '../exposable-error.js';

const mebibyte = 1024 * 1024;

/** The most bytes of each field. */
export const envelopeLimits = { event: mebibyte, environment: mebibyte, 'fetch-body': 100 * mebibyte };

/** All fields at their limits, and what parts them. */
export const largestEnvelope = 103 * mebibyte;

/** Why a request is no envelope; `field` names the part of it that is wrong. */
export const envelopeError = (code: 400 | 413, field: string, why: string): ExposableError =>
  new ExposableError(`The field "${field}" ${why}.`, code);
