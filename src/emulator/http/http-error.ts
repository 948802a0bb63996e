/** What a caller of the platform did wrong. One catch a surface makes the answer. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  /** Stable, for scripts: `not_found`, `missing_scope`. */
  readonly code: string;
  /** More about it: the path of the wrong value, what was meant. */
  readonly details: Record<string, unknown>;
  constructor(status: number, code: string, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** `given` and `known`, where there are any: what was asked for, and what there is. */
export const notFound = (message: string, details?: { given: string; known: string[] }): HttpError =>
  new HttpError(404, 'not_found', message, details);

export const unknownCall = (id: string): HttpError =>
  new HttpError(404, 'unknown_call', `There is no entry ${id} in the traffic log.`);

export const invalid = (message: string, details?: Record<string, unknown>): HttpError =>
  new HttpError(400, 'invalid', message, details);

/** The body of an error under `/api`: its code is the status once more, as clients of the platform read it. */
export const apiErrorResponse = (status: number, message: string, reason?: string): Response =>
  Response.json({ error: { code: status, ...(reason && { reason }), message } }, { status });

/** The body of an error everywhere else. */
export const errorResponse = (status: number, error: string, headers?: Record<string, string>): Response =>
  Response.json({ error }, { status, ...(headers && { headers }) });
