import { innermostCode, innermostMessage } from '../../base/text/innermost-error.js';
import type { ScriptOutbound, SentMessage } from '../script/script-host.js';
import type { Beginning } from './beginning-of-body.js';
import { createBodyBudgets, noBodies } from './body-budgets.js';
import { currentScope, nextRequest } from './call-scope.js';
import { limitHeaders } from '../wire/limit-headers.js';
import type { ReroutedFetch } from './mapped-fetch.js';
import { createRecordedBody, type RestOfBodies } from './recorded-body.js';
import { withBody } from './replace-body.js';
import { watchRequest } from './watch-request.js';

interface Recording {
  fetch: ReroutedFetch;
  record(entry: ScriptOutbound): void;
  now(): number;
  /** Whether to record headers and bodies now. */
  details(): boolean;
  rest?: RestOfBodies;
  /** Whether to record which code sent the request. */
  traced?: boolean;
}

/** Creates a `fetch` that works like the original but also reports what was sent and received. */
export function createRecordingFetch({
  fetch,
  record,
  now,
  details,
  rest,
  traced = false,
}: Recording): typeof globalThis.fetch {
  const bodiesOf = createBodyBudgets();
  return async (input, init) => {
    const scope = currentScope();
    const time = now();
    const bodies = details() ? bodiesOf(scope) : noBodies();
    const { args, length, contentType } = watchRequest([input, init], bodies.sent);
    const entry: ScriptOutbound = {
      callId: scope?.id,
      number: nextRequest(scope),
      method: (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase(),
      url: input instanceof Request ? input.url : String(input),
      status: 0,
      durationMs: 0,
      requestBytes: length ?? 0,
      responseBytes: 0,
      time,
      ...(traced && { stack: new Error().stack ?? '' }),
    };
    let head: Headers | undefined;
    const finish = (partly = false): void => {
      entry.requestBytes = Math.max(entry.requestBytes, bodies.sent.bytes());
      if (details()) {
        const request = { headers: sentHeaders(input, init, contentType), ...bodyOf(bodies.sent) };
        const response = head && { headers: limitHeaders(head), ...bodyOf(bodies.received, partly) };
        entry.exchange = { request, ...(response && { response }) };
      }
      bodies.close();
      record(entry);
    };

    const fail = (error: unknown): void => {
      entry.error = reason(error);
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
      const code = innermostCode(error);
      if (signal?.aborted) entry.aborted = true;
      else if (code !== undefined) entry.code = code;
    };

    let response: Response;
    try {
      response = await fetch(...args, (to) => (entry.rerouted = to));
    } catch (error) {
      entry.durationMs = now() - time;
      fail(error);
      finish();
      throw error;
    }
    entry.durationMs = now() - time;
    entry.status = response.status;
    if (response.redirected) entry.finalUrl = response.url;
    head = response.headers;
    if (!response.body) {
      finish();
      return response;
    }
    if (!scope || scope.ended) {
      entry.responseBytes = Number(response.headers.get('content-length') ?? 0);
      finish();
      return response;
    }
    entry.unread = true;
    const recorded = createRecordedBody({
      body: response.body,
      received: bodies.received,
      rest,
      begin: () => void delete entry.unread,
      read: (bytes) => void (entry.responseBytes += bytes),
      finish(partly, failure) {
        scope.onEnd.delete(recorded.callEnded);
        if (failure) fail(failure.error);
        finish(partly);
      },
    });
    scope.onEnd.add(recorded.callEnded);
    return withBody(response, recorded.body);
  };
}

/** Also reports whether a part is missing, because a recording must not contain half a body. */
const bodyOf = (beginning: Beginning, partly = false): Pick<SentMessage, 'body' | 'cut'> => {
  const body = beginning.base64();
  const cut = partly || beginning.bytes() > beginning.kept();
  return { ...(body !== undefined && { body }), ...(cut && { cut }) };
};

/** The headers that the script set, and those that `fetch` derives from the body. */
function sentHeaders(
  input: string | URL | Request,
  init: RequestInit | undefined,
  contentType: string | null | undefined,
): [string, string][] {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  if (contentType && !headers.has('content-type')) headers.set('content-type', contentType);
  return limitHeaders(headers);
}

/** Node's message is only `fetch failed`; the cause contains the reason. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = innermostMessage(error.cause);
  return cause === undefined ? error.message : `${error.message}: ${cause}`;
}
