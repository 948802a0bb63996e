import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';

/** Serves a web fetch handler on a loopback address. */
export async function serve(
  handle: (request: Request) => Response | Promise<Response>,
  wantedPort = 0,
  address = '127.0.0.1',
): Promise<{ url: string; close(): Promise<void> }> {
  const listen = getRequestListener((request) => handle(request), { overrideGlobalObjects: false });
  const server = createServer((request, response) => void listen(request, response));
  server.listen(wantedPort, address);
  // Rejects if the port is taken.
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
