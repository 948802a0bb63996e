import { expect, test } from 'vitest';
import { startDroppingProxy } from '../support/dropping-proxy.js';
import { startPostgres } from '../support/postgres-server.js';
import type { Received } from '../support/delivery-log.js';
import { amount } from '../support/proved.js';
import { createFleet, pause, until, type Fleet } from './fleet.js';

const slow = { timeout: 180_000 };

/** Queues events continuously and resolves to the ids when stopped. */
function produce({ queue }: Fleet, perSecond: number): () => Promise<string[]> {
  const ids: string[] = [];
  const stopping = new AbortController();
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      // While the database is down, no events are acknowledged, so none must be delivered.
      ids.push(...(await queue(perSecond / 10).catch(() => [])));
      await pause(100);
    }
  })();
  return async () => {
    stopping.abort();
    await loop;
    return ids;
  };
}

const figures = ({ log }: Fleet, ids: readonly string[]): string =>
  `${ids.filter((id) => !log.events.has(id)).length} of ${ids.length} lost, ${log.repeated()} sent twice, at most ${log.mostOpen()} requests at a time`;

/** The milliseconds until each endpoint was served after a fault, and the slowest. */
async function servedAgain({ log, endpoints }: Fleet, from: number, longestMs: number): Promise<number> {
  const first = new Map<string, number>();
  let next = 0;
  await until(longestMs, 'every endpoint served again', async () => {
    for (; next < log.received.length; next += 1) {
      const { endpoint, at } = log.received[next] as Received;
      if (at >= from && !first.has(endpoint)) first.set(endpoint, at);
    }
    return first.size === endpoints.length;
  });
  return Math.max(...first.values()) - from;
}

test.each([
  { what: 'sending', bytes: 20 },
  { what: 'receiving a large database response', bytes: 200_000 },
])('keeps sending deliveries if a worker is suspended while $what', slow, async ({ what, bytes }) => {
  const fleet = await createFleet(60, (response) => void setTimeout(() => response.end('{}'), 20));
  const { log, startAll, workers, queue, delivered } = fleet;
  await startAll(['a', 'b', 'c']);
  const backlog: string[] = [];
  // In parts, each written within the time limit of a statement on a slow machine too.
  const parts = bytes > 1000 ? 20 : 0;
  for (let part = 0; part < parts; part += 1) backlog.push(...(await queue(30, { bytes })));
  const stop = produce(fleet, 200);
  await pause(bytes > 1000 ? 300 : 2000);

  const [frozen] = workers;
  frozen?.child.kill('SIGSTOP');
  const at = Date.now();
  const served = await servedAgain(fleet, at + 500, 60_000);
  // Others have its lanes by now.
  await pause(amount(1000, 15_000));
  const before = log.repeated();
  frozen?.child.kill('SIGCONT');
  await pause(3000);
  const afterWaking = log.repeated() - before;
  const ids = [...backlog, ...(await stop())];
  await delivered(ids, 60_000);
  console.log(
    `SIGSTOP while ${what}: ${figures(fleet, ids)}, ${afterWaking} after waking, all endpoints served again after ${((served + 500) / 1000).toFixed(1)} s`,
  );
  // Requests that were open or connecting when it froze.
  expect(log.repeated()).toBeLessThanOrEqual(4 * 60);
  expect(frozen?.child.exitCode).toBeNull();
  await frozen?.event('recovered');
});

test('loses no deliveries if Postgres restarts after a simulated power failure', slow, async () => {
  const server = await startPostgres();
  try {
    const fleet = await createFleet(60, undefined, server.url);
    const { log, startAll, workers, delivered } = fleet;
    await startAll(['a', 'b', 'c']);
    const stop = produce(fleet, 200);
    await pause(1500);
    await server.stop('immediate');
    await Promise.all(workers.map((worker) => worker.event('lost')));
    const requests = log.received.length;
    await pause(2000);
    const during = log.received.length - requests;
    await server.start();
    const at = Date.now();
    const served = await servedAgain(fleet, at, 60_000);
    await pause(1000);
    const ids = await stop();
    await delivered(ids, 60_000);
    const said = workers.map(({ events }) => events.filter(({ type }) => type === 'lost').length);
    console.log(
      `database restart: ${figures(fleet, ids)}, ${during} requests while it was gone, reported ${Math.max(...said)} time per worker, all endpoints served ${(served / 1000).toFixed(1)} s after it was back`,
    );
    expect(said).toEqual([1, 1, 1]);
    expect(log.repeated()).toBeLessThanOrEqual(4 * 60);
  } finally {
    await server.remove();
  }
});

test.each([
  { what: 'one worker', cutOff: 1 },
  { what: 'all workers', cutOff: 3 },
])('keeps sending deliveries after a network outage for $what', slow, async ({ what, cutOff }) => {
  const fleet = await createFleet(60, (response) => void setTimeout(() => response.end('{}'), 20));
  const { log, start, store, delivered } = fleet;
  const direct = new URL(fleet.databaseUrl);
  const proxies = await Promise.all([1, 2, 3].map(() => startDroppingProxy(Number(direct.port))));
  try {
    const workers = proxies.map(({ port }, n) => {
      const way = new URL(direct);
      way.port = String(port);
      return start(`worker-${n}`, { url: way.href });
    });
    await Promise.all(workers.map((worker) => worker.event('ready')));
    await until(20_000, 'lanes shared', async () => {
      const { freeLanes, workers } = await store.status();
      return freeLanes === 0 && workers.every(({ lanes }) => lanes < 90);
    });
    const stop = produce(fleet, 200);
    await pause(1500);
    for (const proxy of proxies.slice(0, cutOff)) proxy.cut();
    const cutAt = Date.now();
    await pause(15_000);
    for (const proxy of proxies) proxy.restore();
    const restoredAt = Date.now();
    const from = cutOff === 1 ? cutAt + 500 : restoredAt;
    const served = await servedAgain(fleet, from, 60_000);
    await Promise.all(workers.slice(0, cutOff).map((worker) => worker.event('recovered')));
    const ids = await stop();
    await delivered(ids, 60_000);
    console.log(
      `network of ${what} cut for 15 s: ${figures(fleet, ids)}, all endpoints served ${((served + (cutOff === 1 ? 500 : 0)) / 1000).toFixed(1)} s after ${cutOff === 1 ? 'the cut' : 'it was back'}`,
    );
    expect(log.repeated()).toBeLessThanOrEqual(4 * 60);
  } finally {
    for (const proxy of proxies) proxy.close();
  }
});
