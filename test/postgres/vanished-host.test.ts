import { expect, test } from 'vitest';
import { startDroppingProxy } from '../support/dropping-proxy.js';
import { createFleet, pause, until } from './fleet.js';
import { openPostgres } from './postgres-under-test.js';

const slow = { timeout: 120_000 };

function through(url: string, port: number): string {
  const way = new URL(url);
  way.port = String(port);
  return way.href;
}

test(
  'a producer fails within 10 s if the database server vanishes, and works again once the server is back',
  slow,
  async () => {
    const { url, again, store: direct } = await openPostgres();
    const proxy = await startDroppingProxy(Number(new URL(url).port));
    try {
      const store = await again({ url: through(url, proxy.port) });
      const insert = (n: number) =>
        store.insert([
          {
            endpointId: 'ep',
            installationId: 'i',
            eventId: `evt_${n}`,
            eventType: 't',
            body: Buffer.from('{}'),
            createdAt: 0,
          },
        ]);
      // Uses every connection in the pool once.
      await Promise.all([insert(0), store.backlog(), store.backlog(), store.list(), store.list()]);
      proxy.cut();
      const began = performance.now();
      const inserts = Array.from({ length: 100 }, async (_, n) => {
        await pause(n * 10);
        const asked = performance.now();
        const result = await insert(n + 1).then(
          () => 'inserted',
          (error: unknown) => (error as { code: string }).code,
        );
        return { result, took: performance.now() - asked };
      });
      const results = await Promise.all(inserts);
      const longest = Math.max(...results.map(({ took }) => took));
      console.log(
        `the server vanished: ${results.filter(({ result }) => result !== 'inserted').length} of 100 inserts rejected, after ${(longest / 1000).toFixed(1)} s at most`,
      );
      expect(new Set(results.map(({ result }) => result))).toEqual(new Set(['store/outcome-unknown']));
      expect(longest).toBeLessThan(10_000);
      await pause(Math.max(0, began + 15_000 - performance.now()));
      proxy.restore();
      const back = performance.now();
      await until(20_000, 'an insert', () =>
        insert(1000).then(
          () => true,
          () => false,
        ),
      );
      console.log(
        `the server is back: inserts again after ${((performance.now() - back) / 1000).toFixed(1)} s`,
      );
      expect(performance.now() - back).toBeLessThan(10_000);
      expect((await direct.backlog()).pending).toBe(2);
    } finally {
      proxy.close();
    }
  },
);

test(
  'a worker recovers soon after the database server does, and stops quickly while the server is unavailable',
  slow,
  async () => {
    const fleet = await createFleet(20);
    const { start, databaseUrl, queue, delivered } = fleet;
    const proxy = await startDroppingProxy(Number(new URL(databaseUrl).port));
    const use = (base: string): Promise<unknown> =>
      fetch(`${base}/metrics`).then((response) => response.text());
    try {
      const url = through(databaseUrl, proxy.port);
      const args = ['--metrics', '127.0.0.1:0'];
      const [staying, ending] = [start('staying', { url, args }), start('ending', { url, args })];
      const bases: string[] = [];
      for (const worker of [staying, ending]) bases.push(String((await worker.event('ready'))['metrics']));
      await Promise.all(bases.map(use));
      const probes = () =>
        Promise.all(['/livez', '/readyz'].map(async (path) => (await fetch(`${bases[0]}${path}`)).status));
      await delivered(await queue(100), 10_000);
      proxy.cut();
      await pause(3000);
      ending.child.kill('SIGTERM');
      const asked = performance.now();
      await ending.ended;
      const ended = performance.now() - asked;
      await staying.event('lost');
      await pause(10_000);
      expect(await probes()).toEqual([200, 503]);
      proxy.restore();
      const back = performance.now();
      await staying.event('recovered');
      await delivered(await queue(20), 10_000);
      const served = performance.now() - back;
      expect(await probes()).toEqual([200, 200]);
      console.log(
        `the server vanished: SIGTERM ends a worker after ${(ended / 1000).toFixed(1)} s; another sends again ${(served / 1000).toFixed(1)} s after the server is back`,
      );
      expect(ended).toBeLessThan(5000);
      expect(served).toBeLessThan(10_000);

      proxy.cut();
      await pause(12_000);
      staying.child.kill('SIGTERM');
      const again = performance.now();
      await staying.ended;
      expect(performance.now() - again).toBeLessThan(5000);
    } finally {
      proxy.close();
    }
  },
);
