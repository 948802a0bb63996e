import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Timers } from '../../base/clock.js';
import { tooManyHeaders } from '../../base/node/too-many-headers.js';
import { createRequestTurns } from './request-turns.js';
import { sendResponse } from './send-response.js';
import { createSlowBodies } from './slow-bodies.js';
import type { RawHeaders } from './raw-request-headers.js';

type Fetch = (request: Request, rawHeaders: RawHeaders) => Response | Promise<Response>;

export interface Listener {
  /** The origin, such as `http://127.0.0.1:4100`. */
  origin: string;
  /** Passes all requests to `fetch` from now on. Earlier requests receive a 503 response. */
  serve(fetch: Fetch): void;
  /** Waits at most a few seconds for requests in progress to finish. */
  close(): Promise<void>;
}

interface ListenOptions {
  port: number;
  /** An address of 127.0.0.0/8. The default is 127.0.0.1. */
  address?: string;
  timers: Timers;
  /** The maximum size of a request's headers, in KiB. The default is 16 KiB, as in Node. */
  headKiB?: number;
}

const patience = 3_000;
/** How long the client has to read why its request was rejected. */
const lastMoment = 1_000;

const statusOfFault: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const starting: Fetch = () => Response.json({ error: 'The local platform is starting.' }, { status: 503 });

/**
 * Opens a port. No other code in the platform listens on a socket. Each request's headers are checked here, so that its URL
 * is safe to pass to `new URL()`. The port is opened before the platform exists, because the platform needs to know the
 * port's address.
 */
export function listen({
  port,
  address = '127.0.0.1',
  timers,
  headKiB = 16,
}: ListenOptions): Promise<Listener> {
  let fetch = starting;
  const respond = async (
    request: Request,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> => {
    const response = await fetch(request, incoming.rawHeaders);
    // Discards a body that nothing reads, because a disconnect goes unnoticed while the socket is not read.
    if (incoming.readableFlowing === null) incoming.resume();
    await sendResponse(response, outgoing);
  };
  const answer = getRequestListener(
    async (request, { incoming, outgoing }) => {
      await respond(request, incoming as IncomingMessage, outgoing as ServerResponse);
      return RESPONSE_ALREADY_SENT;
    },
    { overrideGlobalObjects: false },
  );
  const turns = createRequestTurns(timers);
  const faultInHead = createHeadCheck();
  const slow = createSlowBodies(timers);
  const heads = createUnfinishedHeads(headKiB);
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    const excess = tooManyHeaders(request);
    const fault = faultInHead(request);
    const coding = request.headers['transfer-encoding'];
    if (excess !== undefined) refuse(response, 431, excess);
    else if (fault) refuse(response, 400, fault);
    else if (coding !== undefined && coding.toLowerCase() !== 'chunked')
      refuse(response, 501, otherCoding(coding));
    else if (request.method === 'TRACE')
      refuse(response, 405, 'The platform does not support TRACE requests.');
    else void answer(request, response);
  };
  let closing = false;
  const server = createServer(
    // If a request's headers are still incomplete after 6 s, the connection is closed. A body may take any amount of time,
    // as long as data keeps arriving.
    {
      maxHeaderSize: headKiB * 1024,
      headersTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      requestTimeout: 0,
      keepAliveTimeout: 60_000,
    },
    (request, response) => {
      // Clients keep connections open so that they can send more requests.
      response.once('close', () => closing && server.closeIdleConnections());
      heads.arrived(request.socket, response);
      slow.watch(request);
      turns.take(request, response, () => receive(request, response));
    },
  );
  const closeWith = (socket: Socket, status: number): void => {
    if (!socket.writable) return void socket.destroy();
    const reason = status === 431 ? tooLargeHead(headKiB) : '';
    socket.end(
      `HTTP/1.1 ${status} \r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${reason.length}\r\n\r\n${reason}`,
    );
    // Closes the socket after a moment. Otherwise, it would stay open until the client closes its end.
    void timers.sleep(lastMoment).then(() => socket.destroy());
  };
  server.on('connection', heads.connected);
  server.on('connect', (_, socket: Socket) => closeWith(socket, 405));
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) =>
    turns.end(socket, () => closeWith(socket, statusOfFault[code] ?? 400)),
  );

  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      // Stops the timer, which would otherwise keep the process running.
      slow.close();
      reject(error);
    };
    server.once('error', fail);
    server.listen(port, address, () => {
      server.off('error', fail);
      const { port: opened } = server.address() as AddressInfo;
      resolve({
        origin: `http://${address}:${opened}`,
        serve: (next) => void (fetch = next),
        async close() {
          closing = true;
          slow.close();
          const closed = new Promise<void>((done) => server.close(() => done()));
          server.closeIdleConnections();
          const done = new AbortController();
          await Promise.race([closed, timers.sleep(patience, done.signal).catch(() => {})]);
          done.abort();
          server.closeAllConnections();
          await closed;
        },
      });
    });
  });
}

/**
 * The message that the browser shows. Cookies are the usual cause, and this message is the user's only clue to which program
 * set them.
 */
const tooLargeHead = (limit: number): string =>
  `The headers of this request are larger than ${limit} KiB. The cause is usually cookies: browsers send the cookies of 127.0.0.1 and localhost to every port, including those set by other programs. Delete the cookies of the host in the address bar, in the browser's settings or its developer tools, and reload the page.\n`;

const otherCoding = (coding: string): string =>
  `The platform does not support the Transfer-Encoding "${coding}". Send the body with a Content-Length, or as "chunked" only.`;

const hostPattern = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
/** Node's own limit, which applies on ports that allow larger headers. */
const longestTarget = 16 * 1024;
const targetPattern = /^\/[\x21-\x7E\x80-\xFF]*$/;

/** Creates the check for Host headers. Node accepts two of them, none in HTTP/1.0, and arbitrary bytes. */
function createHeadCheck(): (head: IncomingMessage) => string | undefined {
  // Most requests are for the same host.
  let goodHost = '';
  return ({ rawHeaders, url = '' }) => {
    let hosts = 0;
    let host = '';
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const name = rawHeaders[i] ?? '';
      if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
      hosts += 1;
      host = rawHeaders[i + 1] ?? '';
    }
    if (hosts !== 1) return `A request must have exactly one Host header, but this one has ${hosts}.`;
    if (url.length > longestTarget) return 'The request target is longer than 16 KiB.';
    if (!targetPattern.test(url)) return 'The request target must begin with a slash.';
    if (host === goodHost) return undefined;
    if (!hostPattern.test(host)) return 'The Host header is not a valid host.';
    if (!URL.canParse(`http://${host}${url}`)) return 'The request URL is not valid.';
    goodHost = host;
    return undefined;
  };
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
  response.end(JSON.stringify({ error }));
}

const mostKiB = 512 * 1024;

/**
 * Limits how much memory incomplete request headers can use. When the limit is exceeded, closes the connection that has been
 * waiting longest, which is idle or slow.
 */
function createUnfinishedHeads(headKiB: number) {
  const most = mostKiB / headKiB;
  const waiting = new Set<Socket>();
  const open = new WeakMap<Socket, number>();

  const wait = (socket: Socket): void => {
    if (socket.destroyed) return;
    waiting.add(socket);
    const [oldest] = waiting;
    if (waiting.size > most) oldest?.destroy();
  };
  return {
    connected(socket: Socket): void {
      socket.once('close', () => waiting.delete(socket));
      wait(socket);
    },
    arrived(socket: Socket, response: ServerResponse): void {
      waiting.delete(socket);
      open.set(socket, (open.get(socket) ?? 0) + 1);
      response.once('close', () => {
        const left = (open.get(socket) ?? 1) - 1;
        open.set(socket, left);
        if (left === 0) wait(socket);
      });
    },
  };
}
