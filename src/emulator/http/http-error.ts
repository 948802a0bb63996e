/** An error caused by the caller. Each API catches it and turns it into a response. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  /** Stable, for programs: `not_found`, `missing_scope`. */
  readonly code: string;
  /** More about the error: the path of the invalid value, the known names. */
  readonly details: Record<string, unknown>;
  constructor(status: number, code: string, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** `given` and `known` are the requested name and the existing names, if there are any. */
export const notFound = (message: string, details?: { given: string; known: string[] }): HttpError =>
  new HttpError(404, 'not_found', message, details);

export const unknownCall = (id: string): HttpError =>
  new HttpError(404, 'unknown_call', `There is no call with the id ${id}.`);

export const invalid = (message: string, details?: Record<string, unknown>): HttpError =>
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
