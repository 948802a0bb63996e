import { expect, it } from 'vitest';
import { shareOf } from '../../src/deliveries/worker/lanes.js';
import { siteEndpoint, siteView } from '../webhooks/dispatcher-under-test.js';
import { endpoint, eventTo } from '../store/owned-store.js';
import { openPostgres, polled } from './postgres-under-test.js';
import { startWorker, type WorkerUnderTest } from './worker-under-test.js';

it.each([1, 2, 3, 7, 100, 256, 300])('divides all endpoint groups among %i workers', (count) => {
  const pids = Array.from({ length: count }, (_, n) => 1000 - n);
  const shares = pids.map((pid) => shareOf(pid, pids));
  expect(shares.reduce((sum, share) => sum + share, 0)).toBe(256);
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
  expect(shareOf(1, [2, 3])).toBe(0);
});

/**
 * Hundreds of deliveries wait for the database one after the other, which on a busy machine takes longer than a
 * poll usually may: 100 of them took 7 s beside eight processes that keep both cores busy. How fast they are is
 * measured elsewhere.
 */
const patient = { timeout: 50_000 };
const slow = { timeout: 120_000 };

async function enqueue({ dispatcher }: WorkerUnderTest, from: number, to: number): Promise<string[]> {
  const events = Array.from({ length: to - from }, (_, n) => `evt_${from + n}`);
  await Promise.all(events.map((id, n) => dispatcher.enqueue(siteView(id, `site_${n % 20}`))));
  return events;
}

it('redistributes endpoints as workers start and stop, and sends each delivery once', slow, async () => {
  const { store, again } = await openPostgres();
  const first = await startWorker(store);
  for (let n = 0; n < 20; n += 1) {
    await first.dispatcher.endpoints.add(siteEndpoint({ target: { type: 'site', id: `site_${n}` } }));
  }
  const events = await enqueue(first, 0, 200);
  await expect.poll(() => store.worker().lanes, patient).toBe(256);
  // A worker keeps the lanes with requests in flight, which might be those of all endpoints.
  await expect
    .poll(() => store.backlog(), patient)
    .toEqual({ pending: 0, retrying: 0, held: 0, inFlight: 0 });

  const other = await again({ name: 'other' });
  const second = await startWorker(other);
  await expect.poll(() => [store.worker().lanes, other.worker().lanes], patient).toEqual([128, 128]);
  events.push(...(await enqueue(first, 200, 600)));
  const all = (): string[] => [...first.sent, ...second.sent].toSorted();
  await expect.poll(() => all().length, patient).toBe(600);
  expect(second.sent.length).toBeGreaterThan(50);
  const { workers, freeLanes } = await store.status();
  expect(workers.map(({ name, lanes }) => [name, lanes])).toEqual([
    ['other', 128],
    ['worker', 128],
  ]);
  expect(freeLanes).toBe(0);

  await second.dispatcher.close();
  await expect.poll(() => store.worker().lanes, patient).toBe(256);
  events.push(...(await enqueue(first, 600, 700)));
  await expect.poll(() => all().length, patient).toBe(700);
  await polled(store);
  expect(all()).toEqual(events.toSorted());
  await expect
    .poll(() => store.backlog(), patient)
    .toEqual({ pending: 0, retrying: 0, held: 0, inFlight: 0 });
  expect([...first.changes, ...second.changes].filter(({ type }) => type === 'trouble')).toEqual([]);
});

it('reports each outcome once when a new worker takes over requests in flight', slow, async () => {
  const { store, again } = await openPostgres();
  const ids = Array.from({ length: 600 }, (_, n) => `ep_${n}`);
  for (const id of ids) await store.putEndpoint({ ...endpoint, id });
  let respond = (): void => {};
  const responded = new Promise<void>((resolve) => (respond = resolve));
  const first = await startWorker(store, {
    concurrency: 1000,
    async fetch() {
      await responded;
      return new Response('ok');
    },
  });
  await store.insert(ids.map((id) => eventTo(id, `evt_${id}`)));
  await expect.poll(() => first.sent.length, patient).toBe(600);
  const other = await again({ name: 'second' });
  const second = await startWorker(other);
  await expect.poll(async () => (await store.status()).workers.map(({ lanes }) => lanes)).toEqual([128, 128]);
  await polled(other);
  expect(second.sent).toEqual([]);
  const reported = (): string[] =>
    [first, second].flatMap(({ changes }) =>
      changes.flatMap((change) => (change.type === 'attempt' ? [change.delivery.eventId] : [])),
    );
  respond();
  await Promise.all([first.dispatcher.close(), second.dispatcher.close()]);
  expect(reported().toSorted()).toEqual(ids.map((id) => `evt_${id}`).toSorted());
  expect(await store.list({ state: 'delivered', limit: 1000 })).toHaveLength(600);
});
