import { expect, test } from 'vitest';
import { createFleet, pause } from './fleet.js';

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
