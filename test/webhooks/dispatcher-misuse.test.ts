import { expect, test, vi } from 'vitest';
import { createVirtualClock } from '../../src/base/clock.js';
import { createMemoryDeliveryStore } from '../../src/webhooks/queue/memory-delivery-store.js';
import { createBench, openDispatcher, siteEndpoint, siteView, start } from './dispatcher-under-test.js';

const ok = (): Response => Response.json({ received: true });

test('continues sending deliveries and shuts down even if a listener throws', async () => {
  const { dispatcher, sent, pass } = await createBench(ok);
  const thrown: unknown[] = [];
  const queue = globalThis.queueMicrotask;
  const spy = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((work) =>
    queue(() => {
      try {
        work();
      } catch (error) {
        thrown.push((error as Error).message);
      }
    }),
  );
  const changes: string[] = [];
  dispatcher.subscribe(({ type }) => {
    throw new Error(`the listener failed at ${type}`);
  });
  dispatcher.subscribe(({ type }) => changes.push(type));
  const [queued] = await dispatcher.enqueue(siteView('evt_1'));
  await pass(1000);
  await dispatcher.close();
  spy.mockRestore();
  expect([queued?.id, sent.length]).toEqual(['dlv_1', 1]);
  expect(changes).toEqual(['queued', 'attempt']);
  expect(thrown).toEqual(changes.map((type) => `the listener failed at ${type}`));
});

test('ends a delivery whose endpoint is removed twice at the same time', async () => {
  let respond = (): void => {};
  const { dispatcher, endpoint, sent } = await createBench(
    () => new Promise((send) => (respond = () => send(new Response(null, { status: 500 })))),
  );
  const [queued] = await dispatcher.enqueue(siteView('evt_1'));
  while (sent.length === 0) await new Promise(setImmediate);
  const removals = await Promise.allSettled([1, 2].map(() => dispatcher.endpoints.remove(endpoint.id)));
  expect(removals.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  respond();
  await dispatcher.idle();
  expect((await dispatcher.deliveries.get(queued?.id ?? ''))?.delivery).toMatchObject({
    state: 'failed',
  });
  await dispatcher.close();
});

test('accepts a change that the store reports before granting the delivery lock', async () => {
  const clock = createVirtualClock(start);
  const store = createMemoryDeliveryStore({ clock });
  const first = await openDispatcher(store, clock, async () => ok());
  const endpoint = await first.endpoints.add(siteEndpoint());
  await first.close();
  const sent: string[] = [];
  const dispatcher = await openDispatcher(
    {
      ...store,
      own(owner) {
        owner.onChanged([{ type: 'endpoint', endpoint: { ...endpoint, url: 'http://receiver.test/new' } }]);
        return store.own(owner);
      },
    },
    clock,
    async (url) => {
      sent.push(url);
      return ok();
    },
  );
  await dispatcher.enqueue(siteView('evt_1'));
  await dispatcher.idle();
  expect(sent).toEqual(['http://receiver.test/new']);
  await dispatcher.close();
});
