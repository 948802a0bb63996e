/** Why a request is no envelope; `field` names the part of it that is wrong. */
export class EnvelopeError extends Error {
  declare readonly status: 400 | 413;
  declare readonly field: string;
  constructor(status: 400 | 413, field: string, why: string) {
    super(`The field "${field}" ${why}.`);
    Object.assign(this, { status, field });
  }
}
