import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { openStore } from '../../../src/store/open-store.js';
import { openSqlite, toBlob } from '../../../src/store/sqlite/sqlite.js';
import type { DeliveryChange } from '../../../src/webhooks/dispatcher.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openDispatcher, siteEndpoint, siteView, start } from '../../webhooks/dispatcher-under-test.js';

const values = {
  'invalid JSON': '{"id":"whe_',
  nothing: '',
  null: 'null',
  'an endpoint without a secret': JSON.stringify({ id: 'whe_1', ...siteEndpoint() }),
};

test.each(Object.entries(values))('serves all other endpoints if one is corrupt (%s)', async (_, value) => {
  const file = join(temporaryFolder(), 'state.db');
  const clock = createVirtualClock(start);
  const sent: string[] = [];
  const send = async (url: string): Promise<Response> => {
    sent.push(url);
    return new Response();
  };
  const store = openStore({ file, clock });
  const first = await openDispatcher(store.deliveries, clock, send);
  const damaged = await first.endpoints.add(siteEndpoint({ url: 'http://damaged.test/' }));
  const { secret, ...whole } = await first.endpoints.add(siteEndpoint({ url: 'http://whole.test/' }));
  await first.pause('ins');
  await first.enqueue(siteView('evt_1'));
  await first.close();
  await store.close();
  const db = openSqlite(file);
  db.prepare('UPDATE webhook_endpoint SET value = ? WHERE id = ?').run(toBlob(value), damaged.id);
  db.close();

  const again = openStore({ file, clock });
  const changes: DeliveryChange[] = [];
  const second = await openDispatcher(again.deliveries, clock, send);
  second.subscribe((change) => changes.push(change));
  const message = `The webhook endpoint ${damaged.id} in ${file} is damaged, so nothing is sent to it. Add the endpoint again. Its pending deliveries are still in the file.`;
  const error: unknown = expect.objectContaining({ code: 'store/damaged-endpoint', message });
  expect(changes).toEqual([{ type: 'trouble', error }]);
  expect(second.endpoints.list()).toEqual([{ ...whole, secret }]);

  await second.resume('ins');
  await second.idle();
  expect(sent).toEqual(['http://whole.test/']);
  const states = (await second.deliveries.list()).map(({ endpointId, state }) => [endpointId, state]);
  expect(states).toEqual([
    [whole.id, 'delivered'],
    [damaged.id, 'pending'],
  ]);
  await expect(again.deliveries.changeEndpoint(damaged.id, (one) => one)).rejects.toMatchObject({
    code: 'store/damaged-endpoint',
  });
  await again.deliveries.removeEndpoint(damaged.id);
  expect((await again.deliveries.list())[1]).toMatchObject({ endpointId: damaged.id, state: 'failed' });
  await second.close();
  await again.close();
});

it('resumes an interrupted delivery to a corrupt endpoint', async () => {
  const file = join(temporaryFolder(), 'state.db');
  const clock = createVirtualClock(start);
  const store = openStore({ file, clock });
  const first = await openDispatcher(store.deliveries, clock, () => new Promise(() => {}));
  const damaged = await first.endpoints.add(siteEndpoint());
  await first.enqueue(siteView('evt_1'));
  while ((await store.deliveries.get('dlv_1'))?.phase !== 'sending') await new Promise(setImmediate);
  await store.close();
  const db = openSqlite(file);
  db.prepare('UPDATE webhook_endpoint SET value = ? WHERE id = ?').run(toBlob('{'), damaged.id);
  db.close();
  const again = openStore({ file, clock });
  const second = await openDispatcher(again.deliveries, clock, async () => new Response());
  expect(await again.deliveries.get('dlv_1')).toMatchObject({ state: 'pending', phase: 'waiting' });
  await second.close();
  await again.close();
});
