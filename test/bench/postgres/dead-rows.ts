import { Client } from 'pg';
import { createPostgresDeliveryStore } from '../../../src/deliveries/index.js';
import { laneOf } from '../../../src/deliveries/model/tables.js';
import { quantile } from '../../simulation/quantile.js';
import { startPostgres } from '../../support/postgres-server.js';

/**
 * How long a poll takes while a long transaction elsewhere keeps deleted rows, and how long a new delivery waits
 * until it is read. `npx tsx test/bench/postgres/dead-rows.ts 500000 1000000` measures other sizes, and `hot` as
 * the first argument gives all rows to one endpoint.
 */
const [first, ...rest] = process.argv.slice(2);
const isHot = first === 'hot';
const sizes = (isHot ? rest : [first, ...rest]).filter((size) => size !== undefined).map(Number);
const steps = sizes.length > 0 ? sizes : [0, 500_000, 1_000_000, 2_000_000, 3_000_000];
const ids = Array.from({ length: 1000 }, (_, n) => `whe_${n}`);

const server = await startPostgres({
  shared_buffers: '256MB',
  max_wal_size: '8GB',
  synchronous_commit: 'off',
});
const admin = new Client(server.url);
const holder = new Client(server.url);
await Promise.all([admin.connect(), holder.connect()]);
const open = (name: string) => createPostgresDeliveryStore({ url: server.url, migrate: true, name });
const store = await open('measured');
await admin.query('set search_path to platform_webhooks');
await admin.query('alter table pending set (autovacuum_enabled = off)');
await admin.query(
  `insert into endpoints (id, value, revision)
   select id, json_build_object('id', id, 'installationId', 'inst', 'enabled', true, 'events', '[]'::json,
     'url', 'http://127.0.0.1/', 'secret', 's', 'target', '{}'::json), 1 from unnest($1::text[]) id`,
  [ids],
);
await holder.query('begin isolation level repeatable read');
await holder.query('select count(*) from platform_webhooks.pending');

const owner = {
  poisonAfter: 5,
  onChanged: () => undefined,
  onTrouble: (error: unknown) => console.log(`  trouble: ${String(error)}`),
};
const due = new Map<string, number>();
const right = await store.own({ ...owner, onDue: (id) => void due.set(id, performance.now()) });

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Rows delivered since the long transaction began, as workers leave them. */
async function kill(count: number): Promise<void> {
  const targets = isHot ? ids.slice(0, 1) : ids;
  for (let left = count; left > 0; left -= 100_000) {
    await admin.query('begin');
    await admin.query(
      `insert into pending (lane, endpoint, installation, event_id, event_type, created_at, body)
       select lane, endpoint, 'inst', 'evt', 'site_view', 0, '{}'
       from generate_series(1, $3 / cardinality($1::smallint[])), unnest($1::smallint[], $2::text[]) e(lane, endpoint)`,
      [targets.map(laneOf), targets, Math.min(left, 100_000)],
    );
    await admin.query('delete from pending');
    await admin.query('commit');
    await pause(500);
  }
}

/** Runs for 20 seconds, or until a delivery is not read in time. */
async function measure(): Promise<{ polls: number[]; waits: number[] }> {
  const polls: number[] = [];
  const waits: number[] = [];
  const end = performance.now() + 20_000;
  for (let n = 0; performance.now() < end; n += 1) {
    const endpointId = ids[(n * 37) % ids.length] as string;
    due.delete(endpointId);
    const began = performance.now();
    const delivery = {
      endpointId,
      installationId: 'inst',
      eventId: `new_${dead}_${n}`,
      eventType: 'site_view',
    };
    const [queued] = await store.insert([{ ...delivery, body: new Uint8Array(2), createdAt: Date.now() }]);
    while (!due.has(endpointId) && performance.now() < end) await pause(2);
    waits.push(performance.now() - began);
    polls.push(store.worker().pollMs);
    if (!due.has(endpointId)) break;
    const [claimed] = await right.claim([{ endpointId, limit: 1, suspects: false }]);
    const id = claimed?.deliveries[0]?.id ?? queued?.id ?? '';
    await right.markSent(id);
    const attempt = { number: 1, startedAt: Date.now(), durationMs: 1 };
    const result = { kind: 'answer' as const, status: 200, body: new Uint8Array(0) };
    await right.recordOutcome({ id, attempt: { ...attempt, result }, state: 'delivered' });
    await pause(100);
  }
  return { polls, waits };
}

console.log('| dead rows | poll p50 | longest | new delivery read after, p50 | longest |');
console.log('| --- | --- | --- | --- | --- |');
const ms = (value: number | undefined): string => `${(value ?? Number.NaN).toFixed(0)} ms`;
let dead = 0;
for (const size of steps) {
  await kill(size - dead);
  dead = size;
  await pause(15_000);
  const { polls, waits } = await measure();
  const [slowestPoll, slowestWait] = [Math.max(...polls), Math.max(...waits)];
  console.log(
    `| ${dead.toLocaleString('en')} | ${ms(quantile(polls, 0.5))} | ${ms(slowestPoll)} | ${ms(quantile(waits, 0.5))} | ${ms(slowestWait)} |`,
  );
}
await right.release();
await holder.end();
await admin.end();
await store.close();
await server.remove();
