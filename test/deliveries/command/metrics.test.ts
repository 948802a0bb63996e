import { expect, onTestFinished, test } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { createWorkerMetrics } from '../../../src/deliveries/command/metrics.js';
import { serveMetrics } from '../../../src/deliveries/command/metrics-server.js';
import { readinessOf } from '../../../src/deliveries/command/metrics-server.js';
import { parseMetricsAddress } from '../../../src/deliveries/command/parse-values.js';
import type { Backlog } from '../../../src/webhooks/model/delivery-store.js';

const figures = () => ({
  lanes: 128,
  held: 7,
  unwritten: 2,
  polls: 40,
  pollMs: 3,
  sinceReadMs: 0,
  stalledMs: 0,
  failedBatches: 4,
  oldestDueMs: 1500,
  sendDelays: { boundsMs: [50, 1000], counts: [3, 0, 1], sumMs: 2250 },
});
const oldestTransactionMs = async (): Promise<number | undefined> => 60_000;

test('counts the backlog at most once every ten seconds, regardless of how often metrics are requested', async () => {
  const clock = createVirtualClock(100_000);
  let counts = 0;
  const metrics = createWorkerMetrics({
    clock,
    figures,
    connected: () => true,
    oldestTransactionMs,
    async backlog(): Promise<Backlog> {
      counts += 1;
      return { pending: 10 * counts, retrying: 1, held: 2, inFlight: 0, oldestAt: 70_000 };
    },
  });
  const [text] = await Promise.all([metrics.render(), metrics.render(), metrics.render()]);
  expect(text).toContain('platform_webhook_backlog{state="pending"} 10\n');
  expect(text).toContain('platform_webhook_backlog{state="held"} 2\n');
  expect(text).toContain('platform_webhook_oldest_seconds 30\n');
  await clock.advance(9_999);
  await metrics.render();
  expect(counts).toBe(1);
  await clock.advance(1);
  expect(await metrics.render()).toContain('platform_webhook_backlog{state="pending"} 20\n');
  expect(counts).toBe(2);
});

test('reports all other metrics if counting the backlog fails', async () => {
  const metrics = createWorkerMetrics({
    clock: createVirtualClock(),
    figures,
    connected: () => false,
    oldestTransactionMs: () => Promise.resolve(undefined),
    backlog: () => Promise.reject(new Error('connect ECONNREFUSED')),
  });
  const text = await metrics.render();
  expect(text).toContain('platform_webhook_connected 0\n');
  expect(text).toContain('platform_webhook_poll_seconds 0.003\n');
  expect(text).not.toContain('platform_webhook_backlog');
  // This database user does not have permission to see it.
  expect(text).not.toContain('oldest_transaction');
  // Prometheus needs each type before the first value.
  expect(text).toMatch(
    /^(# HELP \S+ .+\n# TYPE \S+ (gauge|counter|histogram)\n(platform_webhook_\S+ [\d.]+\n)+)+$/,
  );
});

test.each([
  ['9464', { host: '127.0.0.1', port: 9464 }],
  [':9464', { host: '127.0.0.1', port: 9464 }],
  ['0.0.0.0:9464', { host: '0.0.0.0', port: 9464 }],
  ['metrics.internal:80', { host: 'metrics.internal', port: 80 }],
  ['[::1]:9464', { host: '::1', port: 9464 }],
])('accepts %s as the metrics address', (text, address) => {
  expect(parseMetricsAddress(text)).toEqual(address);
});

test.each(['', 'host', 'host:', '1.2.3.4:70000', 'a b:80', '::1:9464', 'http://host:80'])(
  'rejects "%s" as the metrics address',
  (text) => {
    expect(() => parseMetricsAddress(text)).toThrow('It must be a host and a port');
  },
);

test('rejects a request for the metrics with more than 200 headers', async () => {
  const parts = {
    render: () => Promise.resolve('figures\n'),
    healthy: () => true,
    readiness: () => ({ ready: true as const }),
  };
  const server = await serveMetrics({ host: '127.0.0.1', port: 0 }, parts);
  onTestFinished(server.close);
  const ask = (count: number): Promise<Response> =>
    fetch(`${server.url}/metrics`, {
      headers: Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, ''])),
    });
  expect((await ask(150)).status).toBe(200);
  expect((await ask(201)).status).toBe(431);
});

test('reports delays as a histogram, and the ages of the oldest delivery and the oldest transaction', async () => {
  const metrics = createWorkerMetrics({
    clock: createVirtualClock(),
    figures,
    connected: () => true,
    oldestTransactionMs,
    backlog: async () => ({ pending: 0, retrying: 0, held: 0, inFlight: 0 }),
  });
  const text = await metrics.render();
  expect(text).toContain(
    [
      '# TYPE platform_webhook_send_delay_seconds histogram',
      'platform_webhook_send_delay_seconds_bucket{le="0.05"} 3',
      'platform_webhook_send_delay_seconds_bucket{le="1"} 3',
      'platform_webhook_send_delay_seconds_bucket{le="+Inf"} 4',
      'platform_webhook_send_delay_seconds_sum 2.25',
      'platform_webhook_send_delay_seconds_count 4\n',
    ].join('\n'),
  );
  expect(text).toContain('\nplatform_webhook_oldest_due_seconds 1.5\n');
  expect(text).toContain('\nplatform_webhook_oldest_transaction_seconds 60\n');
  expect(text).toContain('\nplatform_webhook_failed_batches_total 4\n');
});

const good = { connected: true, sinceReadMs: 100, stalledMs: 100 };

test.each([
  ['no-session', { ...good, connected: false }, 'The worker is not connected to the database.'],
  [
    'not-reading',
    { ...good, sinceReadMs: 15_001 },
    'The worker has not been able to read due deliveries for 15 s.',
  ],
  ['not-sending', { ...good, stalledMs: 60_000 }, 'Deliveries are due, but no request has started for 60 s.'],
])('reports %s as the reason why a worker is not ready', async (reason, state, message) => {
  expect(readinessOf(good)).toEqual({ ready: true });
  const readiness = () => readinessOf(state);
  const parts = { render: () => Promise.reject(new Error('no database')), healthy: () => true, readiness };
  const server = await serveMetrics({ host: '127.0.0.1', port: 0 }, parts);
  onTestFinished(server.close);
  const response = await fetch(`${server.url}/readyz`);
  expect([response.status, await response.json()]).toEqual([503, { ready: false, reason, message }]);
  // Restarting the process would not help.
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  expect((await fetch(`${server.url}/metrics`)).status).toBe(500);
});
