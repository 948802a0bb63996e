import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { createMemoryDeliveryStore } from '../../../src/webhooks/queue/memory-delivery-store.js';
import { createBench, openDispatcher, siteView, start } from '../dispatcher-under-test.js';

it('stops its retry timer when the scheduler is closed', async () => {
  let respond = (): void => {};
  const { dispatcher, sent, clock } = await createBench(
    () => new Promise((send) => (respond = () => send(new Response(null, { status: 500 })))),
  );
  await dispatcher.enqueue(siteView('evt_1'));
  while (sent.length < 1) await new Promise(setImmediate);
  const closing = dispatcher.close();
  respond();
  await closing;
  expect((await dispatcher.deliveries.get('dlv_1'))?.delivery.state).toBe('retrying');
  expect(clock.waiting().count).toBe(0);
});

it('the scheduler does not start if the delivery lock is lost before the store grants it', async () => {
  const clock = createVirtualClock(start);
  const store = createMemoryDeliveryStore({ clock });
  const losing = {
    ...store,
    async own(owner: Parameters<typeof store.own>[0]) {
      const right = await store.own(owner);
      await right.release();
      return right;
    },
  };
  await expect(openDispatcher(losing, clock, async () => new Response())).rejects.toMatchObject({
    code: 'right-lost',
  });
});
