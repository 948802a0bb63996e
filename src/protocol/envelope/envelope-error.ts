import { ExposableError } from '../exposable-error.js';

/** Why a request is no envelope; `field` names the part of it that is wrong. */
export const envelopeError = (code: 400 | 413, field: string, why: string): ExposableError =>
  new ExposableError(`The field "${field}" ${why}.`, code);
