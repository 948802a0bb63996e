import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { createPostgresDeliveryStore, migratePostgres } from '../../src/deliveries/index.js';
import { neededVersion } from '../../src/deliveries/schema/migrate.js';
import { migrations } from '../../src/deliveries/schema/migrations.js';
import { fresh } from '../store/owned-store.js';
import { runWebhooks } from '../support/run-platform.js';
import { endpointOf } from './fleet.js';
import { openPostgres } from './postgres-under-test.js';
import { startWorker } from './worker-under-test.js';

const current = `1.${neededVersion.minor}`;

async function connect(url = inject('postgres')): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Creates a separate database so that roles and rights do not affect other tests. */
async function createDatabase(): Promise<{ url: URL; name: string }> {
  const admin = await connect();
  const name = `db_${randomBytes(6).toString('hex')}`;
  await admin.query(`create database ${name}`);
  onTestFinished(async () => {
    await admin.query(`drop database ${name} with (force)`);
  });
  const url = new URL(inject('postgres'));
  url.pathname = `/${name}`;
  return { url, name };
}

const as = (url: URL, user: string): string => Object.assign(new URL(url), { username: user }).href;

const newEvent = (eventId: string): ReturnType<typeof fresh> =>
  fresh({
    endpointId: 'whe_1',
    installationId: 'ins_1',
    eventId,
    body: Buffer.from(JSON.stringify({ eventId })),
  });

it('several processes can migrate the database at the same time', async () => {
  const url = inject('postgres');
  const schema = `test "migrate" ${Date.now()}`;
  const stores = await Promise.all(
    Array.from({ length: 8 }, () => createPostgresDeliveryStore({ url, schema, migrate: true })),
  );
  for (const store of stores) expect(await store.backlog()).toMatchObject({ pending: 0 });
  await Promise.all(stores.map((store) => store.close()));
  expect(await migratePostgres({ url, schema })).toEqual({ from: current, to: current });
});

it.each(["o'brien", 'Upper Case', 'quo"ted', '$body$'])('sends from a schema named %s', async (schema) => {
  const store = await createPostgresDeliveryStore({
    url: inject('postgres'),
    schema,
    migrate: true,
    pollMs: 20,
  });
  onTestFinished(() => store.close());
  await store.putEndpoint(endpointOf('whe_1', 'http://127.0.0.1:1/'));
  const { sent } = await startWorker(store);
  await store.insert([newEvent('evt_1')]);
  await expect.poll(() => sent).toEqual(['evt_1']);
  await expect.poll(async () => (await store.list()).map(({ state }) => state)).toEqual(['delivered']);
  expect((await store.status()).workers).toHaveLength(1);
});

it('creates database tables only when asked to migrate', async () => {
  const { url } = await createDatabase();
  const env = { PLATFORM_DATABASE_URL: url.href };
  for (const command of [['status'], ['worker']]) {
    const { code, stderr } = await runWebhooks([...command, '--schema', 'mistyped'], { env });
    expect([code, stderr]).toEqual([
      2,
      'error The database has no delivery tables in the schema "mistyped".\n' +
        '  Run `platform-webhooks migrate`, or start a worker with --migrate.\n',
    ]);
  }
  await expect(createPostgresDeliveryStore({ url: url.href })).rejects.toMatchObject({
    code: 'store/missing',
  });
  const client = await connect(url.href);
  const { rows } = await client.query(
    "select nspname from pg_namespace where nspname !~ '^pg_|^information_schema$'",
  );
  expect(rows).toEqual([{ nspname: 'public' }]);
});

it('prints the migration for an administrator, and then runs without permission to create schemas', async () => {
  const { url, name } = await createDatabase();
  const admin = await connect(url.href);
  await admin.query(`create role owner_${name} login`);
  const owner = as(url, `owner_${name}`);
  const args = ['--schema', "o'brien"];
  const migrate = ['migrate', ...args];
  const printed = await runWebhooks([...migrate, '--print'], { env: { PLATFORM_DATABASE_URL: owner } });
  const refused = await runWebhooks(migrate, { env: { PLATFORM_DATABASE_URL: owner } });
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('This database user is not allowed to change the schema'),
  ]);

  await admin.query(printed.stdout);
  const upToDate = await runWebhooks([...migrate, '--json'], { env: { PLATFORM_DATABASE_URL: url.href } });
  expect(JSON.parse(upToDate.stdout)).toMatchObject({ schema: "o'brien", from: current, to: current });
  const nothing = await runWebhooks([...migrate, '--print'], { env: { PLATFORM_DATABASE_URL: url.href } });
  expect([nothing.stdout, nothing.stderr]).toEqual(['', 'The schema is up to date.\n']);

  // Its own schema is enough.
  await admin.query(`create schema mine authorization owner_${name}`);
  expect(await migratePostgres({ url: owner, schema: 'mine' })).toEqual({ from: '0', to: current });
  await admin.query(`drop owned by owner_${name} cascade`);
  await admin.query(`drop role owner_${name}`);
});

it('gives each database role only the privileges that it needs', async () => {
  const { url } = await createDatabase();
  const admin = await connect(url.href);
  await migratePostgres({ url: url.href });
  const { stdout: grants } = await runWebhooks(['migrate', '--grants'], {});
  await admin.query(grants);
  // The state after an upgrade, or for a second schema.
  await admin.query(grants);
  onTestFinished(async () => {
    for (const role of ['worker', 'producer', 'reader']) {
      await admin.query(`drop owned by platform_${role}; drop role platform_${role}`);
    }
  });
  const open = async (role: string) => {
    const store = await createPostgresDeliveryStore({ url: as(url, `platform_${role}`), pollMs: 20 });
    onTestFinished(() => store.close());
    return store;
  };
  const [worker, producer, reader] = [await open('worker'), await open('producer'), await open('reader')];
  await worker.putEndpoint(endpointOf('whe_1', 'http://127.0.0.1:1/'));
  const { sent, changes } = await startWorker(worker);
  await producer.insert([newEvent('evt_1')]);
  await expect.poll(() => sent).toEqual(['evt_1']);
  await expect.poll(async () => (await reader.list()).map(({ state }) => state)).toEqual(['delivered']);
  expect(await worker.trim()).toBe(0);
  const seen = await reader.status();
  expect(seen).toMatchObject({ workers: [{ lanes: 256 }], freeLanes: 0 });
  // It may not see how long the others have been working.
  expect(seen.workers[0]).not.toHaveProperty('since');
  expect(seen).not.toHaveProperty('oldestTransactionMs');
  await admin.query('grant pg_read_all_stats to platform_reader');
  await admin.query('begin; select 1');
  const all = await reader.status();
  await admin.query('commit');
  expect(all.workers[0]?.since).toBeGreaterThan(Date.now() - 600_000);
  expect(all.oldestTransactionMs).toBeGreaterThan(0);
  expect(changes.filter(({ type }) => type === 'trouble')).toEqual([]);

  const denied = { code: 'store/rights' };
  await expect(reader.endpoints()).rejects.toMatchObject(denied);
  await expect(reader.insert([newEvent('evt_2')])).rejects.toMatchObject(denied);
  await expect(producer.list()).rejects.toMatchObject(denied);
  await expect(producer.endpoints()).rejects.toMatchObject(denied);
  // Its commands read no secrets. If a secret is needed, they explain which right is missing.
  const command = (role: string, ...args: string[]) =>
    runWebhooks(args, { env: { PLATFORM_DATABASE_URL: as(url, `platform_${role}`) } });
  const deliveries = await command('reader', 'deliveries');
  expect(deliveries).toMatchObject({ code: 0, stdout: expect.stringContaining('evt_1') });
  const none = await command('reader', 'deliveries', '--endpoint', 'whe_1', '--failed');
  expect(none).toMatchObject({ code: 0, stdout: 'No failed deliveries.\n' });
  const [delivery] = await reader.list();
  const inspected = await command('reader', 'inspect', delivery?.id ?? '');
  expect(inspected).toMatchObject({ code: 0, stdout: expect.stringContaining('evt_1') });
  const listed = await command('reader', 'list');
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('whe_1') });
  expect(listed.stdout).not.toContain('whsec');
  const secretRight = 'SELECT on the table "endpoints": permission denied for table endpoints.';
  for (const [args, needed] of [
    [['list', 'whe_1'], secretRight],
    [['rotate', 'whe_1'], secretRight],
    [['resend', delivery?.id ?? ''], 'UPDATE on the table "done": permission denied for table done.'],
  ] as const) {
    expect(await command('reader', ...args)).toMatchObject({
      code: 2,
      stderr:
        `error The database user "platform_reader" needs ${needed}\n` +
        '  Print the privileges that each role needs: platform-webhooks migrate --grants\n',
    });
  }
  expect(await command('worker', 'rotate', 'whe_1')).toMatchObject({ code: 0 });
  const [rotated] = await worker.listEndpoints();
  expect(rotated).toMatchObject({ id: 'whe_1', rotatesUntil: expect.any(Number) });
  const readerClient = await connect(as(url, 'platform_reader'));
  const { rows } = await readerClient.query('select * from platform_webhooks.endpoint_list');
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain('whsec_1');
});

it('accepts a newer minor version of the schema, but no other major version', async () => {
  const { store, sql, again } = await openPostgres();
  await store.putEndpoint(endpointOf('whe_1', 'http://127.0.0.1:1/'));
  await sql(`alter table pending add column later text not null default 'x'`);
  await sql(`alter table done add column later text not null default 'x'`);
  await sql(`alter table endpoints add column later text`);
  await sql(`create table later (id bigint)`);
  await sql('update version set minor = minor + 1');
  const older = await again({ migrate: false });
  const { sent } = await startWorker(older);
  await older.insert([newEvent('evt_1')]);
  await expect.poll(() => sent).toEqual(['evt_1']);
  await expect.poll(async () => (await older.list()).map(({ state }) => state)).toEqual(['delivered']);
  await again({ migrate: true });
  expect(await sql('select minor from version')).toEqual([{ minor: neededVersion.minor + 1 }]);

  await sql('update version set major = 2, minor = 1');
  for (const migrate of [true, false]) {
    await expect(again({ migrate })).rejects.toMatchObject({
      code: 'store/newer',
      message: expect.stringContaining('version 2.1'),
      hint: expect.any(String),
    });
  }
});

it('upgrades the schema of 0.2.0 while workers of 0.2.0 keep running', async () => {
  const client = await connect();
  const schema = `old_${randomBytes(6).toString('hex')}`;
  await client.query(`create schema ${schema}; set search_path to ${schema}`);
  for (const migration of migrations.slice(0, 2)) await client.query(migration(schema));
  await client.query('update version set number = 2');
  const endpoint = { ...endpointOf('whe_1', 'http://127.0.0.1:1/') };
  await client.query("insert into endpoints (id, value, revision) values ('whe_1', $1, 1)", [endpoint]);
  const add = `insert into pending (lane, endpoint, installation, event_id, event_type, created_at, body)
    values (get_byte(sha256('whe_1'), 0), 'whe_1', 'ins_1', $1, 'site_view', 0, $2) returning id`;
  const body = (eventId: string): Buffer => Buffer.from(JSON.stringify({ eventId }));
  await client.query(add, ['evt_1', body('evt_1')]);

  const url = inject('postgres');
  await expect(createPostgresDeliveryStore({ url, schema })).rejects.toMatchObject({
    code: 'store/outdated',
    message: expect.stringContaining(`has version 1.2, but version ${current} is required`),
  });
  expect(await migratePostgres({ url, schema })).toEqual({ from: '1.2', to: current });
  // 0.2.0 accepts only this number.
  expect((await client.query('select number from version')).rows).toEqual([{ number: 2 }]);
  // The format in which a 0.2.0 worker writes an outcome.
  const { rows } = await client.query<{ id: string }>(add, ['evt_2', body('evt_2')]);
  const moved = await client.query(
    `with r as (select * from unnest($1::bigint[], $2::int[], $3::text[], $4::float8[], $5::json[]) r(id, attempt, state, delay, entry)),
     gone as (delete from pending p using r where p.id = r.id and p.attempt = r.attempt and r.delay is null
       returning p.id, now() as finished_at, p.created_at, p.resent_from, p.starts, r.state, p.endpoint,
         p.installation, p.event_id, p.event_type, p.history || r.entry as history, p.body),
     log as (insert into done (id, finished_at, created_at, resent_from, starts, state, endpoint, installation,
       event_id, event_type, history, body) select * from gone)
     select id from gone`,
    [[rows[0]?.id], [0], ['delivered'], [null], ['{"number":1,"startedAt":1,"durationMs":1,"status":200}']],
  );
  expect(moved.rows).toHaveLength(1);
  const { store } = await openPostgres({ schema });
  const { sent } = await startWorker(store);
  await expect.poll(() => sent).toEqual(['evt_1']);
  await expect
    .poll(async () => (await store.list()).map(({ state }) => state))
    .toEqual(['delivered', 'delivered']);
});

it('upgrades the schema of version 1.4 while its producers and workers keep running', async () => {
  const client = await connect();
  const schema = `old_${randomBytes(6).toString('hex')}`;
  await client.query(`create schema ${schema}; set search_path to ${schema}`);
  for (const migration of migrations.slice(0, 4)) await client.query(migration(schema));
  await client.query('update version set minor = 4');
  const endpoint = endpointOf('whe_1', 'http://127.0.0.1:1/');
  await client.query("insert into endpoints (id, value, revision) values ('whe_1', $1, 1)", [endpoint]);
  const url = inject('postgres');
  const migrated = await migratePostgres({ url, schema });
  expect(migrated).toEqual({ from: '1.4', to: current });

  // The statements with which version 1.4 queued an event and wrote an outcome.
  const event = { eventId: 'evt_1', type: 'site_view', installationId: 'ins_1', siteId: 'site_1' };
  await client.query('select * from enqueue_event($1::json, 1000000)', [event]);
  await client.query(
    `select * from queue(array[get_byte(sha256('whe_1'), 0)]::smallint[], '{whe_1}', '{ins_1}', '{evt_2}', '{site_view}', '{0}', '{null}',
       array[convert_to('{"eventId":"evt_2"}', 'UTF8')], 1000000)`,
  );
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  await client.query('select * from enqueue_event($1::json, 1000000, $2)', [
    { ...event, eventId: 'evt_3' },
    traceparent,
  ]);
  const queued = await client.query<{ traceparent: string | null }>(
    'select traceparent from pending order by id',
  );
  expect(queued.rows.map((row) => row.traceparent)).toEqual([null, null, traceparent]);
  await client.query(
    `with gone as (delete from pending p where event_id in ('evt_1', 'evt_3') returning p.*, '{"number":1,"status":200}'::json as entry)
     insert into done (id, finished_at, created_at, resent_from, starts, state, endpoint, installation, event_id, event_type,
       history, body, keyed)
     select id, now(), created_at, resent_from, starts, 'delivered', endpoint, installation, event_id, event_type,
       history || entry, body, keyed from gone on conflict do nothing`,
  );
  const { store } = await openPostgres({ schema });
  const { sent } = await startWorker(store);
  await expect.poll(() => sent).toEqual(['evt_2']);
  await expect.poll(async () => (await store.list({ state: 'delivered' })).length).toBe(3);
});

it('aborts a migration that would need to wait for a long transaction', async () => {
  const client = await connect();
  const schema = `busy_${randomBytes(6).toString('hex')}`;
  await client.query(`create schema ${schema}`);
  for (const migration of migrations.slice(0, 2)) await client.query(migration(schema));
  await client.query(`update ${schema}.version set number = 2`);
  await client.query(`begin; select from ${schema}.pending`);
  const url = inject('postgres');
  await expect(migratePostgres({ url, schema })).rejects.toMatchObject({ code: 'store/busy' });
  await client.query('commit');
  expect(await migratePostgres({ url, schema })).toEqual({ from: '1.2', to: current });
});
