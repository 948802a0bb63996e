import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a tunnel that forwards everything with the target's own Host and adds the given headers. */
export async function startTunnel(
  target: string,
  added: Record<string, string> = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const { host, hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const sent = request({ hostname, port, method, path, headers: { ...headers, host, ...added } });
    sent.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}
