import { expect, inject, it } from 'vitest';
import { Client } from 'pg';
import { migratePostgres } from '../../src/deliveries/index.js';
import { startDeliveryLog } from '../support/delivery-log.js';
import { proved } from '../support/proved.js';
import { runWebhooks, type PlatformRun } from '../support/run-platform.js';
import { startWorkerProcess, stopWorkers } from '../support/worker-process.js';
import { until } from './fleet.js';
import { openPostgres } from './postgres-under-test.js';
import { eventTo } from '../store/owned-store.js';

/** A name can have up to 63 bytes. The first one has everything that the others have. */
const longest = `UPPER with.dot quo"te'd ${'ü'.repeat(19)}x`;

it.each(proved([longest, 'UPPER', 'with.dot', `quo"te'd`, 'select']))(
  'runs every database command in a schema named %s',
  async (schema) => {
    const url = inject('postgres');
    const run = (...args: string[]): Promise<PlatformRun> =>
      runWebhooks([...args, '--schema', schema], { env: { PLATFORM_DATABASE_URL: url } });
    const json = async (...args: string[]): Promise<Record<string, unknown>> => {
      const { stdout, stderr } = await run(...args, '--json');
      expect(stderr).toBe('');
      return JSON.parse(stdout) as Record<string, unknown>;
    };

    const admin = new Client({ connectionString: url });
    await admin.connect();
    try {
      // The printed SQL is what `migrate` would run.
      await admin.query((await run('migrate', '--print')).stdout);
      const { to } = await migratePostgres({ url, schema });
      expect(await json('migrate')).toMatchObject({ schema, from: to, to });
      const grants = (await run('migrate', '--grants')).stdout;
      await admin.query('begin');
      await admin.query(grants);
      await admin.query('rollback');
    } finally {
      await admin.end();
    }

    const log = await startDeliveryLog((response, { endpoint }) => {
      response.statusCode = endpoint === 'bad' ? 400 : 200;
      response.end();
    });
    const worker = startWorkerProcess({ url, schema });
    try {
      await worker.event('ready');
      const database = ['--database', url];
      const target = ['--installation', 'ins_1', '--site', 'site_1', '--event', 'site_view'];
      const added = await json('add', '--url', `${log.url}/bad`, ...target, ...database);
      const [{ id = '' } = {}] = added['endpoints'] as { id?: string }[];
      expect(await json('list', ...database)).toMatchObject({ endpoints: [{ id }] });

      const { store } = await openPostgres({ schema }, url);
      await store.insert([eventTo(id, 'evt_1')]);
      await until(20_000, 'failed', async () => (await store.list({ state: 'failed' })).length === 1);
      const { items } = await json('deliveries', '--failed', ...database);
      const [{ id: delivery = '' } = {}] = items as { id?: string }[];
      expect(await json('inspect', delivery, ...database)).toMatchObject({ delivery: { state: 'failed' } });
      expect(await json('resend', delivery, ...database)).toMatchObject({
        delivery: { resentFrom: delivery },
      });
      await until(20_000, 'sent again', async () => log.received.length === 2);
      await until(20_000, 'written', async () => (await store.list({ state: 'failed' })).length === 2);
      // Only the newer delivery: the first one has already been sent again.
      expect(await json('resend', '--endpoint', id, ...database)).toMatchObject({ resent: 1 });
      expect(await json('rotate', id, ...database)).toMatchObject({
        endpoints: [{ id, rotatesUntil: expect.any(Number) }],
      });
      for (const enabled of [false, true]) {
        const command = enabled ? 'enable' : 'disable';
        expect(await json(command, id, ...database)).toMatchObject({ endpoints: [{ enabled }] });
      }
      expect(await json('status')).toMatchObject({ workers: [{ name: 'worker' }] });
      expect(await json('remove', id, ...database)).toMatchObject({ endpoints: [] });
      worker.child.kill('SIGTERM');
      expect([await worker.ended, worker.stderr()]).toEqual([143, '']);
    } finally {
      await stopWorkers([worker]);
      log.close();
    }
  },
);
