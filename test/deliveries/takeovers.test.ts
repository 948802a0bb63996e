import { expect, test } from 'vitest';
import { quantile } from '../simulation/quantile.js';
import { amount } from '../support/proved.js';
import { createFleet, pause, until } from './fleet.js';

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
    await fleet.delivered([...queuedAt.keys()], 10_000);
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
