import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface DroppingProxy {
  port: number;
  /** Drops all bytes in both directions without closing a connection, as if a cable were unplugged. */
  cut(): void;
  /** Forwards new connections again. Earlier connections stay silent, as after a route change. */
  restore(): void;
  close(): void;
}

export async function startDroppingProxy(targetPort: number): Promise<DroppingProxy> {
  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  let isCut = false;

  const forward = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('error', () => undefined);
    from.on('data', (bytes) => {
      if (!silent.has(from)) to.write(bytes);
    });
    from.on('close', () => {
      if (!silent.has(from)) to.destroy();
      sockets.delete(from);
    });
  };

  const server = createServer((client) => {
    const upstream = connect(targetPort, '127.0.0.1');
    forward(client, upstream);
    forward(upstream, client);
    if (isCut) for (const socket of [client, upstream]) silent.add(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const socket of sockets) silent.add(socket);
    },
    restore: () => void (isCut = false),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
