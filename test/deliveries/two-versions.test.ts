import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createPostgresDeliveryStore } from '../../src/deliveries/index.js';
import { startDeliveryLog } from '../support/delivery-log.js';
import { checkOutOldVersion } from '../support/old-version.js';
import { runWebhooks } from '../support/run-platform.js';
import {
  startWorkerProcess,
  stopWorkers,
  watchWorker,
  type WorkerProcess,
} from '../support/worker-process.js';
import { endpointOf, until } from './fleet.js';
import { eventTo } from '../store/owned-store.js';

const url = inject('postgres');
const env = { ...process.env, PLATFORM_DATABASE_URL: url };

test(
  'lets workers of this version and of 0.2.0 share a schema and take over from each other',
  { timeout: 180_000 },
  async (context) => {
    const old = checkOutOldVersion();
    if ('missing' in old) return context.skip(old.missing);
    onTestFinished(old.close);
    const schema = `versions_${Date.now()}`;
    const log = await startDeliveryLog((response) => setTimeout(() => response.end('{}'), 20));
    const workers: WorkerProcess[] = [];
    onTestFinished(async () => {
      await stopWorkers(workers);
      log.close();
    });

    const startOld = async (name: string): Promise<WorkerProcess> => {
      const args = ['webhook', 'worker', '--json', '--targets', 'any', '--schema', schema, '--name', name];
      const worker = watchWorker(
        spawn(process.execPath, [...old.command, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
      );
      workers.push(worker);
      await worker.event('ready');
      return worker;
    };
    const endpoints = Array.from({ length: 40 }, (_, n) => `whe_${n}`);
    const queued: string[] = [];
    const queueByOld = async (prefix: string, count: number): Promise<void> => {
      const args = [...old.producer, schema, endpoints.join(','), prefix, String(count)];
      await promisify(execFile)(process.execPath, args, { env });
      queued.push(...Array.from({ length: count }, (_, n) => `${prefix}_${n}`));
    };
    const allArrive = (when: string): Promise<void> =>
      until(30_000, `all events ${when}`, async () => queued.every((id) => log.events.has(id)));

    const first = await startOld('old-1');
    const client = new Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    for (const id of endpoints) {
      // The format of 0.2.0, where an endpoint's target was called place.
      const { target: place, ...rest } = endpointOf(id, `${log.url}/${id}`);
      await client.query(
        `with r as (update ${schema}.revisions set last = last + 1 returning last)
       insert into ${schema}.endpoints (id, value, revision) select $1, $2, last from r`,
        [id, { ...rest, place }],
      );
    }

    const migrated = Promise.all([
      queueByOld('during', 1000),
      runWebhooks(['migrate', '--schema', schema], { env: { PLATFORM_DATABASE_URL: url } }),
    ]);
    expect((await migrated)[1]).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('from version 1.2 to'),
    });
    await allArrive('during the migration');

    const store = await createPostgresDeliveryStore({ url, schema });
    onTestFinished(() => store.close());
    const lanes = async (): Promise<number[]> => (await store.status()).workers.map((one) => one.lanes);
    const second = startWorkerProcess({ url, schema, name: 'new' });
    workers.push(second);
    await second.event('ready');
    await until(30_000, 'shared lanes', async () => String(await lanes()) === '128,128');
    const queueByNew = async (prefix: string, count: number): Promise<void> => {
      for (let made = 0; made < count; made += endpoints.length) {
        const events = endpoints.map((id, at) => eventTo(id, `${prefix}_${made + at}`));
        await store.insert(events);
        queued.push(...events.map(({ eventId }) => eventId));
      }
    };
    await Promise.all([queueByOld('both-old', 1000), queueByNew('both-new', 1000)]);
    await allArrive('with both versions');

    // The rollback: the new worker stops, and another 0.2.0 worker starts with the new schema.
    const rolledBack = queueByNew('rollback', 1000);
    second.child.kill('SIGTERM');
    await second.ended;
    await rolledBack;
    await startOld('old-2');
    await queueByOld('after', 1000);
    await allArrive('after the rollback');

    console.log(
      `two versions: 0 of ${queued.length} missing, ${log.repeated()} sent twice, at most ${log.mostOpen()} open`,
    );
    expect(queued).toHaveLength(5000);
    expect(log.repeated()).toBe(0);
    expect(log.mostOpen()).toBeLessThanOrEqual(4);
    for (const worker of workers) expect(worker.stderr()).toBe('');
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(143);
  },
);
