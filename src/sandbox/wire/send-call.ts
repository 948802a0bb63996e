import type { ResponseHead, CallHead } from './call-head.js';
import type { Exchange, Message } from './request-exchange.js';
import type { Connection } from './connection.js';
import { createWholeResponse } from './whole-response.js';

export interface CallRequest extends CallHead {
  body?: ReadableStream<Uint8Array> | Uint8Array | undefined;
  signal?: AbortSignal | undefined;
  /** Called each time a chunk of the body has been read. */
  progress?: () => void;
}

export type PendingResponse = ReturnType<typeof sendCall>;

/** Sends a request to a script's process. Both bodies are streamed. */
export function sendCall(
  link: Connection<CallHead, ResponseHead>,
  call: CallRequest,
  onHead: (head: ResponseHead) => void = () => {},
) {
  const { id, method, url, headers, ahead, body = new Uint8Array(), signal, progress = () => {} } = call;
  let exchange!: Exchange<CallHead>;
  const response = new Promise<Response>((resolve, reject) => {
    exchange = link.open((message) => {
      try {
        onHead(message.head);
        resolve(toResponse(message, method));
      } catch (error) {
        reject(error);
      }
    });
    exchange.whenOver((error) => error && reject(error));
  });

  if (signal) {
    const abort = (): void =>
      exchange.abort(signal.reason instanceof Error ? signal.reason : new Error('Aborted'));
    signal.addEventListener('abort', abort, { once: true });
    exchange.whenOver(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
  }

  const head = { id, method, url, headers, ahead };
  if (body instanceof Uint8Array) exchange.send(head, body).catch(exchange.abort);
  else {
    exchange.begin(head);
    void sendBody(body, progress, exchange);
  }
  return {
    response,
    abandon:
      exchange.abort /** Called when the exchange is over because it was completed, failed or was aborted. */,
    whenOver: exchange.whenOver,
  };
}

/** Receives the chunks of a body. */
type BodySink = Pick<Exchange<CallHead>, 'isOver' | 'write' | 'end' | 'abort'>;

export async function sendBody(
  body: ReadableStream<Uint8Array>,
  progress: () => void,
  sink: BodySink,
): Promise<void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (sink.isOver()) return await reader.cancel();
      progress();
      await sink.write(value);
    }
    sink.end();
  } catch (error) {
    sink.abort(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Response statuses that have no body. */
export const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** Headers that describe how a body is framed, which apply to a single connection only. */
export const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Converts a message to a web Response. A message that arrived in one piece does not need a stream. A script can
 * forge the head, so this function throws if it is invalid, and sets Content-Length to the actual number of bytes.
 */
export function toResponse({ head, body }: Message<ResponseHead>, method: string): Response {
  const { status } = head;
  const headers: ResponseHead['headers'] = [];
  let declared: string | undefined;
  for (const [name, value] of head.headers) {
    const key = name.toLowerCase();
    if (key === 'content-length') declared = value;
    else if (!connectionHeaders.has(key)) headers.push([name, value]);
  }
  const init = { status, headers };
  if (!(body instanceof Uint8Array)) return new Response(body, init);
  if (bodiless.has(status)) return new Response(null, init);
  // A response to a HEAD request has no body to count, so the script's Content-Length is kept.
  if (method !== 'HEAD') headers.push(['content-length', String(body.length)]);
  else if (declared !== undefined && /^\d{1,15}$/.test(declared)) headers.push(['content-length', declared]);
  return createWholeResponse(body, init);
}
