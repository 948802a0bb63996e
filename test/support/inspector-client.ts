import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { vi } from 'vitest';

type Fields = Record<string, unknown>;

export interface InspectorClient {
  /** Sends a command and returns its result. */
  send(method: string, params?: Fields): Promise<Fields>;
  /** Resolves to the parameters of the first past or future event that satisfies `which`. */
  event(method: string, which?: (params: Fields) => boolean): Promise<Fields>;
  close(): void;
}

/** Attaches a debugger to the process on this port. As an editor does, tries again until the process listens. */
export async function attachDebugger(port: number): Promise<InspectorClient> {
  const response = await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/json/list`), { timeout: 30_000 });
  const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
  const upgrade = request((target?.webSocketDebuggerUrl ?? '').replace('ws:', 'http:'), {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'Sec-WebSocket-Version': '13',
    },
  });
  upgrade.end();
  const [, socket, head] = (await once(upgrade, 'upgrade')) as [unknown, Socket, Buffer];

  const messages: Fields[] = [];
  const waiting = new Set<(message: Fields) => void>();
  const find = (matches: (message: Fields) => boolean): Promise<Fields> =>
    new Promise((resolve) => {
      const past = messages.find(matches);
      if (past) return resolve(past);
      const look = (message: Fields): void => {
        if (!matches(message)) return;
        waiting.delete(look);
        resolve(message);
      };
      waiting.add(look);
    });

  let rest = head;
  const read = (data: Buffer): void => {
    rest = Buffer.concat([rest, data]);
    for (let frame = readFrame(rest); frame; frame = readFrame(rest)) {
      rest = rest.subarray(frame.end);
      const message = JSON.parse(frame.text) as Fields;
      messages.push(message);
      for (const look of waiting) look(message);
    }
  };
  read(Buffer.alloc(0));
  socket.on('data', read);

  let lastId = 0;
  return {
    async send(method, params = {}) {
      const id = (lastId += 1);
      socket.write(writeFrame(JSON.stringify({ id, method, params })));
      return (await find((message) => message['id'] === id))['result'] as Fields;
    },
    async event(method, which = () => true) {
      const found = await find(
        (message) => message['method'] === method && which(message['params'] as Fields),
      );
      return found['params'] as Fields;
    },
    close: () => void socket.destroy(),
  };
}

/** A text frame, masked with zeros. */
function writeFrame(text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.from([0x81, 0x80 | 126, body.length >> 8, body.length & 255, 0, 0, 0, 0]);
  return Buffer.concat([head, body]);
}

function readFrame(data: Buffer): { text: string; end: number } | undefined {
  const short = (data[1] ?? 0) & 127;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (data.length < start) return undefined;
  const length =
    short === 126 ? data.readUInt16BE(2) : short === 127 ? Number(data.readBigUInt64BE(2)) : short;
  const end = start + length;
  return data.length < end ? undefined : { text: data.toString('utf8', start, end), end };
}
