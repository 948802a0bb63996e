import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Client } from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import {
  createPostgresDeliveryStore,
  migratePostgres,
  type PostgresDeliveryStore,
} from '../../src/deliveries/index.js';
import { fresh } from '../store/owned-store.js';
import { freePort } from '../support/free-port.js';
import { startPostgres } from '../support/postgres-server.js';
import { openPostgres } from './postgres-under-test.js';

interface Explained {
  code: string;
  message: string;
  hint: string;
}

async function errorOf(promise: Promise<unknown>): Promise<Explained> {
  const error: unknown = await promise.then(
    () => {
      throw new Error('It did not fail.');
    },
    (caught: unknown) => caught,
  );
  expect(error).toMatchObject({ name: 'UserError', hint: expect.any(String) });
  expect(String(error)).not.toMatch(/refused the|\.\.|geheim/);
  return error as Explained;
}

/** The shared server's URL with changed parts. */
function address(change: (url: URL) => void): string {
  const url = new URL(inject('postgres'));
  change(url);
  return url.href;
}

const open = (url: string): Promise<PostgresDeliveryStore> => createPostgresDeliveryStore({ url });

async function admin(url = inject('postgres')): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const shared = (): string => inject('postgres').replace('postgres://postgres@', '');

it.each<[string, () => Promise<unknown>, string, () => string]>([
  [
    'a closed port',
    () => open('postgres://me:geheim@127.0.0.1:1/x'),
    'store/unreachable',
    () => 'Cannot connect to Postgres at 127.0.0.1:1/x: connection refused.',
  ],
  [
    'an unknown host',
    () => open('postgres://me:geheim@does-not-exist.invalid/x'),
    'store/unreachable',
    () => 'Cannot connect to Postgres at does-not-exist.invalid:5432/x: unknown host name.',
  ],
  [
    'a missing database',
    () => open(address((url) => void (url.pathname = '/nowhere'))),
    'store/missing',
    (): string =>
      `Postgres at ${shared().replace(/postgres$/, 'nowhere')}: database "nowhere" does not exist.`,
  ],
  [
    'an unknown user',
    () => open(address((url) => void (url.username = 'stranger'))),
    'store/authentication',
    () =>
      `Postgres at ${shared()} rejected the user "stranger" or its password: role "stranger" does not exist.`,
  ],
  [
    'a server without TLS',
    () => open(address((url) => url.searchParams.set('sslmode', 'verify-full'))),
    'store/tls',
    () => `Postgres at ${shared()} does not support TLS: The server does not support SSL connections.`,
  ],
])('explains %s', async (_, run, code, message) => {
  expect(await errorOf(run())).toMatchObject({ code, message: message() });
});

it('explains a wrong or missing password', async () => {
  const server = await startPostgres(
    {},
    'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
  );
  onTestFinished(() => server.remove());
  const sql = await admin(server.url);
  await sql.query("create role app login password 'right'");
  const where = `Postgres at 127.0.0.1:${server.port}/postgres rejected the user "app" or its password`;
  const as = (user: string) => server.url.replace('postgres@', `${user}@`);
  expect(await errorOf(open(as('app:geheim')))).toMatchObject({
    code: 'store/authentication',
    message: `${where}: password authentication failed for user "app".`,
    hint: expect.stringContaining('PGPASSWORD'),
  });
  expect(await errorOf(open(as('app')))).toMatchObject({
    code: 'store/authentication',
    message: expect.stringMatching(`^${where}: SASL: .*password must be a`),
  });
  // The user may not connect to this database from this host.
  await sql.query('create database other');
  await sql.query('revoke connect on database other from public');
  const other = as('app:right').replace('/postgres', '/other');
  expect(await errorOf(open(other))).toMatchObject({
    code: 'store/rights',
    message: `The database user "app" is not allowed to connect to 127.0.0.1:${server.port}/other: permission denied for database "other".`,
    hint: 'Grant CONNECT on the database.',
  });
  await sql.end();
});

it('reports which database permission is missing', async () => {
  const { store, schema, sql, url } = await openPostgres();
  const role = `reader_${randomBytes(6).toString('hex')}`;
  await sql(`create role ${role} login`);
  onTestFinished(async () => {
    await sql(`drop owned by ${role}; drop role ${role}`);
  });
  const as = Object.assign(new URL(url), { username: role }).href;
  const limited = (): Promise<PostgresDeliveryStore> => createPostgresDeliveryStore({ url: as, schema });
  const needs = (right: string, reason: string) => ({
    code: 'store/rights',
    message: `The database user "${role}" needs ${right}: permission denied for ${reason}.`,
    hint: 'Print the privileges that each role needs: platform-webhooks migrate --grants',
  });
  expect(await errorOf(limited())).toMatchObject(
    needs(`USAGE on the schema "${schema}"`, `schema ${schema}`),
  );
  await sql(`grant usage on schema ${schema} to ${role}`);
  expect(await errorOf(limited())).toMatchObject(needs('SELECT on the table "version"', 'table version'));
  await sql(`grant select on version to ${role}`);
  const reader = await limited();
  onTestFinished(() => reader.close());
  expect(await errorOf(reader.endpoints())).toMatchObject(
    needs('SELECT on the table "endpoints"', 'table endpoints'),
  );
  expect(await errorOf(reader.setPaused('ins', true))).toMatchObject(
    needs('UPDATE on the table "revisions"', 'table revisions'),
  );
  expect(await errorOf(reader.insert([fresh()]))).toMatchObject(
    needs('EXECUTE on the function "queue"', 'function queue'),
  );
  expect(await errorOf(reader.listEndpoints())).toMatchObject(
    needs('SELECT on the view "endpoint_list"', 'view endpoint_list'),
  );
  expect(await store.listEndpoints()).toEqual([]);
});

it('explains missing tables, a read-only server, a lock and other database errors', async () => {
  const { store, schema, sql } = await openPostgres();
  const where = `Postgres at ${shared()}`;
  const url = address((of) => of.searchParams.set('options', '-c default_transaction_read_only=on'));
  const readOnly = await createPostgresDeliveryStore({ url, schema });
  onTestFinished(() => readOnly.close());
  expect(await errorOf(readOnly.setPaused('ins', true))).toMatchObject({
    code: 'store/unsuitable',
    message: `${where} is read-only: cannot execute UPDATE in a read-only transaction (SQLSTATE 25006).`,
  });

  await sql(
    "create function full() returns trigger language plpgsql as $$ begin raise 'no space left' using errcode = 'disk_full'; end $$",
  );
  await sql('create trigger full_disk before insert on installations execute function full()');
  expect(await errorOf(store.setPaused('ins', true))).toMatchObject({
    code: 'store/failed',
    message: `${where} reported an error: no space left (SQLSTATE 53100).`,
  });

  await sql(`do $$ declare named regprocedure; begin
    for named in select oid from pg_proc where proname = 'queue' and pronamespace = current_schema()::regnamespace
    loop execute format('drop function %s', named); end loop; end $$`);
  expect(await errorOf(store.insert([fresh()]))).toMatchObject({
    code: 'store/missing',
    message: expect.stringMatching(
      /^The delivery tables at \S+ are incomplete: function .* does not exist \(SQLSTATE 42883\)\.$/,
    ),
    hint: 'Run `platform-webhooks migrate`.',
  });

  await sql('begin');
  await sql('lock table endpoints');
  const impatient = await createPostgresDeliveryStore({
    url: inject('postgres'),
    connection: { options: '-c lock_timeout=100' },
    schema,
  });
  onTestFinished(() => impatient.close());
  expect(await errorOf(impatient.endpoints())).toMatchObject({
    code: 'store/timeout',
    message: `${where} canceled a statement: canceling statement due to lock timeout (SQLSTATE 55P03).`,
  });
  await sql('rollback');
});

it('explains only once that the database user may not create the schema', async () => {
  const sql = await admin();
  const role = `nobody_${randomBytes(6).toString('hex')}`;
  await sql.query(`create role ${role} login`);
  onTestFinished(async () => {
    await sql.query(`drop role ${role}`);
  });
  const url = address((one) => (one.username = role));
  expect(await errorOf(migratePostgres({ url, schema: 'mine' }))).toMatchObject({
    code: 'store/rights',
    message:
      'This database user is not allowed to change the schema "mine": permission denied for database postgres.',
  });
});

/** Forwards everything to the shared server and closes the connection when the client sends `text`. */
async function cutAt(text: string): Promise<{ url: string; passOn: boolean }> {
  const cut = { url: '', passOn: false };
  const proxy = createServer((client: Socket) => {
    const server = new URL(inject('postgres'));
    void import('node:net').then(({ connect }) => {
      const up = connect(Number(server.port), '127.0.0.1');
      client.on('data', (data) => {
        if (!data.includes(text)) return up.write(data);
        if (!cut.passOn) return client.destroy();
        // Discards the response.
        up.removeAllListeners('data');
        up.once('data', () => client.destroy());
        return up.write(data);
      });
      up.on('data', (data) => client.write(data));
      for (const one of [client, up]) {
        one.on('error', () => undefined);
        one.on('close', () => (one === client ? up : client).destroy());
      }
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  cut.url = address((url) => (url.port = String((proxy.address() as AddressInfo).port)));
  return cut;
}

it('reports an unknown outcome and allows a retry if the connection drops during the commit', async () => {
  const { store, schema } = await openPostgres();
  const cut = await cutAt('.queue(');
  const producer = await createPostgresDeliveryStore({ url: cut.url, schema });
  onTestFinished(() => producer.close());
  const delivery = fresh({ eventId: 'evt_1' });
  const where = cut.url.replace('postgres://postgres@', '');
  const unknown = {
    code: 'store/outcome-unknown',
    message: `The connection to Postgres at ${where} was lost: Connection terminated unexpectedly. It is unknown whether a change was made.`,
    hint: 'Deliveries may have been queued. It is safe to queue them again with the same event ids.',
  };
  expect(await errorOf(producer.insert([delivery]))).toMatchObject(unknown);
  expect(await store.list()).toHaveLength(0);
  cut.passOn = true;
  expect(await errorOf(producer.insert([delivery]))).toMatchObject(unknown);
  await expect.poll(() => store.list()).toHaveLength(1);
  const [kept] = await store.insert([delivery]);
  expect((await store.list()).map(({ id }) => id)).toEqual([kept?.id]);
});

it('reports that nothing changed if the connection drops before the commit', async () => {
  const { store, schema } = await openPostgres();
  const cut = await cutAt('insert into');
  const other = await createPostgresDeliveryStore({ url: cut.url, schema });
  onTestFinished(() => other.close());
  cut.passOn = true;
  expect(await errorOf(other.setPaused('ins', true))).toMatchObject({
    code: 'store/unreachable',
    hint: 'Nothing was changed. Try again.',
  });
  expect(await store.pausedInstallations()).toEqual([]);
});

it('explains that the server has ended the session, and then that it is unreachable', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const { store, sql } = await openPostgres({}, server.url);
  await sql('begin');
  await sql('lock table endpoints');
  const waiting = errorOf(store.endpoints());
  await expect
    .poll(async () => await sql("select 1 from pg_stat_activity where wait_event_type = 'Lock'"))
    .toHaveLength(1);
  await server.stop();
  expect(await waiting).toMatchObject({
    code: 'store/outcome-unknown',
    message: expect.stringContaining('terminating connection due to administrator command'),
  });
  expect(await errorOf(store.endpoints())).toMatchObject({
    code: 'store/unreachable',
    message: `Cannot connect to Postgres at 127.0.0.1:${server.port}/postgres: connection refused.`,
  });
});

it('explains that the server does not respond to a connection attempt', async () => {
  const silent = createServer(() => undefined);
  const port = await freePort();
  silent.listen(port, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  expect(await errorOf(open(`postgres://postgres@127.0.0.1:${port}/postgres`))).toMatchObject({
    code: 'store/unreachable',
    message: `Cannot connect to Postgres at 127.0.0.1:${port}/postgres: no response in time.`,
  });
});

it("explains that all of the process's connections are in use", async () => {
  const { store, sql } = await openPostgres();
  await sql('begin');
  await sql('lock table done');
  const reads = Array.from({ length: 4 }, () => store.list());
  expect(await errorOf(store.pausedInstallations())).toMatchObject({
    code: 'store/busy',
    message: `All connections of this process to ${shared()} are in use.`,
  });
  await sql('rollback');
  await Promise.all(reads);
});
