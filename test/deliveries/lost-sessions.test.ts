import { expect, it, onTestFinished, inject } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import type { PostgresDeliveryStore } from '../../src/deliveries/index.js';
import { keepDelivering } from '../../src/webhooks/keep-delivering.js';
import type { DeliveryStore } from '../../src/webhooks/model/delivery-store.js';
import { startPostgres } from '../support/postgres-server.js';
import { endpoint, eventTo, fresh } from '../store/owned-store.js';
import { openPostgres, type OpenPostgres, polled } from './postgres-under-test.js';
import { startWorker } from './worker-under-test.js';
import { runWebhooks } from '../support/run-platform.js';
import { endpointOf } from './fleet.js';

const endpoints = Array.from({ length: 20 }, (_, n) => `ep_${n}`);

async function addEndpoints(store: DeliveryStore): Promise<void> {
  for (const id of endpoints) await store.putEndpoint({ ...endpoint, id });
}

async function enqueue(store: DeliveryStore, count: number): Promise<string[]> {
  const events = Array.from({ length: count }, (_, n) => `evt_${n}`);
  await store.insert(events.map((eventId, n) => eventTo(endpoints[n % endpoints.length] ?? '', eventId)));
  return events;
}

/** Event ids by the number of times they were sent. */
function count(sent: string[]): { distinct: number; twice: number } {
  const distinct = new Set(sent).size;
  return { distinct, twice: sent.length - distinct };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A worker that reconnects after it has lost its session. */
async function keep(store: PostgresDeliveryStore, sent: string[], own: Partial<DeliveryStore> = {}) {
  const changes: string[] = [];
  let open = 0;
  let atLoss = 0;
  const kept = await keepDelivering({
    store: { ...store, ...own },
    clock: systemClock,
    random: Math.random,
    version: '1',
    fetch: async (_, { body }) => {
      sent.push((JSON.parse(Buffer.from(body ?? []).toString()) as { eventId: string }).eventId);
      open += 1;
      await pause(5);
      return new Response('ok');
    },
    onChange({ type }) {
      if (type === 'attempt') return void (open -= 1);
      changes.push(type);
      if (type !== 'lost') return;
      atLoss += open;
      open = 0;
    },
  });
  onTestFinished(() => kept.close({ patienceMs: 0 }));
  return { changes, atLoss: () => atLoss };
}

it("serves a worker's endpoints again after its session is lost, without losing deliveries", async () => {
  const { store, again, sql } = await openPostgres();
  await addEndpoints(store);
  const sent: string[] = [];
  const stores = [store, await again({ name: 'b' }), await again({ name: 'c' })];
  const workers = await Promise.all(stores.map((one) => keep(one, sent)));
  await expect.poll(() => stores.reduce((sum, one) => sum + one.worker().lanes, 0)).toBe(256);
  const events = await enqueue(store, 4000);
  const kills = 6;
  for (let n = 0; n < kills; n += 1) {
    await pause(100);
    const { workers: alive } = await store.status();
    await sql('select pg_terminate_backend($1)', [alive[n % alive.length]?.pid]);
    await expect.poll(async () => (await store.status()).freeLanes, { interval: 20 }).toBe(0);
  }
  await expect.poll(() => store.backlog()).toEqual({ pending: 0, retrying: 0, held: 0, inFlight: 0 });
  const { distinct, twice } = count(sent);
  const allowed = workers.reduce((sum, worker) => sum + worker.atLoss(), 0);
  console.log(
    `${kills} sessions ended: ${events.length - distinct} lost, ${twice} sent twice (in flight or unwritten: ${allowed})`,
  );
  expect(distinct).toBe(events.length);
  expect(twice).toBeLessThanOrEqual(allowed);
});

it('continues after a database restart, and reports the restart only once', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const { store, again } = await openPostgres({}, server.url);
  await addEndpoints(store);
  const sent: string[] = [];
  const other = await again({ name: 'other' });
  const workers = [await keep(store, sent), await keep(other, sent)];
  const events = await enqueue(store, 3000);
  await expect.poll(() => sent.length).toBeGreaterThan(300);
  await server.stop('immediate');
  await pause(3000);
  const sentWhileGone = sent.length;
  await pause(500);
  expect(sent.length).toBe(sentWhileGone);
  await server.start();
  await expect.poll(() => sent.length, { interval: 20 }).toBeGreaterThan(sentWhileGone);
  await expect
    .poll(() => store.backlog().catch(() => undefined), { timeout: 40_000 })
    .toEqual({ pending: 0, retrying: 0, held: 0, inFlight: 0 });
  const { distinct, twice } = count(sent);
  const allowed = workers.reduce((sum, worker) => sum + worker.atLoss(), 0);
  console.log(
    `database stopped at once for 3.5 s: ${events.length - distinct} lost, ${twice} sent twice (in flight or unwritten: ${allowed})`,
  );
  expect(distinct).toBe(events.length);
  expect(twice).toBeLessThanOrEqual(allowed);
  for (const { changes } of workers) {
    expect(changes.filter((type) => type === 'lost')).toHaveLength(1);
    expect(changes.filter((type) => type === 'recovered')).toHaveLength(1);
  }
});

/** A store whose worker and session die during the preparation of one event. */
function deadly(
  { sql, again }: OpenPostgres,
  store: PostgresDeliveryStore,
  name: string,
  poison: string,
  died: () => void,
): Partial<DeliveryStore> {
  return {
    async own(owner) {
      // Each iteration uses another process.
      const life = await again({ name });
      const right = await life.own(owner);
      return {
        ...right,
        async markSent(id) {
          const delivery = await store.get(id);
          if (delivery?.eventId === poison) {
            died();
            await sql(
              // Only the worker's session holds locks, although the store's other connections have the same name.
              `select pg_terminate_backend(pid) from pg_stat_activity
               where application_name = $1 and pid in (select pid from pg_locks where locktype = 'advisory')`,
              [name],
            );
            await expect.poll(() => right.lost.aborted).toBe(true);
          }
          return right.markSent(id);
        },
      };
    },
  };
}

it('sets aside a delivery that has crashed five workers, and sends all others', async () => {
  const postgres = await openPostgres();
  const { store, again } = postgres;
  await addEndpoints(store);
  const sent: string[] = [];
  let deaths = 0;
  const died = (): void => void (deaths += 1);
  for (const name of ['a', 'b', 'c']) {
    const own = await again({ name });
    await keep(own, sent, deadly(postgres, own, name, 'evt_777', died));
  }
  const events = await enqueue(store, 2000);
  await expect
    .poll(() => store.backlog(), { timeout: 40_000 })
    .toEqual({ pending: 0, retrying: 0, held: 0, inFlight: 0 });
  const poisoned = await store.list({ state: 'poisoned' });
  const { distinct, twice } = count(sent);
  console.log(
    `a delivery that ends its worker among ${events.length}: ${deaths} deaths, ${distinct} others sent, ${twice} twice, ${poisoned.length} set aside`,
  );
  expect(poisoned.map(({ eventId, crashes }) => [eventId, crashes])).toEqual([['evt_777', 4]]);
  expect(deaths).toBe(5);
  expect(distinct).toBe(events.length - 1);
});

it('stops sending while the database rejects writes, and waits without using the CPU', async () => {
  const { store, sql } = await openPostgres();
  const { dispatcher, sent, changes } = await startWorker(store);
  await store.putEndpoint({ ...endpoint, id: 'ep_0' });
  await expect.poll(() => store.worker().lanes).toBe(256);
  await sql(
    "create function fail() returns trigger language plpgsql as $$ begin raise 'no' using errcode = 'disk_full'; end $$",
  );
  await sql('create trigger fails before insert on done execute function fail()');
  await enqueue(store, 1);
  await expect.poll(() => sent.length).toBe(1);
  await expect.poll(() => changes.filter(({ type }) => type === 'trouble').length).toBe(1);
  await store.insert([eventTo('ep_0', 'later')]);
  await pause(1500);
  expect(sent).toEqual(['evt_0']);
  expect(changes.filter(({ type }) => type === 'trouble').length).toBeLessThanOrEqual(3);
  await sql('drop trigger fails on done');
  await expect.poll(() => sent).toEqual(['evt_0', 'later']);
  await dispatcher.idle();
});

const minutes = 60;

const perMinute = 5;

it("keeps all deliveries during a receiver's one-hour outage and resends them with one command", async () => {
  const { store, schema, sql } = await openPostgres();
  await store.putEndpoint(endpointOf('whe_1', 'http://receiver.test/'));
  let isDown = true;
  const received: string[] = [];
  await startWorker(store, {
    async fetch(_, { body }) {
      if (isDown) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      received.push((JSON.parse(Buffer.from(body ?? []).toString()) as { eventId: string }).eventId);
      return new Response('ok');
    },
  });

  const events: string[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    const batch = Array.from({ length: perMinute }, (_, n) => `evt_${minute}_${n}`);
    events.push(...batch);
    await store.insert(
      batch.map((eventId) =>
        fresh({
          endpointId: 'whe_1',
          installationId: 'ins_1',
          eventId,
          body: Buffer.from(JSON.stringify({ eventId })),
        }),
      ),
    );
    await polled(store);
    // Simulates a minute by making every timestamp in the database a minute older.
    await sql("update pending set due = due - interval '1 minute', created_at = created_at - 60000");
    await sql(
      "update done set finished_at = finished_at - interval '1 minute', created_at = created_at - 60000",
    );
  }
  await expect
    .poll(
      async () => {
        await sql("update pending set due = due - interval '1 minute'");
        return (await store.list({ state: 'exhausted', limit: 1000 })).length;
      },
      { timeout: 30_000 },
    )
    .toBe(events.length);
  const [span] = await sql('select (max(created_at) - min(created_at)) / 60000 as minutes from done');
  expect(span?.['minutes']).toBeGreaterThan(minutes - 2);

  isDown = false;
  const args = ['resend', '--endpoint', 'whe_1', '--since', '2h', '--schema', schema, '--json'];
  const { code, stdout } = await runWebhooks(args, { env: { PLATFORM_DATABASE_URL: inject('postgres') } });
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ resent: events.length, skipped: 0 }),
  ]);
  await expect.poll(() => received.length).toBe(events.length);
  expect(received.toSorted()).toEqual(events.toSorted());
  console.log(`a receiver down for an hour: ${received.length} of ${events.length} sent by one command`);
});
