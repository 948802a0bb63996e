import { expect, test } from 'vitest';
import { quantile } from '../simulation/quantile.js';
import { createFleet, pause, type Fleet } from '../deliveries/fleet.js';

const slow = { timeout: 180_000 };

/** Requests per second of workers with 100 requests at a time, to 200 endpoints that take 200 ms. */
async function rateOf(names: readonly string[], seconds: number): Promise<number> {
  const { log, queue, startAll } = await createFleet(
    200,
    (response) => void setTimeout(() => response.end('{}'), 200),
  );
  await queue(names.length * 500 * (seconds + 3));
  await startAll(names, ['--concurrency', '100']);
  await pause(1000);
  const before = log.received.length;
  const began = performance.now();
  await pause(seconds * 1000);
  return ((log.received.length - before) * 1000) / (performance.now() - began);
}

test(
  'sends deliveries faster with four workers than with one if the receiver takes 200 ms to respond',
  slow,
  async () => {
    const one = await rateOf(['a'], 5);
    const four = await rateOf(['a', 'b', 'c', 'd'], 5);
    console.log(
      `4 workers against 1: ${Math.round(four)} and ${Math.round(one)} requests per second, ${(four / one).toFixed(1)}x`,
    );
    // The target is 3, and two idle cores reached 3.3. Less means that the cores were busy.
    expect(four / one).toBeGreaterThan(2.5);
  },
);

interface Waits {
  p50: number;
  p99: number;
}

/** How long these endpoints' events wait from insertion to request, with one per second each. */
async function waitsOf({ log, queue }: Fleet, endpoints: readonly string[], seconds: number): Promise<Waits> {
  const queuedAt = new Map<string, number>();
  const perTick = Math.round(endpoints.length / 50);
  const began = performance.now();
  for (let tick = 0; tick < 50 * seconds; tick += 1) {
    const at = Date.now();
    const from = (tick * perTick) % endpoints.length;
    const ids = await queue(perTick, { endpoints: endpoints.slice(from, from + perTick) });
    for (const id of ids) queuedAt.set(id, at);
    await pause(began + (tick + 1) * 20 - performance.now());
  }
  await pause(3000);
  const sentAt = new Map(log.received.map(({ eventId, at }) => [eventId, at]));
  const waits = [...queuedAt].map(([id, at]) => (sentAt.get(id) ?? Infinity) - at);
  return { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99) };
}

test('does not delay 999 endpoints if another one has 1,000,000 pending deliveries', slow, async () => {
  const fleet = await createFleet(1000, (response) => void setTimeout(() => response.end('{}'), 20));
  const { endpoints, queue, startAll } = fleet;
  const [hot, ...others] = endpoints as [string, ...string[]];
  await startAll(['a', 'b']);
  const without = await waitsOf(fleet, others, 6);
  await queue(1_000_000, { endpoints: [hot] });
  const beside = await waitsOf(fleet, others, 6);
  console.log(
    `hot endpoint: the others wait ${beside.p50} / ${beside.p99} ms (p50 / p99) beside 1,000,000 pending, ${without.p50} / ${without.p99} ms without`,
  );
  expect(beside.p99).toBeLessThan(250);
  expect(beside.p99).toBeLessThan(2 * without.p99);
});

test('does not delay 900 endpoints while 100 others hang', slow, async () => {
  const hanging = new Set<string>();
  const fleet = await createFleet(1000, (response, { endpoint }) => {
    if (!hanging.has(endpoint)) setTimeout(() => response.end('{}'), 20);
  });
  const { endpoints, startAll } = fleet;
  const others = endpoints.slice(100);
  await startAll(['a', 'b']);
  const without = await waitsOf(fleet, others, 6);
  for (const id of endpoints.slice(0, 100)) hanging.add(id);
  const stop = produceFor(fleet, endpoints.slice(0, 100));
  await pause(2000);
  const beside = await waitsOf(fleet, others, 10);
  stop();
  console.log(
    `100 of 1,000 endpoints hang: the others wait ${beside.p50} / ${beside.p99} ms (p50 / p99), ${without.p50} / ${without.p99} ms without`,
  );
  expect(beside.p99).toBeLessThan(2 * without.p99);
});

/** Queues one event per second for each of these endpoints. */
function produceFor({ queue }: Fleet, endpoints: readonly string[]): () => void {
  const timer = setInterval(() => void queue(endpoints.length, { endpoints }), 1000);
  return () => clearInterval(timer);
}
