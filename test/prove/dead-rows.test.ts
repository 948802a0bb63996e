import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { laneOf } from '../../src/deliveries/model/tables.js';
import { fresh, silentOwner } from '../store/owned-store.js';
import { quantile } from '../simulation/quantile.js';
import { openPostgres, polled } from '../deliveries/postgres-under-test.js';

/** With fewer, the first read takes about 50 ms on a fast machine, and the store does not shorten reads that fast. */
const rows = 1_000_000;
const ids = Array.from({ length: 500 }, (_, n) => `ep_${n}`);

/** `test/bench/postgres/dead-rows.ts` measures up to 3,000,000. */
it('polls quickly without missing any rows while a long transaction prevents vacuuming', async () => {
  const { store, sql, url, again } = await openPostgres();
  const elsewhere = new Client(url);
  await elsewhere.connect();
  onTestFinished(() => elsewhere.end());
  await elsewhere.query('begin isolation level repeatable read');
  const { rows: sessions } = await elsewhere.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pid = sessions[0]?.pid;
  await sql(
    `insert into endpoints (id, value, revision)
     select id, json_build_object('id', id, 'installationId', 'inst', 'enabled', true, 'events', '[]'::json,
       'url', 'http://127.0.0.1/', 'secret', 's'), 1 from unnest($1::text[]) id`,
    [ids],
  );
  await sql('begin');
  await sql(
    `insert into pending (lane, endpoint, installation, event_id, event_type, created_at, body)
     select lane, endpoint, 'inst', 'evt', 'site_view', 0, '{}'
     from generate_series(1, $3 / cardinality($1::smallint[])), unnest($1::smallint[], $2::text[]) e(lane, endpoint)`,
    [ids.map(laneOf), ids, rows],
  );
  await sql('delete from pending');
  await sql('commit');

  const due = new Set<string>();
  const right = await store.own({ ...silentOwner, onDue: (id) => void due.add(id) });
  await expect.poll(() => store.worker().polls).toBeGreaterThan(0);
  const first = store.worker().pollMs;
  // Deliveries from the last 5 seconds are always read.
  await expect
    .poll(
      async () =>
        (
          await sql(`select now() - xact_start > '6 s' as old from pg_stat_activity where pid = $1`, [pid])
        )[0]?.['old'],
    )
    .toBe(true);
  // Lanes change to the short read one after another, so the time falls over several polls.
  const polls: number[] = [];
  let usual = first;
  while (usual >= first / 2 && polls.length < 60) {
    await polled(store);
    polls.push(store.worker().pollMs);
    if (polls.length >= 10) usual = quantile(polls.slice(-10), 0.5);
  }
  console.log(
    `${rows} deleted rows that are kept: first poll ${first.toFixed(0)} ms, then ${usual.toFixed(0)} ms`,
  );
  expect(usual).toBeLessThan(first / 2);

  const other = await again();
  await other.insert([fresh({ endpointId: 'ep_1' })]);
  await expect.poll(() => due.has('ep_1')).toBe(true);
  // A producer commits an hour after it queued.
  await sql(
    `insert into pending (lane, endpoint, installation, event_id, event_type, created_at, body, due)
     values ($1, 'ep_2', 'inst', 'late', 'site_view', 0, '{}', now() - interval '1 hour')`,
    [laneOf('ep_2')],
  );
  await expect.poll(() => due.has('ep_2'), { timeout: 40_000 }).toBe(true);
  await right.release();
});
