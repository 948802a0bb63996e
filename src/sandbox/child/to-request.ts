import type { IncomingMessage } from 'node:http';
import { CALL_HEADER } from '../call-header.js';

/** Up to this size a body is read before the script is called: cheaper than a stream. */
const SMALL = 64 * 1024;

/** Node wants it said for a body that streams; the web's types do not know it. */
const half = { duplex: 'half' } as RequestInit;

const hidden = new Set([CALL_HEADER, 'connection', 'transfer-encoding', 'keep-alive']);

export async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = 'POST', rawHeaders } = incoming;
  const headers: [string, string][] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    if (!hidden.has(name)) headers.push([name, rawHeaders[i + 1] ?? '']);
  }
  const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? 'localhost'}`);
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers });

  const length = Number(incoming.headers['content-length'] ?? Number.NaN);
  if (length <= SMALL) return new Request(url, { method, headers, body: await readSmall(incoming) });
  return new Request(url, { method, headers, body: toStream(incoming), ...half });
}

function readSmall(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () =>
      resolve((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)) as Uint8Array<ArrayBuffer>),
    );
    incoming.on('error', reject);
  });
}

function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  /** The script has looked at enough of it: the rest passes by unseen. */
  let unwanted = false;
  return new ReadableStream({
    start(controller) {
      incoming.pause();
      incoming.on('data', (chunk: Buffer) => {
        if (unwanted) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.on('end', () => unwanted || controller.close());
      incoming.on('error', (error) => unwanted || controller.error(error));
    },
    pull() {
      incoming.resume();
    },
    cancel() {
      unwanted = true;
      incoming.resume();
    },
  });
}
