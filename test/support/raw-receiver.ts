import { createServer, type AddressInfo, type Socket } from 'node:net';

export const manners = ['empty', 'body', 'reset', 'stall'] as const;
export type Manner = (typeof manners)[number];

export interface RawReceiver {
  /** The URL that responds with this status in this manner. */
  urlOf(status: number, manner: Manner): string;
  /** The number of requests by `<status>/<manner>`. */
  requests: Map<string, number>;
  /** The keys of `requests` whose response has stalled. */
  stalled: Set<string>;
  close(): void;
}

/** Responses with these statuses have no body, whatever follows their headers. */
export const bodiless: readonly number[] = [204, 304];

const heads: Record<Manner, string> = {
  empty: 'Content-Length: 0\r\n\r\n',
  body: 'Content-Length: 2\r\n\r\nok',
  reset: 'Content-Length: 10\r\n\r\nok',
  stall: 'Content-Length: 10\r\n\r\nok',
};

/** Writes the requested responses byte for byte, even if they are not valid HTTP. */
export async function startRawReceiver(): Promise<RawReceiver> {
  const requests = new Map<string, number>();
  const sockets = new Set<Socket>();
  const stalled = new Set<string>();

  const answer = (socket: Socket, status: number, manner: Manner): void => {
    socket.write(`HTTP/1.1 ${status} Status\r\nConnection: close\r\n${heads[manner]}`);
    if (manner === 'stall') {
      if (!bodiless.includes(status)) stalled.add(`${status}/${manner}`);
    } else if (manner === 'reset') setTimeout(() => socket.resetAndDestroy(), 5);
    else socket.end();
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    let head = '';
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (piece) => {
      const begun = head !== '';
      head += piece.toString('latin1');
      const [, status, manner] = /^POST \/(\d+)\/(\w+) /.exec(head) ?? [];
      if (begun || status === undefined) return;
      const key = `${status}/${manner}`;
      requests.set(key, (requests.get(key) ?? 0) + 1);
      answer(socket, Number(status), manner as Manner);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (status, manner) => `http://127.0.0.1:${port}/${status}/${manner}`,
    requests,
    stalled,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
