import { CodedError, recognize } from '../../base/coded-error.js';

/** More about an error: the path of the invalid value, the known names. */
type Details = Record<string, unknown> & { hint?: string };

/** An error caused by the caller. Each API catches it and turns it into a response. */
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

/** `given` and `known` are the requested name and the existing names, if there are any. */
export const notFound = (message: string, details?: { given: string; known: string[] }): HttpError =>
  new HttpError(404, 'not-found', message, details);

export const unknownCall = (id: string): HttpError =>
  new HttpError(404, 'unknown-call', `There is no call with the id ${id}.`);

export const invalid = (message: string, details?: Details): HttpError =>
  new HttpError(400, 'invalid', message, details);

/**
 * The body of an error under `/api`. Its code repeats the status, because clients of the platform read it
 * there.
 */
export const apiErrorResponse = (status: number, message: string, reason?: string): Response =>
  Response.json({ error: { code: status, ...(reason && { reason }), message } }, { status });

/** The body of an error everywhere else. */
export const errorResponse = (status: number, error: string, headers?: Record<string, string>): Response =>
  Response.json({ error }, { status, ...(headers && { headers }) });
