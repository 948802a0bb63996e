import { isUtf8 } from 'node:buffer';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { parseJson } from '../../base/parse-json.js';
import { createScope, runInScope } from '../observe/call-scope.js';
import { connectionHeaders } from '../wire/send-call.js';
import { HEAD_HEADER, type OutboundHead } from './worker-protocol.js';

interface OutboundOptions {
  /** Requests without this key come from other programs. */
  key: string;
  /** Sends a request to its destination and records it. */
  fetch: typeof globalThis.fetch;
}

export type OutboundProxy = ReturnType<typeof createOutboundProxy>;

/** Bodies up to this length are buffered, so that they can be sent with a Content-Length and checked for reroutes. */
const KEPT = 1024 * 1024;

/** Receives all of the script's outbound requests, with absolute URLs. Each redirect arrives as a separate request. */
export function createOutboundProxy({ key, fetch }: OutboundOptions) {
  const forward = async (message: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const head = parseJson(String(message.headers[HEAD_HEADER]), undefined) as OutboundHead | undefined;
    if (head?.key !== key) return void message.socket.destroy();
    const left = new AbortController();
    const leave = (): void => left.abort();
    reply.once('close', leave);
    const { url = '', method = 'GET' } = message;
    const init: RequestInit & { duplex: 'half' } = {
      method,
      headers: passedHeaders(message),
      redirect: head.redirect,
      signal: left.signal,
      duplex: 'half',
    };
    const body = await readBody(message);
    if (body !== undefined) init.body = body;
    const send = (): Promise<Response> => fetch(url, init);
    const response = await (head.call === undefined
      ? send()
      : runInScope(createScope(head.call, head.number), send));
    // If the script closes the connection from now on, only the response body is canceled, so that the rest of the body can
    // still be recorded.
    reply.off('close', leave);
    reply.writeHead(response.status, replyHeaders(response));
    if (!response.body) return void reply.end();
    await pipeline(response.body, reply);
  };

  // Closes the connection, so that the script sees a network error, as in production.
  const server = createServer({ requireHostHeader: false, maxHeaderSize: KEPT }, (message, reply) => {
    message.on('error', () => {});
    forward(message, reply).catch(() => message.socket.destroy());
  });
  server.keepAliveTimeout = 0;
  // By default, Node drops all headers after the first 1,000. Their total size is limited anyway, so no limit on their number
  // is needed.
  server.maxHeadersCount = 0;
  server.on('upgrade', (_, socket) => socket.destroy());
  server.on('connect', (_, socket) => socket.destroy());
  server.on('clientError', (_, socket) => socket.destroy());

  return {
    /** `where` is a socket path or `{ host, port }`. Resolves to the port, if it has one. */
    listen: (where: string | { host: string; port: number }) =>
      new Promise<number | undefined>((resolve, reject) => {
        server.once('error', reject);
        server.listen(where, () => {
          const address = server.address();
          resolve(typeof address === 'object' && address ? address.port : undefined);
        });
      }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function passedHeaders({ rawHeaders }: IncomingMessage): [string, string][] {
  const headers: [string, string][] = [];
  for (let n = 0; n + 1 < rawHeaders.length; n += 2) {
    const [name = '', value = ''] = rawHeaders.slice(n, n + 2);
    const key = name.toLowerCase();
    const dropped = key === HEAD_HEADER || key === 'host' || key === 'content-length' || key === 'expect';
    if (!dropped && !connectionHeaders.has(key)) headers.push([name, value]);
  }
  return headers;
}

/** Returns a text body as text, because only text is checked for reroutes. */
async function readBody(message: IncomingMessage): Promise<BodyInit | undefined> {
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers;
  if (length === undefined && encoding === undefined) return undefined;
  if (Number(length ?? Infinity) > KEPT) return message as unknown as BodyInit;
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  const bytes = Buffer.concat(pieces);
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes;
}

function replyHeaders(response: Response): string[] {
  const headers: string[] = [];
  for (const [name, value] of response.headers) {
    // The length of the body as transferred, which may be compressed.
    const packed = response.headers.has('content-encoding');
    const lies = packed && (name === 'content-encoding' || name === 'content-length');
    if (!lies && !connectionHeaders.has(name)) headers.push(name, value);
  }
  return headers;
}
