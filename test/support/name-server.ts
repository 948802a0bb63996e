import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface NameServer {
  address: string;
  /** The names that were looked up, with the record type. */
  questions: string[];
  close(): void;
}

/** How a name resolves: to an address (IPv4 only), to an error, or not at all because the server never responds. */
export type Answer = { address: string; ttl: number } | 'missing' | 'failed' | 'silent';

const types: Record<number, string> = { 1: 'A', 28: 'AAAA' };
const codes = { missing: 3, failed: 2 } as const;

/** Starts a name server over UDP. */
export async function startNameServer(
  answer: (name: string, type: string) => Answer,
  { host = '127.0.0.1', port = 0 } = {},
): Promise<NameServer> {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
      labels.push(message.subarray(at + 1, at + 1 + length).toString());
      at += 1 + length;
    }
    const type = types[message.readUInt16BE(at + 1)] ?? 'other';
    const name = labels.join('.').toLowerCase();
    questions.push(`${name} ${type}`);
    const found = answer(name, type);
    if (found === 'silent') return;
    const question = message.subarray(12, at + 5);
    const head = Buffer.alloc(12);
    message.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 + (typeof found === 'string' ? codes[found] : 0), 2);
    head.writeUInt16BE(1, 4);
    if (typeof found === 'string' || type !== 'A') {
      socket.send(Buffer.concat([head, question]), from.port, from.address);
      return;
    }
    head.writeUInt16BE(1, 6);
    const record = Buffer.alloc(16);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(1, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(found.ttl, 6);
    record.writeUInt16BE(4, 10);
    Buffer.from(found.address.split('.').map(Number)).copy(record, 12);
    socket.send(Buffer.concat([head, question, record]), from.port, from.address);
  });
  socket.bind(port, host);
  await once(socket, 'listening');
  return { address: `${host}:${socket.address().port}`, questions, close: () => void socket.close() };
}
