import { expect, onTestFinished, test } from 'vitest';
import { systemClock, type SystemClock } from '../../src/base/clock.js';
import { webhookFetch } from '../../src/emulator/webhook-fetch.js';
import { createWebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { startDeliveryLog, type Received } from '../support/delivery-log.js';
import { endpointOf, until } from './fleet.js';
import { openPostgres } from './postgres-under-test.js';

const skewMs = 30_000;
const count = 400;

const skewed = (ms: number): SystemClock => ({ ...systemClock, now: () => Date.now() + ms });

test('sends each delivery correctly with two workers whose clocks differ by 30 s', async () => {
  const seen = new Set<string>();
  const log = await startDeliveryLog((response, { eventId }) => {
    response.statusCode = seen.has(eventId) ? 200 : 500;
    seen.add(eventId);
    response.end('{}');
  });
  onTestFinished(() => log.close());
  const { store, again } = await openPostgres();
  for (let n = 0; n < 40; n += 1) await store.putEndpoint(endpointOf(`whe_${n}`, `${log.url}/whe_${n}`));
  for (const ms of [0, -skewMs]) {
    const clock = skewed(ms);
    const dispatcher = await createWebhookDispatcher({
      store: await again({ clock, name: `clock ${ms}` }),
      clock,
      random: () => 0.5,
      fetch: webhookFetch,
      version: 'test',
    });
    onTestFinished(() => dispatcher.close());
  }
  await until(10_000, 'both share the lanes', async () => {
    const { workers } = await store.status();
    return workers.length === 2 && workers.every(({ lanes }) => lanes === 128);
  });
  await store.insert(
    Array.from({ length: count }, (_, n) => {
      const eventId = `evt_${n}`;
      const body = new TextEncoder().encode(JSON.stringify({ eventId }));
      const endpointId = `whe_${n % 40}`;
      return { endpointId, installationId: 'ins_1', eventId, eventType: 'ping', body, createdAt: Date.now() };
    }),
  );
  await until(20_000, 'all delivered', async () => {
    const { pending, retrying } = await store.backlog();
    return pending + retrying === 0;
  });

  const byEvent = new Map<string, Received[]>();
  for (const one of log.received) byEvent.set(one.eventId, [...(byEvent.get(one.eventId) ?? []), one]);
  const gaps = [...byEvent.values()].map(([first, second]) => (second?.at ?? Infinity) - (first?.at ?? 0));
  console.log(
    `clocks 30 s apart: ${count - byEvent.size} of ${count} lost, ${log.received.length - 2 * count} sent too often, retries after ${Math.min(...gaps)} to ${Math.max(...gaps)} ms`,
  );
  expect(byEvent.size).toBe(count);
  expect(log.received).toHaveLength(2 * count);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
  // A worker whose clock is behind would wait for 30 s.
  expect(Math.max(...gaps)).toBeLessThan(30_000);
});
