import { createCall, readOutput } from '../../contract/call.js';
import type { FieldProblem } from '../../protocol/compose/request-problems.js';
import { describeMissing } from '../../protocol/missing-integrations.js';
import { connected, endSession, missingNote } from './session-state.js';
import { forgetKey, sessionKey } from './session-key.js';

class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  readonly problems: readonly FieldProblem[];
  readonly code: string | undefined;
  constructor(status: number, message: string, problems: readonly FieldProblem[] = [], code?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.problems = problems;
  }
}

/** Whether a request failed because it never reached the platform or its response was lost. */
export const isUnreachable = (error: unknown): boolean => error instanceof RequestError && error.status === 0;

const root = '/console/api';

interface RequestOptions {
  body?: string | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Calls a route of the console API after checking that the same platform is still listening on this address. */
export const api = createCall(async ({ method, path, body }) => {
  await connected();
  const response = await send(method, path, { body });
  const note = describeMissing(response);
  if (note !== undefined) missingNote.set(note);
  return readOutput(response);
});

/** Opens the live stream, which itself checks whether this is still the same platform. */
export const openStream = (headers: Record<string, string>, signal: AbortSignal) =>
  createCall(async ({ method, path }) => (await send(method, path, { headers, signal })).body)('GET /stream');

async function send(method: string, path: string, options: RequestOptions): Promise<Response> {
  const { body, headers, signal } = options;
  let response: Response;
  try {
    response = await fetch(root + path, {
      method,
      headers: {
        'X-Platform-Token': sessionKey() ?? '',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestError(0, "The local platform isn't responding. Is `platform dev` still running?");
  }
  if (response.status === 401) {
    forgetKey();
    endSession({ time: Date.now(), restarted: true });
  }
  if (!response.ok) {
    const { message, problems, code } = await readError(response);
    throw new RequestError(response.status, message, problems, code);
  }
  return response;
}

async function readError(
  response: Response,
): Promise<{ message: string; problems?: FieldProblem[]; code?: string }> {
  const text = await response.text();
  try {
    const { error, problems, code } = JSON.parse(text) as {
      error?: string;
      problems?: FieldProblem[];
      code?: string;
    };
    if (error) return { message: error, ...(problems && { problems }), ...(code && { code }) };
  } catch {
    // The response is not JSON, so its text is used as the message.
  }
  return { message: text || `The platform responded with status ${response.status}.` };
}

export const problemsOf = (error: unknown): readonly FieldProblem[] =>
  error instanceof RequestError ? error.problems : [];

export const codeOf = (error: unknown): string | undefined =>
  error instanceof RequestError ? error.code : undefined;
