import { expect, test } from 'vitest';
import { createFleet, pause, until } from './fleet.js';
import { quantile } from '../simulation/quantile.js';
import { amount } from '../support/proved.js';

// 200 kills in `npm run prove`.
const kills = process.env['PROVE'] === undefined ? 20 : 200;
const deliveries = kills * 50;
const processes = 3;

test(
  'keeps all deliveries unchanged if workers are killed again and again',
  { timeout: 600_000 },
  async () => {
    const { store, log, queue, start, workers, delivered } = await createFleet(200, (response) => {
      setTimeout(() => response.end('{}'), 5);
    });
    const ids = await queue(deliveries);
    let started = 0;
    const begin = () => start(`worker-${++started}`, { args: ['--concurrency', '16'] });
    const alive = Array.from({ length: processes }, begin);

    let killed = 0;
    let gaps: number[] = [];
    while (killed < kills) {
      const [victim] = alive;
      if (!victim) throw new Error('No worker is left.');
      await victim.event('ready');
      // Spread over all deliveries, so each worker sends some before it is killed.
      const enough = Math.floor(((killed + 1) * deliveries * 0.9) / kills);
      for (let waited = 0; log.events.size < enough && waited < 1000; waited += 10) await pause(10);
      const last = log.received.length;
      const at = Date.now();
      victim.child.kill('SIGKILL');
      killed += 1;
      alive.shift();
      alive.push(begin());
      for (let waited = 0; log.received.length <= last && waited < 5000; waited += 5) await pause(5);
      gaps.push(Date.now() - at);
    }
    await delivered(ids, 60_000);
    gaps = gaps.toSorted((a, b) => a - b);

    const bodies = new Map<string, Set<string>>();
    for (const { eventId, body } of log.received)
      bodies.set(eventId, (bodies.get(eventId) ?? new Set()).add(body));
    const otherBytes = [...bodies.values()].filter(({ size }) => size > 1).length;
    const missing = ids.filter((id) => !bodies.has(id)).length;
    const { workers: _, ...left } = await store.status();
    console.log(
      `SIGKILL: ${killed} kills of ${processes} workers, ${missing} of ${deliveries} missing, ${log.repeated()} sent twice, ${otherBytes} with other bytes, next request after at most ${gaps.at(-1)} ms, ${left.backlog.pending + left.backlog.retrying} left`,
    );
    expect(missing).toBe(0);
    expect(otherBytes).toBe(0);
    // Up to 16 concurrent requests, and outcomes that were not yet written.
    expect(log.repeated()).toBeLessThanOrEqual(kills * 32);
    expect(workers).toHaveLength(kills + processes);
  },
);

test(
  "hands over a worker's endpoints on SIGTERM, and sends no delivery twice",
  { timeout: 180_000 },
  async () => {
    const fleet = await createFleet(80, (response, { endpoint }) => {
      if (Number(endpoint.slice(4)) % 2 === 0) response.end('{}');
      else setTimeout(() => response.end('{}'), 6000);
    });
    const { log, queue, startAll, workers, endpoints } = fleet;
    const healthy = endpoints.filter((_, n) => n % 2 === 0);
    await startAll(['a', 'b']);
    const hanging = await queue(40, { endpoints: endpoints.filter((_, n) => n % 2 === 1) });
    await until(10_000, 'a request to each endpoint that hangs', async () => log.received.length >= 40);

    const queuedAt = new Map<string, number>();
    const [leaving] = workers;
    for (let tick = 0; tick < 150; tick += 1) {
      if (tick === 50) leaving?.child.kill('SIGTERM');
      const at = Date.now();
      for (const id of await queue(8, { endpoints: healthy })) queuedAt.set(id, at);
      await pause(20);
    }
    await fleet.delivered([...queuedAt.keys()], 60_000);
    const sentAt = new Map(log.received.map(({ eventId, at }) => [eventId, at]));
    const waits = [...queuedAt].map(([id, at]) => (sentAt.get(id) ?? Infinity) - at);
    expect(await leaving?.ended).toBe(143);
    await until(15_000, 'everything written', async () => (await fleet.store.backlog()).pending === 0);
    console.log(
      `SIGTERM beside 40 endpoints that hang: the others wait ${quantile(waits, 0.5)} ms, at most ${Math.max(...waits)} ms; ${log.repeated()} of ${hanging.length + waits.length} sent twice`,
    );
    expect(Math.max(...waits)).toBeLessThan(amount(Infinity, 500));
    expect(log.repeated()).toBe(0);
  },
);
