import type { AnswerHead, CallHead } from './call-head.js';
import type { Exchange } from './request-exchange.js';
import type { Link } from './connection.js';
import { toResponse } from './to-response.js';

export interface HopRequest extends CallHead {
  body?: ReadableStream<Uint8Array> | Uint8Array | undefined;
  signal?: AbortSignal | undefined;
  /** Called whenever a piece of the body has been taken. */
  progress?: () => void;
}

export interface HopAnswer {
  response: Promise<Response>;
  abandon(error: Error): void;
  /** Called when the exchange is over: answered whole, broken or given up. */
  whenOver(listener: () => void): void;
}

/** One request to a script's process, streamed both ways. */
export function crossHop(link: Link<CallHead, AnswerHead>, call: HopRequest): HopAnswer {
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
    void send(body, exchange, progress);
  }
  return { response, abandon: exchange.abort, whenOver: exchange.whenOver };
}

async function send(
  body: ReadableStream<Uint8Array>,
  exchange: Exchange<CallHead>,
  progress: () => void,
): Promise<void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (exchange.isOver()) return await reader.cancel();
      progress();
      await exchange.write(value);
    }
    exchange.end();
  } catch (error) {
    exchange.abort(error instanceof Error ? error : new Error(String(error)));
  }
}
