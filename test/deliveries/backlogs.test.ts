import { expect, it, onTestFinished, test } from 'vitest';
import { laneOf } from '../../src/deliveries/model/tables.js';
import { answer, attempt, endpoint, silentOwner, fresh, eventTo } from '../store/owned-store.js';
import { amount } from '../support/proved.js';
import { openPostgres, polled, type OpenPostgres } from './postgres-under-test.js';
import { systemClock } from '../../src/base/clock.js';
import { createWebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { endpointOf, until } from './fleet.js';

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

async function fill({ sql }: OpenPostgres, ids: string[], each: number, retrying: boolean): Promise<void> {
  const [revision] = await sql('update revisions set last = last + 1 returning last');
  await sql(
    `insert into endpoints (id, value, revision)
     select id, json_build_object('id', id, 'installationId', 'inst', 'enabled', true, 'events', '[]'::json,
       'url', 'http://127.0.0.1/', 'secret', 's'), $2 from unnest($1::text[]) id on conflict do nothing`,
    [ids, revision?.['last']],
  );
  await sql(
    `insert into pending (lane, endpoint, installation, event_id, event_type, created_at, body, attempt, due)
     select lane, endpoint, 'inst', 'evt', 'site_view', 0, '{}', ${retrying ? 1 : 0},
       ${retrying ? "now() + interval '1 hour'" : 'now()'}
     from unnest($1::smallint[], $2::text[]) e(lane, endpoint), generate_series(1, $3)`,
    [ids.map(laneOf), ids, each],
  );
}

/** Milliseconds of ten polls, in ascending order. Other processes can only slow a poll down. */
async function pollTimes({ store }: OpenPostgres): Promise<[fastest: number, slowest: number]> {
  const times: number[] = [];
  while (times.length < 10) {
    await polled(store);
    times.push(store.worker().pollMs);
  }
  return [Math.min(...times), Math.max(...times)];
}

const idleMs = amount(Infinity, 150);
const waiting = amount(20_000, 100_000);
const queued = amount(100_000, 1_000_000);

const endpointIds = (count: number): string[] => Array.from({ length: count }, (_, n) => `ep_${n}`);

it('reads no deliveries of endpoints that wait for a retry', async () => {
  const postgres = await openPostgres();
  const { store, schema, sql } = postgres;
  // The statements are planned while the table is empty.
  const right = await store.own(silentOwner);
  await expect.poll(() => store.worker().lanes).toBe(256);
  const read = async (): Promise<number> => {
    const [row] = await sql(
      `select seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid) as count
       from pg_stat_user_tables t where schemaname = $1 and relname = 'pending'`,
      [schema],
    );
    return Number(row?.['count']);
  };
  const readPerPoll = async (): Promise<number> => {
    const [before, polls] = [await read(), store.worker().polls];
    // The server counts with a delay.
    await until(60_000, '60 polls', async () => store.worker().polls > polls + 60);
    return ((await read()) - before) / 60;
  };
  await fill(postgres, endpointIds(waiting), 1, true);
  const counts = [await readPerPoll()];
  await sql('analyze pending');
  counts.push(await readPerPoll());
  const [fastest, slowest] = await pollTimes(postgres);
  console.log(
    `${waiting} endpoints wait for a retry: polls of ${fastest.toFixed(1)} to ${slowest.toFixed(1)} ms, ${counts.join(' and ')} rows read per poll`,
  );
  expect(slowest).toBeLessThan(idleMs);
  expect(Math.max(...counts)).toBeLessThan(100);
  await right.release();
});

it('polls other endpoints quickly while one endpoint has very many deliveries', async () => {
  const postgres = await openPostgres();
  const { store, sql } = postgres;
  const began = performance.now();
  await fill(postgres, ['hot'], queued, false);
  // The planner now assumes that every delivery belongs to this endpoint.
  await sql('analyze pending');
  console.log(`${queued} deliveries queued in ${seconds(performance.now() - began)}`);
  const due = new Map<string, number>();
  const right = await store.own({ ...silentOwner, onDue: (id) => void due.set(id, performance.now()) });
  await expect.poll(() => due.has('hot')).toBe(true);
  const [, slowest] = await pollTimes(postgres);
  await store.putEndpoint(endpoint);
  const inserted = performance.now();
  await store.insert([fresh()]);
  await expect.poll(() => due.has('ep'), { interval: 5 }).toBe(true);
  const [claimed] = await right.claim([{ endpointId: 'hot', limit: 4, suspects: false }]);
  expect(claimed?.deliveries).toHaveLength(4);
  console.log(
    `${queued} deliveries of one endpoint: slowest poll ${slowest.toFixed(1)} ms, another endpoint's is read after ${((due.get('ep') ?? 0) - inserted).toFixed(0)} ms`,
  );
  expect(slowest).toBeLessThan(idleMs);
  await right.release();
});

it('claims and completes deliveries quickly in batches', async () => {
  const postgres = await openPostgres();
  const { store } = postgres;
  const ids = endpointIds(1000);
  const count = amount(6000, 60_000);
  await fill(postgres, ids, count / ids.length, false);
  const ready = new Set<string>();
  const right = await store.own({ ...silentOwner, onDue: (id) => void ready.add(id) });
  await expect.poll(() => store.worker().lanes).toBe(256);
  const began = performance.now();
  const progress = { done: 0 };
  while (progress.done < count) {
    const requests = [...ready].map((endpointId) => ({ endpointId, limit: 100, suspects: false }));
    ready.clear();
    const results = await right.claim(requests);
    for (const { deliveries } of results) {
      for (const { id } of deliveries) {
        await right.markSent(id);
        void right
          .recordOutcome({ id, attempt: attempt(1, answer(200)), state: 'delivered' })
          .then(() => (progress.done += 1));
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const perSecond = Math.round((count / (performance.now() - began)) * 1000);
  console.log(`claimed and completed without HTTP: ${perSecond.toLocaleString('en')} per second`);
  expect(await store.backlog()).toEqual({ pending: 0, retrying: 0, held: 0, inFlight: 0 });
  expect(perSecond).toBeGreaterThan(amount(0, 5000));
  await right.release();
});

test('polls other endpoints quickly even if outdated statistics attribute most deliveries to one endpoint', async () => {
  const { store, sql } = await openPostgres();
  const others = Array.from({ length: 300 }, (_, n) => `whe_${n}`);
  for (const id of ['whe_hot', ...others])
    await store.putEndpoint(endpointOf(id, `http://receiver.test/${id}`));
  const delivery = (endpointId: string) => eventTo(endpointId, `evt_${endpointId}`);
  await store.insert([delivery('whe_hot')]);
  await sql(
    `insert into pending (created_at, lane, endpoint, installation, event_id, event_type, body)
     select created_at, lane, endpoint, installation, event_id, event_type, body from pending, generate_series(1, 300000)`,
  );
  await sql('analyze pending');
  await store.insert(others.map(delivery));

  const sent = new Set<string>();
  const began = performance.now();
  const dispatcher = await createWebhookDispatcher({
    store,
    clock: systemClock,
    random: Math.random,
    version: 'test',
    async fetch(url) {
      sent.add(url);
      return { status: 200, body: null };
    },
  });
  onTestFinished(() => dispatcher.close());
  await until(20_000, 'the others', async () => sent.size === others.length + 1);
  console.log(
    `statistics of one endpoint: ${others.length} others served after ${Math.round(performance.now() - began)} ms beside 300,000 rows`,
  );
});

test('reads only whether there is any first request while none is waiting, even over a slow network', async () => {
  let delayMs = 0;
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + (delayMs += 100) };
  const { store, schema, sql } = await openPostgres({ clock });
  const right = await store.own(silentOwner);
  onTestFinished(() => right.release());
  const scans = async (): Promise<number> => {
    const [row] = await sql(
      "select idx_scan as scans from pg_stat_user_indexes where schemaname = $1 and indexrelname = 'pending_fresh'",
      [schema],
    );
    return Number(row?.['scans']);
  };
  await expect.poll(() => store.worker().lanes).toBe(256);
  const [before, { polls }] = [await scans(), store.worker()];
  await until(60_000, '100 polls', async () => store.worker().polls > polls + 100);
  // The server counts with a delay. Reading every lane takes 256.
  await expect.poll(scans).toBeGreaterThan(before);
  expect((await scans()) - before).toBeLessThan(10 * (store.worker().polls - polls));
});
