import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

/** The address where workerd's own inspector accepts debuggers. */
export interface InnerInspector {
  host: string;
  port: number;
  path: string;
}

export type InspectorPort = ReturnType<typeof openInspectorPort>;

const host = '127.0.0.1';

/**
 * Opens the debugger's port, a proxy for workerd's own inspector. The inspector checks neither Host nor Origin, and
 * publishes its path.
 */
export function openInspectorPort(port: number, inner: InnerInspector, fail: (error: Error) => void) {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  };
  // A debugger reads the path from this list. A web page cannot read the list.
  const path = `/${randomBytes(16).toString('base64url')}`;
  const documents = inspectorDocuments(`${host}:${port}`, path);
  // Omits `:80`, as clients do.
  const ownHosts = [host, 'localhost'].map((name) => new URL(`http://${name}:${port}`).host);

  const server = createServer((request, reply) => {
    const document = documents[request.url ?? ''];
    const status = !isFromDebugger(request, ownHosts)
      ? 403
      : document && request.method === 'GET'
        ? 200
        : 404;
    const headers = { ...guards, 'content-type': 'application/json; charset=UTF-8', connection: 'close' };
    reply.writeHead(status, headers).end(status === 200 ? JSON.stringify(document) : undefined);
  });
  server.on('connection', keep);
  server.on('upgrade', (request, client: Socket, head: Buffer) => {
    if (!isFromDebugger(request, ownHosts)) return turnAway(client, '403 Forbidden');
    if (request.url !== path || request.method !== 'GET') return turnAway(client, '404 Not Found');
    const target = connect(inner.port, inner.host);
    keep(target);
    client.once('close', () => target.destroy());
    target.once('close', () => client.destroy());
    target.write(
      `GET ${inner.path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${handshakeOf(request)}\r\n`,
    );
    target.write(head);
    client.pipe(target).pipe(client);
  });
  server.on('error', fail);
  server.listen(port, host);
  return {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Prevents web pages from loading the list as a script, style sheet or image. */
const guards = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' };

/** The documents that debuggers request before they attach, keyed by path. */
function inspectorDocuments(authority: string, path: string): Readonly<Record<string, object | undefined>> {
  const target = {
    id: path.slice(1),
    title: 'Script in workerd',
    type: 'node',
    description: 'workerd worker',
    url: 'file://',
    webSocketDebuggerUrl: `ws://${authority}${path}`,
    devtoolsFrontendUrl: `devtools://devtools/bundled/js_app.html?experiments=true&v8only=true&ws=${authority}${path}`,
  };
  return Object.assign(Object.create(null) as object, {
    '/json': [target],
    '/json/list': [target],
    '/json/version': { Browser: 'workerd', 'Protocol-Version': '1.3' },
  });
}

/**
 * A web page sends its Origin with each WebSocket and, after DNS rebinding, its own host name as Host. Debuggers do
 * neither. The only exception is Chrome DevTools, which sends its own origin.
 */
function isFromDebugger({ headersDistinct }: IncomingMessage, ownHosts: readonly string[]): boolean {
  const { host: hosts = [], origin: origins = [], 'sec-fetch-site': sites = [] } = headersDistinct;
  return (
    hosts.length === 1 &&
    ownHosts.includes(hosts[0] ?? '') &&
    origins.every((origin) => origin.startsWith('devtools://')) &&
    // A page that is opened or embedded by another page is requested without an Origin header.
    (origins.length > 0 || sites.every((site) => site === 'none'))
  );
}

const handshakeHeaders = ['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-extensions'];

const handshakeOf = ({ headers }: IncomingMessage): string =>
  handshakeHeaders
    .filter((name) => headers[name] !== undefined)
    .map((name) => `${name}: ${String(headers[name])}\r\n`)
    .join('');

/** Closes the socket even if the other side never closes its end. */
function turnAway(client: Socket, status: string): void {
  client.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  client.destroySoon();
}
