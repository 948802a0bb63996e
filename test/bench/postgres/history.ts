import { Client } from 'pg';
import { systemClock } from '../../../src/base/clock.js';
import { createPostgresDeliveryStore } from '../../../src/deliveries/index.js';
import { laneOf } from '../../../src/deliveries/model/tables.js';
import { createWebhookDispatcher } from '../../../src/webhooks/dispatcher.js';
import { quantile } from '../../simulation/quantile.js';
import { startPostgres } from '../../support/postgres-server.js';

/**
 * How long polls and deliveries take with 10,000,000 finished deliveries, of which a third are old enough to
 * be deleted meanwhile, and with 100,000 endpoints. `npx tsx test/bench/postgres/history.ts 1000000` keeps fewer.
 */
const kept = Number(process.argv[2] ?? 10_000_000);
const endpointCount = 100_000;
const seconds = 120;
const perSecond = 100;

const server = await startPostgres({
  shared_buffers: '256MB',
  max_wal_size: '8GB',
  synchronous_commit: 'off',
});
const admin = new Client(server.url);
await admin.connect();
const store = await createPostgresDeliveryStore({ url: server.url, migrate: true });
await admin.query('set search_path to platform_webhooks');
const ids = Array.from({ length: endpointCount }, (_, n) => `whe_${n}`);
await admin.query(
  `insert into endpoints (id, value, revision)
   select id, json_build_object('id', id, 'installationId', 'inst', 'enabled', true, 'events', '["site_view"]'::json,
     'url', 'http://receiver.test/', 'secret', 'secret', 'target', '{"type":"site","id":"s"}'::json), 1
   from unnest($1::text[]) id`,
  [ids],
);
const chunk = 500_000;
for (let from = 0; from < kept; from += chunk) {
  await admin.query(
    `insert into done (id, finished_at, created_at, starts, state, endpoint, installation, event_id, event_type, history, body)
     select -n, now() - interval '36 hours' * n / $3, 0, 1, case when n % 20 = 0 then 'failed' else 'delivered' end,
       convert_to('whe_' || n % 100000, 'UTF8'), 'inst', convert_to('old_' || n, 'UTF8'), 'site_view', '{}', '{"a":1}'
     from generate_series($1::bigint, $2::bigint) n`,
    [from + 1, Math.min(from + chunk, kept), kept],
  );
  process.stderr.write(`${(from + chunk).toLocaleString('en')} deliveries in the history\r`);
}
await admin.query('vacuum analyze');
const oldRows = async (): Promise<number> => {
  const { rows } = await admin.query<{ count: number }>(
    "select count(*)::int as count from done where state = 'delivered' and finished_at < now() - interval '1 day'",
  );
  return rows[0]?.count ?? 0;
};
const oldBefore = await oldRows();

const began = performance.now();
const sentAt = new Map<string, number>();
const dispatcher = await createWebhookDispatcher({
  store,
  clock: systemClock,
  random: Math.random,
  version: 'bench',
  fetch: async (_, init) => {
    const { eventId } = JSON.parse(Buffer.from(init.body ?? []).toString()) as { eventId: string };
    sentAt.set(eventId, performance.now());
    return new Response('ok');
  },
});
const startMs = performance.now() - began;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const queuedAt = new Map<string, number>();
const polls: number[] = [];
let seen = 0;
const end = performance.now() + seconds * 1000;
for (let n = 0; performance.now() < end; n += 1) {
  const eventId = `evt_${n}`;
  const endpointId = ids[(n * 7919) % ids.length] as string;
  queuedAt.set(eventId, performance.now());
  const body = Buffer.from(JSON.stringify({ eventId, lane: laneOf(endpointId) }));
  const event = {
    eventId,
    endpointId,
    installationId: 'inst',
    eventType: 'site_view',
    createdAt: Date.now(),
  };
  await store.insert([{ ...event, body }]);
  const { polls: count, pollMs } = store.worker();
  if (count !== seen) polls.push(pollMs);
  seen = count;
  await pause(1000 / perSecond);
}
await pause(3000);
const waits = [...queuedAt].map(([id, at]) => (sentAt.get(id) ?? Number.NaN) - at);
const oldAfter = await oldRows();
const ms = (values: number[], q: number): string => `${(quantile(values, q) ?? Number.NaN).toFixed(0)} ms`;
console.log(`${kept.toLocaleString('en')} kept deliveries, ${endpointCount.toLocaleString('en')} endpoints`);
console.log(`start: ${(startMs / 1000).toFixed(1)} s`);
console.log(`polls: p50 ${ms(polls, 0.5)}, p99 ${ms(polls, 0.99)} (${polls.length} of them)`);
console.log(
  `from queueing to sending: p50 ${ms(waits, 0.5)}, p99 ${ms(waits, 0.99)}, ${waits.filter(Number.isNaN).length} of ${waits.length} missing`,
);
console.log(
  `deleted: ${(oldBefore - oldAfter).toLocaleString('en')} of ${oldBefore.toLocaleString('en')} old ones in ${seconds} s`,
);
console.log(`memory of this process: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB at most`);
await dispatcher.close({ patienceMs: 1000 });
await admin.end();
await store.close();
await server.remove();
