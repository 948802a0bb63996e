import type { AnswerHead, CallHead } from './call-head.js';
import type { Exchange, Message } from './request-exchange.js';
import type { Connection } from './connection.js';
import { createWholeResponse } from './whole-response.js';

export interface CallRequest extends CallHead {
  body?: ReadableStream<Uint8Array> | Uint8Array | undefined;
  signal?: AbortSignal | undefined;
  /** Called whenever a piece of the body has been taken. */
  progress?: () => void;
}

export interface PendingResponse {
  response: Promise<Response>;
  abandon(error: Error): void;
  /** Called when the exchange is over: answered whole, broken or given up. */
  whenOver(listener: () => void): void;
}

/** One request to a script's process, streamed both ways. */
export function sendCall(link: Connection<CallHead, AnswerHead>, call: CallRequest): PendingResponse {
  const { id, method, url, headers, body = new Uint8Array(), signal, progress = () => {} } = call;
  let exchange!: Exchange<CallHead>;
  const response = new Promise<Response>((resolve, reject) => {
    exchange = link.open((message) => {
      try {
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

  const head = { id, method, url, headers };
  if (body instanceof Uint8Array) exchange.send(head, body).catch(exchange.abort);
  else {
    exchange.begin(head);
    void sendBody(body, progress, exchange);
  }
  return { response, abandon: exchange.abort, whenOver: exchange.whenOver };
}

/** Where the pieces of a body go. */
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

/** Statuses of responses that have no body. */
export const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** How a body is framed is the affair of each connection that it passes. */
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
 * The web's view of an answer. One that came in one piece costs no stream. A script can forge the head: this
 * throws where it is none, and the length that goes on is the one that was counted.
 */
export function toResponse({ head, body }: Message<AnswerHead>, method: string): Response {
  const { status } = head;
  const headers: AnswerHead['headers'] = [];
  let declared: string | undefined;
  for (const [name, value] of head.headers) {
    const key = name.toLowerCase();
    if (key === 'content-length') declared = value;
    else if (!connectionHeaders.has(key)) headers.push([name, value]);
  }
  const init = { status, headers };
  if (!(body instanceof Uint8Array)) return new Response(body, init);
  if (bodiless.has(status)) return new Response(null, init);
  // Without the body, its length is known where it was made.
  if (method !== 'HEAD') headers.push(['content-length', String(body.length)]);
  else if (declared !== undefined && /^\d{1,15}$/.test(declared)) headers.push(['content-length', declared]);
  return createWholeResponse(body, init);
}
