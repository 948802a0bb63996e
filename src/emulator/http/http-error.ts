import { CodedError, recognize } from '../../base/coded-error.js';

/** More details about an error, such as the path of the invalid value or a list of known names. */
type Details = Record<string, unknown> & { hint?: string };

/** An error caused by the caller. Each API catches it and converts it to a response. */
export class HttpError extends CodedError {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly details: Details;
  constructor(status: number, code: string, message: string, details: Details = {}) {
    super(code, message, details);
    this.status = status;
    this.details = details;
  }
}

export const isHttpError = recognize<HttpError>('HttpError');

/** `given` is the requested name, and `known` contains the names that exist, if any. */
export const notFound = (message: string, details?: { given: string; known: string[] }): HttpError =>
  new HttpError(404, 'not-found', message, details);

export const unknownCall = (id: string): HttpError =>
  new HttpError(404, 'unknown-call', `Unknown call: ${id}.`);

export const invalid = (message: string, details?: Details): HttpError =>
  new HttpError(400, 'invalid', message, details);

/**
 * Returns the body of an error under `/api`. The code repeats the status, because API clients read the status from there.
 */
export const apiErrorResponse = (status: number, message: string, reason?: string): Response =>
  Response.json({ error: { code: status, ...(reason && { reason }), message } }, { status });

/** Returns the body of an error outside `/api`. */
export const errorResponse = (status: number, error: string, headers?: Record<string, string>): Response =>
  Response.json({ error }, { status, ...(headers && { headers }) });
