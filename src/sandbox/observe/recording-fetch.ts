import { innermostMessage } from '../../base/text/error-causes.js';
import type { OutboundExchange, ScriptOutbound } from '../script/script-host.js';
import { createBeginning, SENT_BYTES, type Beginning } from './beginning-of-body.js';
import { currentScope, nextRequest, type CallScope } from './call-scope.js';
import { limitHeaders } from '../wire/limit-headers.js';
import type { ReroutedFetch } from './mapped-fetch.js';
import { watchRequest } from './watch-request.js';

interface Recording {
  fetch: ReroutedFetch;
  record(entry: ScriptOutbound): void;
  now(): number;
  /** Whether to record headers and bodies now. */
  details(): boolean;
}

/** Creates a `fetch` that works like the original, and also reports what was sent and received. */
export function createRecordingFetch({ fetch, record, now, details }: Recording): typeof globalThis.fetch {
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
    };
    let head: Headers | undefined;
    const finish = once(() => {
      scope?.onEnd.delete(finish);
      entry.requestBytes = Math.max(entry.requestBytes, bodies.sent.bytes());
      if (details()) {
        const request = { headers: sentHeaders(input, init, contentType), ...bodyOf(bodies.sent) };
        const response = head && { headers: limitHeaders(head), ...bodyOf(bodies.received) };
        entry.exchange = { request, ...(response && { response }) };
        bodies.close();
      }
      record(entry);
    });

    let response: Response;
    try {
      response = await fetch(...args, (to) => (entry.rerouted = to));
    } catch (error) {
      entry.durationMs = now() - time;
      entry.error = reason(error);
      finish();
      throw error;
    }
    entry.durationMs = now() - time;
    entry.status = response.status;
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
    scope.onEnd.add(finish);
    entry.unread = true;
    const see = (chunk: Uint8Array): void => {
      entry.responseBytes += chunk.byteLength;
      bodies.received.add(chunk);
    };
    const begin = (): void => void delete entry.unread;
    return withBody(response, counted(response.body, { begin, see, finish }));
  };
}

/** The recorded bodies of a single request. */
interface RecordedBodies {
  sent: Beginning;
  received: Beginning;
  close(): void;
}

const noBodies = (): RecordedBodies => ({
  sent: createBeginning(0),
  received: createBeginning(0),
  close() {},
});

/** Limit for the bodies of all outbound requests in a call. */
const CALL_BYTES = 2 * 1024 * 1024;

function createBodyBudgets(): (scope: CallScope | undefined) => RecordedBodies {
  const spent = new WeakMap<CallScope, number>();
  return (scope) => {
    const left = CALL_BYTES - ((scope && spent.get(scope)) ?? 0);
    const most = Math.max(0, Math.min(SENT_BYTES, left));
    const [sent, received] = [createBeginning(most), createBeginning(most)];
    return {
      sent,
      received,
      close() {
        if (scope) spent.set(scope, (spent.get(scope) ?? 0) + sent.kept() + received.kept());
      },
    };
  };
}

const bodyOf = (beginning: Beginning): Pick<OutboundExchange['request'], 'body'> => {
  const body = beginning.base64();
  return body === undefined ? {} : { body };
};

/** The headers that the script set, and the headers that `fetch` derives from the body. */
function sentHeaders(
  input: string | URL | Request,
  init: RequestInit | undefined,
  contentType: string | null | undefined,
): [string, string][] {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  if (contentType && !headers.has('content-type')) headers.set('content-type', contentType);
  return limitHeaders(headers);
}

/** Node's message is only `fetch failed`. The reason is in the error's cause. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = innermostMessage(error.cause);
  return cause === undefined ? error.message : `${error.message}: ${cause}`;
}

function once(run: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    run();
  };
}

interface Passing {
  /** Called when the first chunk is requested. */
  begin(): void;
  see(chunk: Uint8Array): void;
  finish(): void;
}

function counted(
  body: ReadableStream<Uint8Array>,
  { begin, see, finish }: Passing,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      begin();
      try {
        let { value } = await reader.read();
        // A byte stream does not accept empty chunks.
        while (value?.byteLength === 0) ({ value } = await reader.read());
        if (!value) {
          finish();
          controller.close();
          controller.byobRequest?.respond(0);
          return;
        }
        see(value);
        controller.enqueue(value as Uint8Array<ArrayBuffer>);
      } catch (error) {
        finish();
        controller.error(error);
      }
    },
    async cancel(why) {
      finish();
      await reader.cancel(why);
    },
  });
}

/** Returns the response with a different body. Like the original, the new response is read-only and keeps its URL. */
function withBody(from: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, url, redirected, type } = from;
  const headers = readableHeaders(from.headers);
  return decorate(new Response(body, { status, statusText, headers }), { headers, url, redirected, type });
}

type Origin = Pick<Response, 'headers' | 'url' | 'redirected' | 'type'>;

function decorate(response: Response, origin: Origin): Response {
  const clone = (): Response => decorate(Response.prototype.clone.call(response), origin);
  for (const [key, value] of Object.entries({ ...origin, clone })) {
    Object.defineProperty(response, key, { value, configurable: true });
  }
  return response;
}

/**
 * Node returns a decoded body together with the headers of the encoded body. They would be wrong if the response were passed
 * on.
 */
function readableHeaders(from: Headers): Headers {
  if (!from.has('content-encoding')) return from;
  const headers = new Headers(from);
  headers.delete('content-encoding');
  headers.delete('content-length');
  const refuse = (): never => {
    throw new TypeError('immutable');
  };
  return Object.assign(headers, { append: refuse, delete: refuse, set: refuse });
}
