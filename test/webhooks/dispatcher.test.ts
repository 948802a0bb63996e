import { expect, test, vi } from 'vitest';
import { createVirtualClock } from '../../src/base/clock.js';
import { createMemoryDeliveryStore } from '../../src/webhooks/queue/memory-delivery-store.js';
import { endpoint as stored, eventTo, silentOwner } from '../store/owned-store.js';
import { createBench, hang, openDispatcher, siteEndpoint, siteView, start } from './dispatcher-under-test.js';

const ok = (): Response => Response.json({ received: true });

test('sends a queued event to the endpoints of its target that subscribe to it', async () => {
  const { dispatcher, sent, pass } = await createBench(ok);
  const add = dispatcher.endpoints.add;
  await add(siteEndpoint({ url: 'http://feedback.test/', events: ['page_feedback'] }));
  await add(siteEndpoint({ url: 'http://other-site.test/', target: { type: 'site', id: 'other' } }));
  await add(siteEndpoint({ url: 'http://other-installation.test/', installationId: 'other' }));
  await add(siteEndpoint({ url: 'http://both.test/', events: ['site_view', 'page_feedback'] }));
  const space = { type: 'space', id: 'site' } as const;
  await add(siteEndpoint({ url: 'http://space.test/', target: space, events: ['space_content_updated'] }));
  expect(await dispatcher.enqueue(siteView('evt_1'))).toHaveLength(2);
  await pass(0);
  expect(sent.map(({ url }) => url).toSorted()).toEqual(['http://both.test/', 'http://receiver.test/hook']);
});

test('holds events while their endpoint is disabled', async () => {
  const { dispatcher, endpoint, sent, pass } = await createBench(() =>
    sent.length === 1 ? new Response(null, { status: 500 }) : ok(),
  );
  await dispatcher.enqueue(siteView('evt_1'));
  await pass(500);
  await dispatcher.endpoints.update(endpoint.id, { enabled: false });
  expect(await dispatcher.enqueue(siteView('evt_2'))).toMatchObject([{ state: 'held' }]);
  expect(await dispatcher.enqueueTo(endpoint.id, siteView('evt_3'))).toMatchObject({ state: 'held' });
  await expect(dispatcher.endpoints.ping(endpoint.id)).rejects.toMatchObject({ code: 'endpoint-disabled' });
  await pass(60_000);
  expect(sent).toHaveLength(1);
  expect(await dispatcher.deliveries.backlog()).toEqual({ pending: 0, retrying: 0, held: 3, inFlight: 0 });
  await dispatcher.endpoints.update(endpoint.id, { enabled: true });
  await pass(1000);
  expect(sent).toHaveLength(4);
});

test('sends other deliveries between those that an earlier sender was preparing when it died', async () => {
  const clock = createVirtualClock(start);
  const store = createMemoryDeliveryStore({ clock });
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const dead = await store.own(silentOwner);
  for (const id of ids) await store.putEndpoint({ ...stored, id, url: `http://${id}.test/` });
  await store.insert(ids.map((id) => eventTo(id, `evt_${id}`)));
  await dead.claim(ids.map((endpointId) => ({ endpointId, limit: 1, suspects: false })));
  await dead.release();
  await store.putEndpoint({ ...stored, id: 'other', url: 'http://other.test/' });
  await store.insert([eventTo('other', 'evt_other')]);
  const sent: string[] = [];
  const dispatcher = await openDispatcher(store, clock, async (url) => {
    sent.push(url);
    return ok();
  });
  await dispatcher.idle();
  expect(sent).toHaveLength(6);
  expect(sent.indexOf('http://other.test/')).toBe(1);
});

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
  expect((await dispatcher.deliveries.get(queued?.id ?? ''))?.delivery).toMatchObject({ state: 'failed' });
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

test('the scheduler does not start if the delivery lock is lost before the store grants it', async () => {
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

test('stops waiting for a response, and closes, while the clock is frozen', async () => {
  const timers = createVirtualClock();
  const { dispatcher, sent } = await createBench((_, signal) => hang(signal), { timers });
  await dispatcher.enqueue(siteView('evt_1'));
  await expect.poll(() => sent).toHaveLength(1);
  await timers.advance(10_000);
  await expect
    .poll(async () => (await dispatcher.deliveries.get('dlv_1'))?.attempts)
    .toMatchObject([{ durationMs: 10_000, result: { kind: 'error', error: 'timeout' } }]);

  await dispatcher.enqueue(siteView('evt_2'));
  await expect.poll(() => sent).toHaveLength(2);
  const closing = dispatcher.close({ patienceMs: 1000 });
  await timers.advance(1000);
  await closing;
});
