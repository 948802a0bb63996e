import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { createPostgresDeliveryStore } from '../../src/deliveries/index.js';
import { fresh } from '../store/owned-store.js';
import { runWebhooks } from '../support/run-platform.js';
import { startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { openPostgres, type OpenPostgres } from './postgres-under-test.js';
import { startWorker } from './worker-under-test.js';
import { temporaryFolder } from '../support/temporary-folder.js';

async function start(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const server = await startPostgres(settings);
  onTestFinished(() => server.remove());
  return server;
}

const event = fresh({ endpointId: 'whe_1', eventId: 'evt_1', body: Buffer.from('{"eventId":"evt_1"}') });
const endpoint = {
  id: 'whe_1',
  installationId: 'ins_1',
  target: { type: 'site' as const, id: 'site_1' },
  url: 'http://receiver.test/',
  events: ['site_view'],
  enabled: true,
  secret: 's',
  createdAt: 1,
};

/** Checks that a worker and a producer deliver through this URL. */
async function deliver({ schema, store: direct }: OpenPostgres, url: string): Promise<void> {
  await direct.putEndpoint(endpoint);
  const open = () => createPostgresDeliveryStore({ url, schema, pollMs: 20 });
  const [worker, producer] = [await open(), await open()];
  onTestFinished(() => Promise.all([worker.close(), producer.close()]).then(() => undefined));
  const { sent, dispatcher } = await startWorker(worker);
  await producer.insert([event]);
  await expect.poll(() => sent).toEqual(['evt_1']);
  await dispatcher.close();
}

const withHosts = (hosts: string, query = ''): string => `postgres://postgres@${hosts}/postgres${query}`;

it('connects to the first host in a list that accepts connections', async () => {
  const { port } = new URL(inject('postgres'));
  const postgres = await openPostgres();
  await deliver(postgres, withHosts(`127.0.0.1:1,127.0.0.1:${port}`));
  await deliver(
    await openPostgres(),
    `postgres:///postgres?user=postgres&host=127.0.0.1,127.0.0.1&port=1,${port}`,
  );
  // The command uses it too.
  const status = ['status', '--schema', postgres.schema];
  const byUrl = await runWebhooks(status, {
    env: { PLATFORM_DATABASE_URL: withHosts(`127.0.0.1:1,127.0.0.1:${port}`) },
  });
  expect(byUrl).toMatchObject({ code: 0, stderr: '' });
  vi.stubEnv('PGHOST', '127.0.0.1,127.0.0.1');
  await expect(createPostgresDeliveryStore()).rejects.toMatchObject({
    message: 'PGHOST cannot contain several hosts.',
    hint: 'Use a connection URL: postgres://user@host-1,host-2/database.',
  });
  vi.unstubAllEnvs();
  const nowhere = await runWebhooks(status, {
    env: { PLATFORM_DATABASE_URL: withHosts('127.0.0.1:1,127.0.0.1:2') },
  });
  expect(nowhere).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'Cannot connect to Postgres at 127.0.0.1:2/postgres: connection refused.',
    ),
  });
});

it('finds the primary server among several hosts', async () => {
  const [first, second] = [await start(), await start()];
  const address = withHosts(
    `127.0.0.1:${first.port},127.0.0.1:${second.port}`,
    '?target_session_attrs=read-write',
  );
  const schema = 'webhooks';
  const onSecond = await openPostgres({ schema }, second.url);
  await first.stop();
  first.becomeReplica();
  await first.start();
  await deliver(onSecond, address);
  const store = await createPostgresDeliveryStore({ url: address, schema });
  onTestFinished(() => store.close());
  expect(await store.listEndpoints()).toHaveLength(1);
  // Without a primary, the error shows the last host tried.
  await second.stop();
  await expect(store.listEndpoints()).rejects.toMatchObject({
    code: expect.stringMatching(/^store\/(unsuitable|unreachable)$/),
    message: expect.stringMatching(/127\.0\.0\.1:\d+\/postgres( is read-only|: connection refused)\.$/),
  });
  await second.start();
  expect(await store.listEndpoints()).toHaveLength(1);
});

it.each(['standby', 'read-only', 'prefer-standby'])('explains that %s is not supported', async (value) => {
  await expect(
    createPostgresDeliveryStore({ url: withHosts('127.0.0.1:1', `?target_session_attrs=${value}`) }),
  ).rejects.toMatchObject({
    code: 'store/unsuitable',
    message: `target_session_attrs=${value} is not supported.`,
    hint: 'Use read-write, primary or any.',
  });
});

/** A self-signed certificate, valid only for `localhost`. */
function createCertificate(): { cert: string; key: string } {
  const folder = temporaryFolder();
  const [cert, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  const make = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  execFileSync(
    'openssl',
    [...make, '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert],
    { stdio: 'ignore' },
  );
  chmodSync(folder, 0o755);
  chmodSync(key, 0o600);
  if (process.getuid?.() === 0) chownSync(key, Number(execFileSync('id', ['-u', 'nobody'])), -1);
  return { cert, key };
}

it('encrypts the connection with sslmode=require, and checks the certificate with verify-full', async () => {
  const { cert, key } = createCertificate();
  const server = await start({ ssl: 'on', ssl_cert_file: cert, ssl_key_file: key });
  const warned = vi.spyOn(process, 'emitWarning');
  const postgres = await openPostgres({}, server.url);
  const url = (query: string, host = '127.0.0.1'): string => withHosts(`${host}:${server.port}`, query);
  const encrypted = async (address: string): Promise<unknown> => {
    const store = await createPostgresDeliveryStore({ url: address, schema: postgres.schema, name: 'tls' });
    const [row] = await postgres.sql(
      "select bool_and(ssl) as ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'tls'",
    );
    await store.close();
    return row?.['ssl'];
  };
  expect(await encrypted(url(''))).toBe(false);
  expect(await encrypted(url('?sslmode=disable'))).toBe(false);
  expect(await encrypted(url('?sslmode=require'))).toBe(true);
  expect(await encrypted(url('?sslmode=no-verify'))).toBe(true);
  expect(await encrypted(url(`?sslmode=verify-ca&sslrootcert=${cert}`))).toBe(true);
  expect(await encrypted(url(`?sslmode=verify-full&sslrootcert=${cert}`, 'localhost'))).toBe(true);
  await deliver(postgres, url(`?sslmode=verify-full&sslrootcert=${cert}`, 'localhost'));

  const rejected = (code: string, message: unknown) => ({ code, message, hint: expect.any(String) });
  const where = (host: string): string => `Postgres at ${host}:${server.port}/postgres`;
  await expect(encrypted(url('?sslmode=verify-full', 'localhost'))).rejects.toMatchObject(
    rejected(
      'store/tls',
      `The TLS certificate of ${where('localhost')} was rejected: self-signed certificate.`,
    ),
  );
  await expect(encrypted(url(`?sslmode=verify-full&sslrootcert=${cert}`))).rejects.toMatchObject(
    rejected(
      'store/tls',
      expect.stringContaining(
        `The TLS certificate of ${where('127.0.0.1')} was rejected: Hostname/IP does not match`,
      ),
    ),
  );
  const { cert: other } = createCertificate();
  await expect(encrypted(url(`?sslmode=require&sslrootcert=${other}`))).rejects.toMatchObject(
    rejected('store/tls', expect.stringContaining('was rejected')),
  );
  await expect(encrypted(url('?sslmode=verify-full&sslrootcert=/nowhere.crt'))).rejects.toMatchObject(
    rejected('store/tls', expect.stringMatching(/^Cannot read sslrootcert: ENOENT.*nowhere\.crt/)),
  );
  await expect(encrypted(url('?sslmode=prefer'))).rejects.toMatchObject(
    rejected('store/tls', 'sslmode=prefer is not supported.'),
  );
  await expect(encrypted(url('?sslmode=verify-ca'))).rejects.toMatchObject(
    rejected('store/tls', 'sslmode=verify-ca needs sslrootcert.'),
  );
  expect(warned).not.toHaveBeenCalled();
});

it('sends deliveries through a database connection on a Unix socket', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  const server = await start({ unix_socket_directories: folder });
  const postgres = await openPostgres({}, server.url);
  await deliver(postgres, `postgres://postgres@/postgres?host=${folder}&port=${server.port}`);
  const [row] = await postgres.sql('select count(*)::int as count from done');
  expect(row).toEqual({ count: 1 });
});
