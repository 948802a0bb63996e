import { expect, onTestFinished, test } from 'vitest';
import { createVirtualClock } from '../../../../src/base/clock.js';
import { createWorkerMetrics } from '../../../../src/cli/commands/webhook/worker/metrics.js';
import { serveMetrics } from '../../../../src/cli/commands/webhook/worker/metrics-server.js';
import { parseMetricsAddress } from '../../../../src/cli/commands/webhook/worker/metrics-address.js';
import type { Backlog } from '../../../../src/webhooks/queue/delivery-store.js';

const figures = () => ({ lanes: 128, held: 7, unwritten: 2, polls: 40, pollMs: 3 });

test('the backlog is counted at most every ten seconds, however often it is requested', async () => {
  const clock = createVirtualClock(100_000);
  let counts = 0;
  const metrics = createWorkerMetrics({
    clock,
    figures,
    connected: () => true,
    async backlog(): Promise<Backlog> {
      counts += 1;
      return { pending: 10 * counts, retrying: 1, inFlight: 0, oldestAt: 70_000 };
    },
  });
  const [text] = await Promise.all([metrics.render(), metrics.render(), metrics.render()]);
  expect(text).toContain('platform_webhook_backlog{state="pending"} 10\n');
  expect(text).toContain('platform_webhook_oldest_seconds 30\n');
  await clock.advance(9_999);
  await metrics.render();
  expect(counts).toBe(1);
  await clock.advance(1);
  expect(await metrics.render()).toContain('platform_webhook_backlog{state="pending"} 20\n');
  expect(counts).toBe(2);
});

test('a failed count does not affect the other metrics', async () => {
  const metrics = createWorkerMetrics({
    clock: createVirtualClock(),
    figures,
    connected: () => false,
    backlog: () => Promise.reject(new Error('connect ECONNREFUSED')),
  });
  const text = await metrics.render();
  expect(text).toContain('platform_webhook_connected 0\n');
  expect(text).toContain('platform_webhook_poll_seconds 0.003\n');
  expect(text).not.toContain('platform_webhook_backlog');
  // Each has its type, which Prometheus needs before the first value.
  expect(text).toMatch(/^(# HELP \S+ .+\n# TYPE \S+ (gauge|counter)\n(platform_webhook_\S+ [\d.]+\n)+)+$/);
});

test.each([
  ['9464', { host: '127.0.0.1', port: 9464 }],
  [':9464', { host: '127.0.0.1', port: 9464 }],
  ['0.0.0.0:9464', { host: '0.0.0.0', port: 9464 }],
  ['metrics.internal:80', { host: 'metrics.internal', port: 80 }],
  ['[::1]:9464', { host: '::1', port: 9464 }],
])('the address %s', (text, address) => {
  expect(parseMetricsAddress(text)).toEqual(address);
});

test.each(['', 'host', 'host:', '1.2.3.4:70000', 'a b:80', '::1:9464', 'http://host:80'])(
  'refuses the address "%s"',
  (text) => {
    expect(() => parseMetricsAddress(text)).toThrow('It must be a host and a port');
  },
);

test('a request with more than 200 headers is rejected', async () => {
  const parts = { render: () => Promise.resolve('figures\n'), healthy: () => true };
  const server = await serveMetrics({ host: '127.0.0.1', port: 0 }, parts);
  onTestFinished(server.close);
  const ask = (count: number): Promise<Response> =>
    fetch(`${server.url}/metrics`, {
      headers: Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, ''])),
    });
  expect((await ask(150)).status).toBe(200);
  expect((await ask(201)).status).toBe(431);
});
