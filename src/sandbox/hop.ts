import { request as httpRequest, type Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import { CALL_HEADER } from './call-header.js';
import { toResponse } from './to-response.js';

export interface HopRequest {
  callId: string;
  method: string;
  path: string;
  headers: [name: string, value: string][];
  body?: ReadableStream<Uint8Array> | Uint8Array | undefined;
  signal?: AbortSignal | undefined;
  /** Called whenever a piece of the body has been taken. */
  progress?: () => void;
}

export interface Hop {
  socketPath: string;
  agent: Agent;
}

export interface HopAnswer {
  response: Promise<Response>;
  /** Settles, never rejects, when the exchange is over: answered whole, broken or given up. */
  done: Promise<void>;
  abandon(error: Error): void;
}

/** Names that a socket has no use for, and that take time to find. */
const overSocket = { setHost: false, servername: '' };

/** One request to a child over its socket, streamed both ways. */
export function crossHop({ socketPath, agent }: Hop, call: HopRequest): HopAnswer {
  const { callId, method, path, body, signal, progress = () => {} } = call;
  const outgoing = httpRequest({
    socketPath,
    agent,
    method,
    path,
    maxHeaderSize: 256 * 1024,
    headers: [...call.headers.flat(), CALL_HEADER, callId],
    ...overSocket,
  });

  const response = new Promise<Response>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (incoming: IncomingMessage) => resolve(toResponse(incoming)));
  });
  const done = new Promise<void>((resolve) => void outgoing.once('close', resolve));

  const abandon = (error: Error): void => void outgoing.destroy(error);
  if (signal) {
    const abort = (): void => abandon(signal.reason instanceof Error ? signal.reason : new Error('Aborted'));
    if (signal.aborted) abort();
    else {
      signal.addEventListener('abort', abort, { once: true });
      outgoing.once('close', () => signal.removeEventListener('abort', abort));
    }
  }

  if (body instanceof ReadableStream) void send(body, outgoing, progress);
  else outgoing.end(body);
  return { response, done, abandon };
}

async function send(
  body: ReadableStream<Uint8Array>,
  outgoing: ClientRequest,
  progress: () => void,
): Promise<void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (outgoing.destroyed) return await reader.cancel();
      progress();
      if (outgoing.write(value)) continue;
      await new Promise<void>((resolve) => {
        const go = (): void => {
          outgoing.off('drain', go).off('close', go);
          resolve();
        };
        outgoing.once('drain', go).once('close', go);
      });
    }
    outgoing.end();
  } catch (error) {
    outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}
