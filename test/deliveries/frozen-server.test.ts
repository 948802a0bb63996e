import { chmodSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { fresh } from '../store/owned-store.js';
import { startPostgres } from '../support/postgres-server.js';
import { startWorkerProcess, stopWorkers } from '../support/worker-process.js';
import { openPostgres } from './postgres-under-test.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const event = (eventId: string) => fresh({ endpointId: 'ep', eventId, body: Buffer.from('{}') });

/** A Unix socket has no `tcp_user_timeout` and no keep-alive: only the clients' own time limits help. */
test('limits how long a frozen server can delay producers and SIGTERM', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  const server = await startPostgres({ unix_socket_directories: folder });
  onTestFinished(() => server.remove());
  const url = `postgres://postgres@/postgres?host=${folder}&port=${server.port}`;
  const { store, schema } = await openPostgres({}, url);
  await Promise.all([store.insert([event('evt_1')]), store.backlog(), store.list()]);
  const worker = startWorkerProcess({ url, schema });
  onTestFinished(() => stopWorkers([worker]));
  await worker.event('ready');

  const unfreeze = server.freeze();
  try {
    const inserts = Array.from({ length: 20 }, (_, n) =>
      store.insert([event(`evt_frozen_${n}`)]).then(
        () => 'inserted',
        (error: unknown) => (error as { code: string }).code,
      ),
    );
    worker.child.kill('SIGTERM');
    const results = await Promise.all(inserts);
    // This producer must open a connection first.
    await expect(store.insert([event('evt_later')])).rejects.toMatchObject({ code: 'store/unreachable' });
    await worker.ended;
    expect(new Set(results)).toEqual(new Set(['store/outcome-unknown']));
  } finally {
    unfreeze();
  }
  const [kept] = await store.insert([event('evt_back')]);
  expect(kept).toMatchObject({ eventId: 'evt_back' });
});
