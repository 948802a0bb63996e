import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { createPostgresDeliveryStore } from '../../src/deliveries/index.js';
import { silentOwner, eventTo } from '../store/owned-store.js';
import { freePort } from '../support/free-port.js';
import { startPostgres } from '../support/postgres-server.js';
import { siteEndpoint } from '../webhooks/dispatcher-under-test.js';
import { openPostgres } from './postgres-under-test.js';
import { startWorker } from './worker-under-test.js';

const noPgBouncer = existsSync('/usr/sbin/pgbouncer') ? undefined : 'it needs the package pgbouncer';

async function startPgBouncer(mode: 'transaction' | 'session'): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const server = new URL(inject('postgres'));
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
postgres = host=127.0.0.1 port=${server.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 5
ignore_startup_parameters = options
`,
  );
  const user = process.getuid?.() === 0 ? { uid: Number(execFileSync('id', ['-u', 'nobody'])) } : {};
  const bouncer = spawn('/usr/sbin/pgbouncer', [join(folder, 'pgbouncer.ini')], { ...user, stdio: 'ignore' });
  onTestFinished(async () => {
    const exit = once(bouncer, 'exit');
    bouncer.kill('SIGKILL');
    await exit;
    rmSync(folder, { recursive: true });
  });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await expect
    .poll(async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.end();
      return true;
    })
    .toBe(true);
  return url;
}

it.skipIf(noPgBouncer).each(['transaction', 'session'] as const)(
  'rejects a worker behind PgBouncer in %s mode, but lets producers queue events',
  async (mode) => {
    const direct = await openPostgres();
    const url = await startPgBouncer(mode);
    const through = await direct.again({ url });
    await expect(through.own(silentOwner)).rejects.toMatchObject({
      code: 'store/unsuitable',
      message: expect.stringMatching(/pooler|statement_timeout|session/),
    });
    const worker = await startWorker(direct.store);
    const { id } = await worker.dispatcher.endpoints.add(siteEndpoint());
    await through.insert(['evt_1', 'evt_2'].map((eventId) => eventTo(id, eventId)));
    await expect.poll(() => worker.sent.toSorted()).toEqual(['evt_1', 'evt_2']);
    // The pooler's sessions hold no more locks.
    const locks = await direct.sql(
      "select count(*)::int as count from pg_locks where locktype = 'advisory' and classid = 4294967295",
    );
    expect(locks).toEqual([{ count: 0 }]);
  },
);

it('keeps its database session open while idle', async () => {
  const { store, sql } = await openPostgres({ pollMs: 60_000, name: 'idle' });
  const right = await store.own(silentOwner);
  await expect
    .poll(
      () => sql("select query from pg_stat_activity where application_name = 'idle' and query = 'select 1'"),
      { timeout: 6000 },
    )
    .toHaveLength(1);
  expect(right.lost.aborted).toBe(false);
  await right.release();
});

it.each([1, 2])('explains that the database user may open only %i connections', async (limit) => {
  const { sql, again } = await openPostgres();
  const role = `few_${limit}_${Date.now()}`;
  await sql(`create role ${role} login superuser`);
  // Superusers have no limit.
  const url = new URL(inject('postgres'));
  url.username = role;
  const store = await again({ url: url.href });
  await store.backlog();
  await sql(`alter role ${role} nosuperuser connection limit ${limit}`);
  await expect(store.own(silentOwner)).rejects.toMatchObject({
    code: 'store/unreachable',
    message: expect.stringContaining('too many connections for role'),
    hint: expect.stringContaining('connection limit'),
  });
});

it('rejects a worker that connects to a read-only replica', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const { store } = await openPostgres({}, server.url);
  await server.stop();
  server.becomeReplica();
  await server.start();
  await expect(store.own(silentOwner)).rejects.toMatchObject({
    code: 'store/unsuitable',
    message: expect.stringContaining('replica'),
  });
});

it('overrides session options that are set in the URL or for the database role', async () => {
  const postgres = await openPostgres();
  const url = new URL(postgres.url);
  url.searchParams.set('options', '-c statement_timeout=0 -c enable_seqscan=on -c work_mem=8MB');
  url.searchParams.set('application_name', 'theirs');
  const store = await postgres.again({ url: url.href, name: 'mine' });
  await postgres.sql("alter role postgres set idle_session_timeout = '1h'");
  onTestFinished(async () => {
    await postgres.sql('alter role postgres reset idle_session_timeout');
  });
  const right = await store.own(silentOwner);
  expect((await store.status()).workers).toMatchObject([{ name: 'mine' }]);
  await right.release();
});

it.each([
  ['a closed port', 'postgres://me:geheim@127.0.0.1:1/x', 'store/unreachable'],
  ['an unknown host', 'postgres://me:geheim@does-not-exist.invalid/x', 'store/unreachable'],
  ['a URL for another database', 'mysql://me:geheim@127.0.0.1/x', 'store/unreachable'],
  ['a missing database', '/geheim_missing', 'store/missing'],
])('explains %s without showing the password', async (_, url, code) => {
  const full = url.startsWith('/') ? inject('postgres').replace('postgres@', 'postgres:geheim@') + '_x' : url;
  const error: unknown = await createPostgresDeliveryStore({ url: full }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ name: 'UserError', code, hint: expect.any(String) });
  expect(String(error)).not.toContain('geheim');
});
