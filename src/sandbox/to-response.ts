import type { IncomingMessage } from 'node:http';
import { createWholeResponse } from './whole-response.js';

/** Of the connection to the child, not of the answer. */
const framing = new Set(['connection', 'keep-alive', 'transfer-encoding']);
const bodiless = new Set([204, 205, 304]);

/** The web's view of a Node response. An answer that came in one piece costs no stream. */
export async function toResponse(incoming: IncomingMessage): Promise<Response> {
  const { statusCode: status = 502, statusMessage: statusText = '', rawHeaders } = incoming;
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    if (!framing.has(name)) headers.append(name, rawHeaders[i + 1] ?? '');
  }
  if (bodiless.has(status)) {
    incoming.resume();
    return new Response(null, { status, statusText, headers });
  }
  if (headers.has('content-length')) {
    // What arrived together with the head has been parsed by the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    if (incoming.complete) {
      const body = incoming.read() as Buffer<ArrayBuffer> | null;
      incoming.resume();
      return createWholeResponse(body ?? new Uint8Array(), { status, statusText, headers });
    }
  }
  return new Response(toStream(incoming), { status, statusText, headers });
}

function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      let over = false;
      const end = (finish: () => void): void => {
        if (!over) finish();
        over = true;
      };
      incoming.pause();
      incoming.on('data', (chunk: Buffer) => {
        if (over) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.on('end', () => end(() => controller.close()));
      incoming.on('error', (error) => end(() => controller.error(error)));
      incoming.on('close', () => end(() => controller.error(new Error('The answer was cut short.'))));
    },
    pull() {
      incoming.resume();
    },
    cancel() {
      incoming.destroy();
    },
  });
}
