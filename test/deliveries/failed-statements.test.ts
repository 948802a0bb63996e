import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { siteEndpoint } from '../webhooks/dispatcher-under-test.js';
import { openPostgres, type OpenPostgres } from './postgres-under-test.js';
import { startWorker } from './worker-under-test.js';

/** Cancels this worker's next statement with this name, like a statement timeout. */
function createCancel(): { next(worker: string, statement: string): void; cancelled: string[] } {
  type Query = (this: Client, statement: unknown, ...rest: unknown[]) => unknown;
  const prototype = Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  const waiting = new Map<string, string>();
  const cancelled: string[] = [];
  prototype.query = function (statement, ...rest) {
    const { name } = statement as { name?: string };
    const worker = (this as unknown as { connectionParameters: { application_name: string } })
      .connectionParameters.application_name;
    if (name === undefined || waiting.get(worker) !== name) return query.call(this, statement, ...rest);
    waiting.delete(worker);
    cancelled.push(name);
    const error = new Error('canceling statement due to statement timeout');
    return Promise.reject(Object.assign(error, { code: '57014', severity: 'ERROR' }));
  };
  onTestFinished(() => void (prototype.query = query));
  return { next: (worker, statement) => void waiting.set(worker, statement), cancelled };
}

async function parkOne({ again, sql }: OpenPostgres) {
  const store = await again({ name: 'first' });
  const { dispatcher, sent } = await startWorker(store);
  const { id } = await dispatcher.endpoints.add(siteEndpoint());
  await dispatcher.pause(siteEndpoint().installationId);
  await dispatcher.endpoints.ping(id);
  await expect.poll(() => sql('select parked from pending')).toEqual([{ parked: true }]);
  return { dispatcher, sent };
}

const { installationId } = siteEndpoint();

it('sends the deliveries of a resumed installation from a new worker even if a statement fails', async () => {
  const cancel = createCancel();
  const statements = [
    'changed installations',
    'changed endpoints',
    'locks',
    'lock lanes',
    'name owner',
    'newest',
    'parked',
    'unpark',
  ];
  await Promise.all(
    statements.map(async (statement) => {
      const postgres = await openPostgres();
      const { dispatcher } = await parkOne(postgres);
      await dispatcher.close();
      await postgres.store.setPaused(installationId, false);
      // Simulates a crash of the first worker.
      await postgres.sql("update lanes set owner = 'crashed'");
      const name = `second ${statement}`;
      cancel.next(name, statement);
      const store = await postgres.again({ name });
      const { sent } = await startWorker(store);
      await expect.poll(() => sent.length, { timeout: 60_000, message: statement }).toBe(1);
      expect(store.worker().lanes).toBe(256);
    }),
  );
  expect(cancel.cancelled.toSorted()).toEqual(statements.toSorted());
});

it.each(['changed endpoints', 'unpark'])(
  'detects that an installation was resumed even if the statement "%s" fails',
  async (statement) => {
    const cancel = createCancel();
    const postgres = await openPostgres();
    const { sent } = await parkOne(postgres);
    await postgres.sql('begin');
    // The worker waits here so that the change and the failure happen in the same round.
    await postgres.sql('lock table installations in access exclusive mode');
    await new Promise((resolve) => setTimeout(resolve, 300));
    cancel.next('first', statement);
    const revision =
      '(select max(revision) + 1 from (select revision from installations union all select revision from endpoints) r)';
    await postgres.sql(`update installations set paused = false, revision = ${revision}`);
    await postgres.sql('commit');
    await expect.poll(() => sent.length).toBe(1);
    expect(cancel.cancelled).toEqual([statement]);
  },
);
