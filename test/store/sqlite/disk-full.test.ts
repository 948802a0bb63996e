import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createVirtualClock, systemClock } from '../../../src/base/clock.js';
import { defaultLimits } from '../../../src/store/model/store-limits.js';
import { openDatabase } from '../../../src/store/sqlite/open-database.js';
import { openStore } from '../../../src/store/open-store.js';
import { createSqliteDeliveries } from '../../../src/store/deliveries/sqlite-deliveries.js';
import type { DeliveryStore, NewDelivery } from '../../../src/webhooks/model/delivery-store.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openDispatcher, siteEndpoint, siteView } from '../../webhooks/dispatcher-under-test.js';

const fresh = (n: number): NewDelivery => ({
  endpointId: 'ep',
  installationId: 'i',
  eventId: `evt_${n}`,
  eventType: 'site_view',
  body: new Uint8Array(2000),
  createdAt: n,
});

/** Inserts until the disk is full, many at once; gives the events that were acknowledged. */
async function fill(deliveries: DeliveryStore): Promise<{ acknowledged: string[]; errors: unknown[] }> {
  const acknowledged: string[] = [];
  const errors: unknown[] = [];
  for (let round = 0; errors.length === 0 && round < 1000; round += 1) {
    const group = Array.from({ length: 20 }, async (_, n) => {
      const [delivery] = await deliveries.insert([fresh(round * 20 + n)]);
      acknowledged.push(delivery?.eventId ?? '');
    });
    for (const result of await Promise.allSettled(group)) {
      if (result.status === 'rejected') errors.push(result.reason);
    }
  }
  return { acknowledged, errors };
}

it('does not acknowledge an event that cannot be saved because the database is full', async () => {
  const file = join(temporaryFolder(), 'state.db');
  const db = openDatabase(file);
  db.exec('PRAGMA max_page_count = 100');
  const { acknowledged, errors } = await fill(
    createSqliteDeliveries(db, { file, clock: systemClock, limits: defaultLimits }),
  );
  expect(acknowledged.length).toBeGreaterThan(20);
  for (const error of errors) expect(error).toMatchObject({ name: 'UserError', code: 'store/full' });
  db.close();

  const store = openStore({ file, clock: systemClock });
  const kept = await store.deliveries.list({ limit: 100_000 });
  expect(kept.map(({ eventId }) => eventId).toSorted()).toEqual(acknowledged.toSorted());
  await store.close();
});

const mount = (folder: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0;

it('does not acknowledge an event that cannot be saved because the disk is full', async ({ skip }) => {
  const folder = join(temporaryFolder(), 'disk');
  mkdirSync(folder);
  if (!mount(folder)) skip('Only root can mount a small disk.');
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  const store = openStore({ file: join(folder, 'state.db'), clock: systemClock });
  const { acknowledged, errors } = await fill(store.deliveries);
  expect(acknowledged.length).toBeGreaterThan(20);
  expect(errors.length).toBeGreaterThan(0);
  const kept = await store.deliveries.list({ limit: 100_000 });
  console.log(`full disk: ${acknowledged.length} acknowledged, ${kept.length} kept, ${errors.length} errors`);
  expect(kept.map(({ eventId }) => eventId).toSorted()).toEqual(acknowledged.toSorted());
  expect(() => store.state.put('a', 'b', 'x'.repeat(1_000_000))).toThrow(
    expect.objectContaining({ code: 'store/full' }),
  );
});

it('reports a full database, repeats no delivery, and continues when space is available', async () => {
  const file = join(temporaryFolder(), 'state.db');
  const db = openDatabase(file);
  const clock = createVirtualClock(0);
  const store = createSqliteDeliveries(db, { file, clock, limits: defaultLimits });
  let requests = 0;
  const dispatcher = await openDispatcher(store, clock, async () => {
    requests += 1;
    // What came of it cannot be written down: the answer takes pages of its own.
    db.exec(`PRAGMA max_page_count = ${Number(db.prepare('PRAGMA page_count').first()?.[0])}`);
    return new Response('x'.repeat(60_000));
  });
  await dispatcher.endpoints.add(siteEndpoint());
  const troubles: unknown[] = [];
  dispatcher.subscribe((change) => {
    if (change.type === 'trouble') troubles.push(change.error);
  });
  await dispatcher.enqueue(siteView('evt_1'));
  for (let turn = 0; troubles.length < 3; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await clock.advance(1000);
    expect(turn).toBeLessThan(200);
  }
  expect(troubles[0]).toMatchObject({ code: 'store/full' });
  db.exec('PRAGMA max_page_count = 100000');
  while ((await store.get('dlv_1'))?.state !== 'delivered') {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await clock.advance(1000);
  }
  expect(requests).toBe(1);
  await dispatcher.close();
  db.close();
});
