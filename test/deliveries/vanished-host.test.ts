import { expect, test } from 'vitest';
import { startDroppingProxy } from '../support/dropping-proxy.js';
import { createFleet, pause, until } from './fleet.js';
import { openPostgres } from './postgres-under-test.js';
import { eventTo } from '../store/owned-store.js';

const slow = { timeout: 120_000 };

function through(url: string, port: number): string {
  const way = new URL(url);
  way.port = String(port);
  return way.href;
}

test(
  'a producer fails if the database server vanishes, and works again once the server is back',
  slow,
  async () => {
    const { url, again, store: direct } = await openPostgres();
    const proxy = await startDroppingProxy(Number(new URL(url).port));
    try {
      const store = await again({ url: through(url, proxy.port) });
      const insert = (n: number) => store.insert([eventTo('ep', `evt_${n}`)]);
      // Uses every connection in the pool once.
      await Promise.all([insert(0), store.backlog(), store.backlog(), store.list(), store.list()]);
      proxy.cut();
      const inserts = Array.from({ length: 100 }, async (_, n) => {
        await pause(n * 10);
        return insert(n + 1).then(
          () => 'inserted',
          (error: unknown) => (error as { code: string }).code,
        );
      });
      expect(new Set(await Promise.all(inserts))).toEqual(new Set(['store/outcome-unknown']));
      proxy.restore();
      await until(20_000, 'an insert', () =>
        insert(1000).then(
          () => true,
          () => false,
        ),
      );
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
      await delivered(await queue(100), 60_000);
      proxy.cut();
      await pause(3000);
      ending.child.kill('SIGTERM');
      await ending.ended;
      await staying.event('lost');
      await pause(3000);
      expect(await probes()).toEqual([200, 503]);
      proxy.restore();
      await staying.event('recovered');
      await delivered(await queue(20), 60_000);
      expect(await probes()).toEqual([200, 200]);

      proxy.cut();
      await pause(12_000);
      staying.child.kill('SIGTERM');
      await staying.ended;
    } finally {
      proxy.close();
    }
  },
);
