import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { sampleEvent } from '../../src/protocol/sample-events.js';
import { enqueueEvent } from '../../src/deliveries/index.js';
import { webhookPayload } from '../../src/webhooks/send/webhook-payload.js';
import { fresh } from '../store/owned-store.js';
import { endpointOf } from './fleet.js';
import { openPostgres, type OpenPostgres } from './postgres-under-test.js';
import { startWorker } from './worker-under-test.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const producers = fileURLToPath(new URL('../../deploy/producers/', import.meta.url));

async function connect(): Promise<Client> {
  const client = new Client(inject('postgres'));
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const event = (eventId: string) => ({
  ...webhookPayload({ ...sampleEvent('site_view'), installationId: 'ins_1', siteId: 'site_1' }),
  eventId,
});

/** Creates endpoints, of which three should receive a view of `site_1`, one of them once it is enabled. */
async function addEndpoints({ store }: Pick<OpenPostgres, 'store'>): Promise<void> {
  const endpoint = endpointOf('whe_1', 'http://127.0.0.1:1/');
  await store.putEndpoint(endpoint);
  await store.putEndpoint({ ...endpoint, id: 'whe_2', events: ['page_feedback', 'site_view'] });
  await store.putEndpoint({ ...endpoint, id: 'disabled', enabled: false });
  await store.putEndpoint({ ...endpoint, id: 'other event', events: ['page_feedback'] });
  await store.putEndpoint({ ...endpoint, id: 'other installation', installationId: 'ins_2' });
  await store.putEndpoint({ ...endpoint, id: 'other site', target: { type: 'site', id: 'site_2' } });
  await store.putEndpoint({ ...endpoint, id: 'nul', installationId: 'ins_1\0', url: 'http://127.0.0.1/\0' });
  await store.putEndpoint({ ...endpoint, id: 'removed' });
  await store.removeEndpoint('removed');
}

it("queues an event in the caller's transaction for each endpoint that subscribes to it", async () => {
  const { store, schema, sql } = await openPostgres();
  await addEndpoints({ store });
  const client = await connect();
  await client.query('begin');
  await enqueueEvent(client, event('evt_rolled_back'), { schema });
  await client.query('rollback');
  await client.query('begin');
  const view = event('evt_1');
  const queued = await enqueueEvent(client, view, { schema });
  await client.query('commit');
  expect(queued.map(({ endpoint, queued: isNew }) => [endpoint, isNew])).toEqual([
    ['whe_1', true],
    ['whe_2', true],
    ['disabled', true],
  ]);
  const { sent } = await startWorker(store);
  await expect.poll(() => sent).toEqual(['evt_1', 'evt_1']);
  const [kept] = await store.list();
  const body: unknown = JSON.parse(Buffer.from((await store.body(kept?.id ?? '')) ?? []).toString());
  expect(body).toEqual(view);

  // Covers the states before and after sending.
  await expect.poll(async () => (await store.list({ state: 'delivered' })).length).toBe(2);
  const again = await enqueueEvent(client, view, { schema });
  expect(again).toEqual(queued.map((one) => ({ ...one, queued: false })));
  expect(await sql('select endpoint from pending')).toEqual([{ endpoint: 'disabled' }]);
  await store.changeEndpoint('disabled', (endpoint) => ({ ...endpoint, enabled: true }));
  await expect.poll(async () => (await store.list({ state: 'delivered' })).length).toBe(3);
});

it.each([
  ['an unknown type', { ...event('evt_1'), type: 'ping' }, '"ping" is not a webhook event type.'],
  ['no type', { eventId: 'evt_1' }, '"" is not a webhook event type.'],
  ['no event id', { ...event('') }, 'The event "site_view" needs eventId, installationId and siteId.'],
  [
    'no site',
    { ...event('evt_1'), siteId: undefined },
    'The event "site_view" needs eventId, installationId and siteId.',
  ],
])('rejects an event with %s', async (_, wrong, message) => {
  const { schema } = await openPostgres();
  await expect(enqueueEvent(await connect(), wrong as never, { schema })).rejects.toMatchObject({
    code: '22023',
    message,
  });
});

it('reads only the endpoints of the target of an event', async () => {
  const { schema, sql } = await openPostgres();
  await sql(
    `insert into endpoints (id, value, revision)
     select 'whe_' || n, json_build_object('id', 'whe_' || n, 'installationId', 'ins_1', 'enabled', true,
       'target', json_build_object('type', 'site', 'id', 'site_' || n), 'events', '["site_view"]'::json), n
     from generate_series(1, 200) n`,
  );
  const client = await connect();
  await client.query("set track_functions = 'all'");
  const queued = await enqueueEvent(client, event('evt_1'), { schema });
  expect(queued.map(({ endpoint }) => endpoint)).toEqual(['whe_1']);
  const calls = async (): Promise<unknown[]> =>
    sql("select calls::int from pg_stat_user_functions where schemaname = $1 and funcname = 'readable'", [
      schema,
    ]);
  await client.end();
  await expect.poll(calls).toEqual([{ calls: 1 }]);
});

it('stores only one delivery for the same event and endpoint', async () => {
  const { store, sql } = await openPostgres();
  await store.putEndpoint({ ...endpointOf('ep', 'http://127.0.0.1:1/') });
  const one = fresh({ eventId: 'evt_1', body: Buffer.from('{"eventId":"evt_1"}') });
  const two = fresh({ eventId: 'evt_2', body: Buffer.from('{"eventId":"evt_2"}') });
  // Also covers two concurrent producers and duplicates in one insert.
  const inserted = await Promise.all([
    ...Array.from({ length: 20 }, () => store.insert([one, two, one])),
    ...Array.from({ length: 20 }, async () => store.enqueue(await connect(), [two, one])),
  ]);
  const ids = new Set(inserted.flat().map(({ id, eventId }) => `${eventId} ${id}`));
  expect(ids.size).toBe(2);
  const { sent } = await startWorker(store);
  await expect.poll(() => sent.toSorted()).toEqual(['evt_1', 'evt_2']);
  await expect.poll(async () => (await store.list({ state: 'delivered' })).length).toBe(2);

  const [repeated] = await store.insert([one]);
  expect(repeated).toMatchObject({ state: 'delivered', phase: 'done', attempts: 1 });
  // An explicitly resent delivery is separate.
  const [resent] = await store.insert([{ ...one, ...(repeated && { resentFrom: repeated.id }) }]);
  expect(resent?.id).not.toBe(repeated?.id);
  await expect.poll(() => sent).toHaveLength(3);
  // Deleted together with the delivery.
  await expect.poll(async () => (await store.list({ state: 'delivered' })).length).toBe(3);
  await sql("update done set finished_at = now() - interval '25 hours'");
  expect(await store.trim()).toBe(3);
  await store.insert([one]);
  await expect.poll(() => sent).toHaveLength(4);
});

it('queues each event once when two processes insert the same events in opposite orders', async () => {
  const { store, again } = await openPostgres();
  const other = await again();
  for (let round = 0; round < 5; round += 1) {
    const events = Array.from({ length: 1500 }, (_, n) => fresh({ eventId: `evt_${round}_${n}` }));
    const [forwards, backwards] = await Promise.all([
      store.insert(events),
      other.insert(events.toReversed()),
    ]);
    expect(backwards.map(({ id }) => id)).toEqual(forwards.map(({ id }) => id).toReversed());
  }
});

it('neither loses nor repeats a delivery that is completed while it is queued again', async () => {
  const { store } = await openPostgres();
  await store.putEndpoint({ ...endpointOf('ep', 'http://127.0.0.1:1/') });
  const { sent } = await startWorker(store);
  const events = Array.from({ length: 200 }, (_, n) =>
    fresh({ eventId: `evt_${n}`, body: Buffer.from(JSON.stringify({ eventId: `evt_${n}` })) }),
  );
  for (let round = 0; round < 40; round += 1) {
    await Promise.all(events.map((one) => store.insert([one])));
  }
  await expect.poll(() => sent.length).toBeGreaterThanOrEqual(events.length);
  await expect.poll(async () => (await store.backlog()).pending).toBe(0);
  expect(new Set(sent).size).toBe(events.length);
  expect(sent).toHaveLength(events.length);
});

// Debian's Python, which has Debian's psycopg.
const python3 = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
const noPython = await run(python3, ['-c', 'import psycopg']).then(
  () => undefined,
  () => 'it needs python3 with psycopg 3 (Debian: python3-psycopg)',
);
const gocode = '/usr/share/gocode';
const pgx = ['v5', 'v4'].find((version) => existsSync(`${gocode}/src/github.com/jackc/pgx/${version}`));
const noGo =
  existsSync('/usr/bin/go') && pgx !== undefined
    ? undefined
    : 'it needs Go and pgx (Debian: golang-go, golang-github-jackc-pgx-v4-dev)';

/** Builds the producer with Debian's packages, which have an older pgx with the same functions. */
async function buildGo(): Promise<string> {
  const folder = temporaryFolder();
  const source = join(folder, 'src', 'producer');
  mkdirSync(source, { recursive: true });
  const code = readFileSync(join(producers, 'producer.go'), 'utf8');
  writeFileSync(join(source, 'producer.go'), code.replaceAll('jackc/pgx/v5', `jackc/pgx/${pgx}`));
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOFLAGS: '',
    GOPATH: `${folder}:${gocode}`,
    GOCACHE: join(tmpdir(), 'platform-go-cache'),
  };
  const program = join(folder, 'producer');
  await run('go', ['build', '-o', program, 'producer'], { env, cwd: source });
  return program;
}

it.for([
  ['Python', noPython, async () => [python3, join(producers, 'producer.py')]],
  ['Go', noGo, async () => [await buildGo()]],
] as const)(
  'queues events in the transaction of a producer written in %s',
  { timeout: 240_000 },
  async ([name, missing, build], { skip }) => {
    if (missing !== undefined) return skip(missing);
    const { store, sql } = await openPostgres({ schema: 'platform_webhooks' });
    onTestFinished(async () => {
      await sql('drop schema platform_webhooks cascade');
    });
    await addEndpoints({ store });
    const { sent } = await startWorker(store);
    const [program = '', ...args] = await build();
    const eventId = `evt_${name}`;
    const produce = async (): Promise<string[]> => {
      const { stdout } = await run(program, [...args, eventId], {
        env: { ...process.env, DATABASE_URL: inject('postgres') },
      });
      return stdout.trim().split('\n');
    };
    const first = await produce();
    expect(first).toEqual([
      expect.stringMatching(/^dlv_\d+ whe_1 queued$/),
      expect.stringMatching(/^dlv_\d+ whe_2 queued$/),
      expect.stringMatching(/^dlv_\d+ disabled queued$/),
    ]);
    await expect.poll(() => sent).toEqual([eventId, eventId]);
    expect(await produce()).toEqual(first.map((line) => line.replace(/queued$/, 'already queued')));
    await expect.poll(async () => (await store.list({ state: 'delivered' })).length).toBe(2);
    expect(sent).toHaveLength(2);
    const table = `public.${name.toLowerCase()}_views`;
    expect(await sql(`select count(*)::int from ${table}`)).toEqual([{ count: 2 }]);
    await sql(`drop table ${table}`);
  },
);
