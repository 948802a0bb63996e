import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';

/**
 * The debugger's port. It forwards to the process that serves calls, because each process listens on its
 * own port.
 */
export interface InspectorPort {
  close(): Promise<void>;
}

const host = '127.0.0.1';

export function openInspectorPort(port: number, target: number, fail: (error: Error) => void): InspectorPort {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  };

  // The list of debug targets contains the process's own port.
  const server = createServer(({ url }, reply) => {
    fetch(`http://${host}:${target}${url}`)
      .then(async (response) => {
        const text = (await response.text()).replaceAll(`${host}:${target}`, `${host}:${port}`);
        reply.writeHead(response.status, { 'content-type': 'application/json' }).end(text);
      })
      .catch(() => reply.writeHead(502).end());
  });
  server.on('connection', keep);
  server.on('upgrade', ({ method, url, rawHeaders }, client: Socket, head: Buffer) => {
    const inner = connect(target, host);
    keep(inner);
    client.once('close', () => inner.destroy());
    inner.once('close', () => client.destroy());
    const lines = rawHeaders.map((text, n) => (n % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
    inner.write(`${method} ${url} HTTP/1.1\r\n${lines}\r\n`);
    inner.write(head);
    client.pipe(inner).pipe(client);
  });
  server.on('error', fail);
  server.listen(port, host);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
