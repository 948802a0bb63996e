import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { deliveryId } from '../../src/webhooks/model/delivery-states.js';
import type { DeliveryStore } from '../../src/webhooks/model/delivery-store.js';
import { endpoint, fresh } from '../store/owned-store.js';
import { openPostgres, type OpenPostgres } from './postgres-under-test.js';
import { startWorker } from './worker-under-test.js';

const endpointIds = Array.from({ length: 20 }, (_, n) => `ep_${n}`);

async function addEndpoints(store: DeliveryStore): Promise<void> {
  for (const id of endpointIds) await store.putEndpoint({ ...endpoint, id });
}

const event = (name: string): Uint8Array => Buffer.from(`{"eventId":"evt_${name}"}`);

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Simulates logical replication, which does not copy sequences. */
const copyToHistory = (sql: OpenPostgres['sql']) =>
  sql(
    `insert into done (id, finished_at, created_at, starts, state, endpoint, installation, event_id, event_type, history, body)
     select id, now(), 0, 0, 'delivered', endpoint, installation, event_id, event_type, '{}', '' from pending where id < 20`,
  );

const queue = (store: DeliveryStore, count: number, from = 0) =>
  store.insert(
    Array.from({ length: count }, (_, n) =>
      fresh({
        endpointId: endpointIds[n % endpointIds.length] as string,
        eventId: `evt_${from + n}`,
        body: event(String(from + n)),
      }),
    ),
  );

it('records all other outcomes while another session locks a row', async () => {
  const { store, schema, url, sql } = await openPostgres();
  await addEndpoints(store);
  const inserted = await queue(store, 500);
  const other = await connect(url);
  await other.query('begin');
  const locked = inserted[7]?.id ?? '';
  await other.query(`select from ${schema}.pending where id = 8 for update`);
  const began = performance.now();
  const { sent, changes } = await startWorker(store);
  await expect.poll(async () => (await store.list({ state: 'delivered', limit: 1000 })).length).toBe(499);
  const took = performance.now() - began;
  await queue(store, 500, 500);
  await expect.poll(async () => (await store.list({ state: 'delivered', limit: 2000 })).length).toBe(999);
  console.log(`a row locked by another session: 499 other outcomes within ${took.toFixed(0)} ms`);
  expect(await sql('select id::int from pending')).toEqual([{ id: 8 }]);
  expect(sent).toHaveLength(1000);
  await other.query('rollback');
  await expect.poll(() => store.get(locked)).toMatchObject({ state: 'delivered' });
  expect(sent).toHaveLength(1000);
  const troubles = changes.flatMap((change) => (change.type === 'trouble' ? [String(change.error)] : []));
  expect(troubles[0]).toContain(`The outcome of ${locked} cannot be written`);
});

const settled = {
  paused: "select from pending where endpoint = 'ep_hung' and not parked",
  resumed: "select from pending where endpoint = 'ep_hung' and parked",
  removed: "select from pending where endpoint = 'ep_hung'",
};

/** Its first request gets no response, so no other request is sent. The delivery fails or waits. */
const inFlight = { paused: 0, resumed: 0, removed: 1 };

const neverResponds = (signal: AbortSignal | null | undefined): Promise<Response> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));

it.for(['paused', 'resumed', 'removed'] as const)(
  'delivers to other endpoints while the row of an endpoint being %s is locked',
  async (change) => {
    const { store, schema, url, sql } = await openPostgres();
    await addEndpoints(store);
    await store.putEndpoint({ ...endpoint, id: 'ep_hung', installationId: 'hung', url: 'http://hung/' });
    if (change === 'resumed') await store.setPaused('hung', true);
    const { sent } = await startWorker(store, {
      fetch: async (to, { signal }) => (to === 'http://hung/' ? neverResponds(signal) : new Response('ok')),
    });
    await store.insert(
      Array.from({ length: 40 }, (_, n) =>
        fresh({ endpointId: 'ep_hung', installationId: 'hung', eventId: `evt_h${n}`, body: event(`h${n}`) }),
      ),
    );
    await expect
      .poll(async () => (await sql('select from pending where parked')).length + sent.length)
      .toBe(change === 'resumed' ? 40 : 1);
    const other = await connect(url);
    await other.query('begin');
    await other.query(`select from ${schema}.pending where event_id = 'evt_h39' for update`);
    if (change === 'removed') await store.removeEndpoint('ep_hung');
    else await store.setPaused('hung', change === 'paused');
    // The locked row and the pending ones.
    const left = async () => (await sql(settled[change])).length;
    await expect.poll(left).toBe(inFlight[change] + 1);
    await queue(store, 100);
    await expect.poll(async () => (await store.list({ state: 'delivered', limit: 200 })).length).toBe(100);
    await other.query('rollback');
    await expect.poll(left).toBe(inFlight[change]);
  },
);

it('deletes the deliveries of a removed endpoint even if their ids are already in the history', async () => {
  const { store, sql } = await openPostgres();
  await addEndpoints(store);
  await store.setPaused(endpoint.installationId, true);
  await queue(store, 40);
  await startWorker(store);
  await expect.poll(async () => (await sql('select from pending where parked')).length).toBe(40);
  await copyToHistory(sql);
  await store.removeEndpoint('ep_3');
  await expect.poll(() => sql("select from pending where endpoint = 'ep_3'")).toEqual([]);
});

it('records all other outcomes if the database rejects one, and retries the rejected one', async () => {
  const { store, sql } = await openPostgres();
  await addEndpoints(store);
  await sql("alter table done add constraint picky check (event_id <> 'evt_7')");
  await queue(store, 200);
  const { sent, changes } = await startWorker(store);
  await expect.poll(async () => (await store.list({ state: 'delivered', limit: 1000 })).length).toBe(199);
  expect(changes.some((change) => change.type === 'trouble' && /picky/.test(String(change.error)))).toBe(
    true,
  );
  await sql('alter table done drop constraint picky');
  await expect.poll(async () => (await store.list({ state: 'delivered', limit: 1000 })).length).toBe(200);
  expect(sent).toHaveLength(200);
});

it('sends and completes deliveries even if their ids are already in the history', async () => {
  const { store, sql } = await openPostgres();
  await addEndpoints(store);
  await queue(store, 50);
  await copyToHistory(sql);
  const { sent } = await startWorker(store);
  await expect.poll(() => store.backlog()).toMatchObject({ pending: 0 });
  expect(sent).toHaveLength(50);
});

it('sets aside a delivery that cannot be prepared, and sends the others', { timeout: 30_000 }, async () => {
  const { store, sql } = await openPostgres();
  await addEndpoints(store);
  // The store no longer accepts this, but an earlier version did.
  await sql(
    String.raw`update endpoints
         set value = regexp_replace(value::text, '"secret":"[^"]*"', '"secret":""')::json where id = 'ep_3'`,
  );
  await queue(store, 40);
  const { sent, changes } = await startWorker(store);
  await expect.poll(() => sent.length).toBe(38);
  await expect.poll(() => store.list({ state: 'poisoned' })).toHaveLength(2);
  const attempts = await store.attempts(deliveryId(4));
  expect(attempts).toHaveLength(4);
  expect(attempts.at(-1)?.result).toMatchObject({ kind: 'error', error: 'preparation', message: /./ });
  expect(changes.filter(({ type }) => type === 'trouble')).toEqual([]);
});
