import { currentScope } from './call-scope.js';
import type { ScriptOutbound } from '../script-host.js';

interface Recording {
  fetch: typeof fetch;
  record(entry: ScriptOutbound): void;
  now(): number;
}

/** A `fetch` that behaves like the one it is given and tells what went over the wire. */
export function createRecordingFetch({ fetch, record, now }: Recording): typeof globalThis.fetch {
  return async (input, init) => {
    const scope = currentScope();
    const time = now();
    const entry: ScriptOutbound = {
      callId: scope?.id,
      method: (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase(),
      url: input instanceof Request ? input.url : String(input),
      status: 0,
      durationMs: 0,
      requestBytes: byteLength(init?.body),
      responseBytes: 0,
      time,
    };
    const finish = once(() => {
      scope?.onEnd.delete(finish);
      record(entry);
    });

    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (error) {
      entry.durationMs = now() - time;
      entry.error = reason(error);
      finish();
      throw error;
    }
    entry.durationMs = now() - time;
    entry.status = response.status;
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
    return withBody(
      response,
      counted(response.body, (bytes) => (entry.responseBytes += bytes), finish),
    );
  };
}

const textEncoder = new TextEncoder();

function byteLength(body: BodyInit | null | undefined): number {
  if (body == null) return 0;
  if (typeof body === 'string') return textEncoder.encode(body).length;
  if (body instanceof URLSearchParams) return textEncoder.encode(body.toString()).length;
  if (body instanceof Blob) return body.size;
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return body.byteLength;
  return 0;
}

/** Node says `fetch failed` and keeps what happened in the cause. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message || cause.name}` : error.message;
}

function once(run: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    run();
  };
}

function counted(
  body: ReadableStream<Uint8Array>,
  count: (bytes: number) => void,
  finish: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          finish();
          controller.close();
          controller.byobRequest?.respond(0);
          return;
        }
        count(value.byteLength);
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

/** The same response around another body: still read-only, still knowing where it came from. */
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

/** Node hands over a decoded body beside the headers of the encoded one: passed on, they would lie. */
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
