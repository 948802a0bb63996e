import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveEmulator, type LiveEmulator } from '../support/live-emulator.js';
import { integration } from '../emulator/emulator-under-test.js';

const script = `export default { fetch: async () => new Response('OK') };`;

let live: LiveEmulator;
let port = 0;
beforeAll(async () => {
  live = await startLiveEmulator(script, { integration });
  port = Number(new URL(live.origin).port);
});
afterAll(() => live.close());

const statusOf = (head: Buffer): Promise<number> =>
  new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(head));
    socket.setEncoding('latin1').on('data', (data) => {
      answer += data;
      if (answer.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('error', () => {}).on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])));
  });

let seed = 20_261;
const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T;
const bytes = (): string =>
  Array.from({ length: random(60) }, () => String.fromCharCode(random(256))).join('');

/** One part is random bytes, the others are what an attacker would put there. */
function head(): Buffer {
  const parts = {
    target: pick([
      '/console/api/installations',
      '/v1',
      '/oauth/token',
      '//evil.example/',
      '/..%2f',
      '/api/v1',
    ]),
    host: pick([
      'evil.example',
      `127.0.0.1:${port}`,
      `127.0.0.1:${port}.evil.example`,
      '[::1',
      '0x7f.1',
      'localhost',
    ]),
    origin: pick(['http://evil.example', 'null', `http://127.0.0.1:${port + 1}`]),
  };
  parts[pick(['target', 'host', 'origin'] as const)] = bytes();
  const { target, host, origin } = parts;
  const text = `${pick(['GET', 'POST', 'DELETE'])} ${target} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nContent-Length: 0\r\n\r\n`;
  return Buffer.from(text, 'latin1');
}

test('rejects 5,000 random request headers and keeps running', async () => {
  const before = live.store.callLog.list({ limit: 10_000 }).length;
  const counts = new Map<number, number>();
  for (let sent = 0; sent < 5_000; sent += 50) {
    const heads = Array.from({ length: 50 }, head);
    const statuses = await Promise.all(heads.map(statusOf));
    statuses.forEach((status, index) => {
      expect(status, heads[index]?.toString('latin1')).toBeGreaterThanOrEqual(400);
      expect(status, heads[index]?.toString('latin1')).toBeLessThan(500);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    });
  }
  console.log('answers by status', Object.fromEntries(counts));
  expect((await fetch(`${live.origin}/healthz`)).status).toBe(200);
  live.store.callLog.flush();
  expect(live.store.callLog.list({ limit: 10_000 }).length).toBe(before);
});
