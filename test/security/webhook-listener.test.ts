import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));

let child: ChildProcess;
let port = 0;
let printed = '';
beforeAll(async () => {
  const argv = [platform, 'webhook', 'listen', '--port', '0', '--json'];
  child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  lines.on('line', (line) => (printed += `${line}\n`));
  const [ready] = (await once(lines, 'line')) as [string];
  port = Number(new URL((JSON.parse(ready) as { url: string }).url).port);
}, 20_000);
afterAll(async () => {
  child.kill();
  await once(child, 'exit');
});

const send = (head: string, body: (sent: number) => Buffer | undefined = () => undefined) =>
  new Promise<{ status: string; sent: number }>((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(head.replace('PORT', String(port)));
      const push = (): void => {
        for (;;) {
          const piece = socket.writableEnded ? undefined : body(socket.bytesWritten);
          if (!piece) return;
          if (!socket.write(piece)) return void socket.once('drain', push);
        }
      };
      push();
    });
    socket.setEncoding('latin1').on('data', (data: string) => {
      received += data;
      if (received.includes('\r\n\r\n')) socket.end();
    });
    socket
      .on('error', () => {})
      .on('close', () => resolve({ status: received.slice(9, 12), sent: socket.bytesWritten }));
  });

test('webhook listen accepts only requests for its own host', async () => {
  const close = 'Content-Length: 2\r\nConnection: close\r\n\r\n{}';
  const statuses: string[] = [];
  const foreign = [
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1:1',
    'localhost',
    '[::1]:PORT',
    '127.0.0.1.evil.example:PORT',
    '',
  ];
  for (const host of foreign)
    statuses.push((await send(`POST / HTTP/1.1\r\nHost: ${host}\r\n${close}`)).status);
  const own: string[] = [];
  for (const host of ['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT'])
    own.push((await send(`POST / HTTP/1.1\r\nHost: ${host}\r\n${close}`)).status);
  const flood = await send(`POST / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n${'a:\r\n'.repeat(1_980)}${close}`);
  console.log(
    `webhook listen, foreign hosts: ${statuses.join(', ')}; own: ${own.join(', ')}; 1,980 headers: ${flood.status}`,
  );
  expect(new Set(statuses)).toEqual(new Set(['403']));
  // Not signed, but the request arrived.
  expect(own).toEqual(['401', '401', '401']);
  expect(flood.status).toBe('431');
});

const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')]);
const most = 200 * 1024 * 1024;

test.each([
  ['with its length', `Content-Length: ${most}\r\n`, Buffer.alloc(65_536)],
  ['in chunks', 'Transfer-Encoding: chunked\r\n', chunk],
])('webhook listen reads at most 1 MiB of a body sent %s', async (how, framing, piece) => {
  const { status, sent } = await send(`POST / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n${framing}\r\n`, (bytes) =>
    bytes < most ? piece : undefined,
  );
  console.log(`webhook listen, 200 MiB ${how}: ${status} after ${Math.round(sent / 1024 / 1024)} MiB`);
  expect(status).toBe('413');
  expect(sent).toBeLessThan(50 * 1024 * 1024);
  expect(printed).toContain('"status":413');
});
