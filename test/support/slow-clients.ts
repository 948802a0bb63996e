import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What slow and half-open clients send first, and what they then send every second. */
const clients = (port: number): Record<string, [first: string, each?: string]> => {
  const head = `HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
  const path = '/v1/integrations/boundary';
  return {
    'send nothing': [''],
    'stop in the head': [`GET / ${head}X-A: `],
    'send a head byte by byte': [`GET / ${head}X-A: `, 'x'],
    'stop in the body': [`POST ${path} ${head}Content-Length: 1000\r\n\r\nx`],
    'send a body byte by byte': [`POST ${path} ${head}Content-Length: 1000\r\n\r\nx`, 'x'],
    'send a chunk without its end': [`POST ${path} ${head}Transfer-Encoding: chunked\r\n\r\nff\r\nx`, 'x'],
    'GET with a body that stops': [`GET ${path} ${head}Content-Length: 1000\r\n\r\nx`],
    'are refused and stay': [`GET / HTTP/1.1\r\n\r\n`],
    'send garbage and stay': ['\x16\x03\x01\0\0\r\n\r\n'],
    'CONNECT and stay': [`CONNECT evil.example:80 ${head}\r\n`],
  };
};

/** Opens `count` such clients, and prints how many and then, four times a second, how many are still open. */
async function main(): Promise<void> {
  const { port, count } = JSON.parse(process.argv[2] ?? '') as { port: number; count: number };
  const kinds = Object.entries(clients(port));
  const open = new Map<Socket, string>();
  const connecting: Promise<unknown>[] = [];
  for (let n = 0; n < count; n += 1) {
    const [kind, [first, each]] = kinds[n % kinds.length] ?? ['', ['']];
    // The client never closes its own side.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const more = each && setInterval(() => socket.write(each), 1000);
    open.set(socket, kind);
    socket
      .on('error', () => {})
      .on('close', () => {
        if (more) clearInterval(more);
        open.delete(socket);
      });
    if (first) socket.write(first, 'latin1');
    // More than fit the listener's queue would be tried again only seconds later.
    connecting.push(once(socket, 'connect'));
    if (connecting.length === 100) await Promise.all(connecting.splice(0));
    socket.resume();
    // A socket notices that the other side has fully closed it only when it writes.
    socket.on('end', () => {
      const probe = setInterval(() => (socket.destroyed ? clearInterval(probe) : socket.write('x')), 1500);
    });
  }
  process.stdout.write(`ack ${count}\n`);
  for (const start = performance.now(); open.size > 0 && performance.now() - start < 40_000;) {
    process.stdout.write(`ack ${open.size}\n`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  if (open.size > 0) process.stderr.write(`still open: ${[...new Set(open.values())].join(', ')}\n`);
  process.stdout.write(`ack ${open.size}\n`, () => process.exit());
}

void main();
