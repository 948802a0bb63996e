import { expect, it } from 'vitest';
import { laneOf } from '../../src/deliveries/model/tables.js';
import { endpoint, eventTo } from '../store/owned-store.js';
import { amount } from '../support/proved.js';
import { openPostgres, type OpenPostgres } from './postgres-under-test.js';
import { startWorker } from './worker-under-test.js';

const slow = { timeout: 120_000 };
const endpoints = amount(10_000, 100_000);
const installations = amount(1000, 10_000);
const longestMs = amount(Infinity, 2000);

/** Assigns endpoints to these installations in turn. */
async function addEndpoints({ sql }: OpenPostgres, count: number, installations: number): Promise<void> {
  await sql(
    `insert into endpoints (id, value, revision)
     select 'ep_' || n, json_build_object('id', 'ep_' || n, 'installationId', 'ins_' || n % $2, 'enabled', true,
       'place', json_build_object('type', 'site', 'id', 'site_1'), 'events', '["site_view"]'::json,
       'url', 'http://127.0.0.1/', 'secret', 's', 'createdAt', 0), n
     from generate_series(1, $1::int) n`,
    [count, installations],
  );
  await sql('update revisions set last = $1', [count]);
}

const setAll = ({ sql }: OpenPostgres, installations: number, paused: boolean) =>
  sql(
    `with r as (update revisions set last = last + 1 returning last)
     insert into installations (id, paused, revision)
       select convert_to('ins_' || n, 'UTF8'), $2, r.last from generate_series(0, $1::int - 1) n, r
       on conflict (id) do update set paused = $2, revision = excluded.revision, changed_at = now()`,
    [installations, paused],
  );

/** The fastest of three starts, because reading the endpoints competes with other processes for the CPU. */
async function firstDelivery(postgres: OpenPostgres): Promise<number> {
  const times: number[] = [];
  for (const event of ['evt_1', 'evt_2', 'evt_3'].slice(0, amount(1, 3)))
    times.push(await startAndDeliver(postgres, event));
  return Math.min(...times);
}

async function startAndDeliver(postgres: OpenPostgres, event: string): Promise<number> {
  const { sql, again } = postgres;
  const id = `ep_${endpoints}`;
  await sql(
    "update endpoints set value = jsonb_set(value::jsonb, '{installationId}', '\"active\"') where id = $1",
    [id],
  );
  await sql(
    `insert into pending (lane, endpoint, installation, event_id, event_type, created_at, body)
     values ($1, $2, 'active', $3::text::bytea, 'site_view', 0, '{"eventId":"evt"}')`,
    [laneOf(id), id, event],
  );
  const store = await again({ pollMs: 100 });
  const began = performance.now();
  const { sent, dispatcher } = await startWorker(store);
  await expect.poll(() => sent.length, { interval: 5, timeout: 60_000 }).toBe(1);
  const time = performance.now() - began;
  await dispatcher.close();
  return time;
}

it('starts quickly with many paused installations and endpoints', slow, async () => {
  const postgres = await openPostgres();
  await addEndpoints(postgres, endpoints, installations);
  await setAll(postgres, installations, true);
  const first = await firstDelivery(postgres);
  console.log(
    `${installations} paused installations, ${endpoints} endpoints: first delivery after ${first.toFixed(0)} ms`,
  );
  expect(first).toBeLessThan(longestMs);
});

it('starts quickly after many installations were paused and resumed', slow, async () => {
  const postgres = await openPostgres();
  await addEndpoints(postgres, endpoints, installations);
  await setAll(postgres, installations, false);
  const first = await firstDelivery(postgres);
  console.log(
    `${installations} resumed installations, ${endpoints} endpoints: first delivery after ${first.toFixed(0)} ms`,
  );
  expect(first).toBeLessThan(longestMs);
  await postgres.sql("update installations set changed_at = now() - interval '25 hours'");
  await postgres.store.setPaused('ins_2', true);
  await postgres.store.trim();
  expect(await postgres.sql("select convert_from(id, 'UTF8') as id from installations")).toEqual([
    { id: 'ins_2' },
  ]);
});

it('holds back deliveries if an installation is paused while a worker is running', slow, async () => {
  const postgres = await openPostgres();
  const { store } = postgres;
  await store.putEndpoint(endpoint);
  const { sent } = await startWorker(store);
  await store.setPaused(endpoint.installationId, true);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await store.insert([eventTo(endpoint.id, 'evt')]);
  await expect.poll(() => postgres.sql('select parked from pending')).toEqual([{ parked: true }]);
  expect(sent).toEqual([]);
  await store.setPaused(endpoint.installationId, false);
  await expect.poll(() => sent).toEqual(['evt']);
});
