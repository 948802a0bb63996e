import { expect, it, vi } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import type { DeliveryRight, DeliveryStore } from '../../../src/webhooks/model/delivery-store.js';
import { createMemoryDeliveryStore } from '../../../src/webhooks/queue/memory-delivery-store.js';
import { openDispatcher, siteEndpoint, siteView, start, createBench } from '../dispatcher-under-test.js';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
};

/** A store whose right is replaced in part. */
const withRight = (
  store: DeliveryStore,
  change: (right: DeliveryRight) => Partial<DeliveryRight>,
): DeliveryStore => ({
  ...store,
  async own(owner) {
    const right = await store.own(owner);
    return { ...right, ...change(right) };
  },
});

it('sends a delivery that becomes due while another claim for its endpoint is pending', async () => {
  const clock = createVirtualClock(start);
  const store = createMemoryDeliveryStore({ clock });
  let release = (): void => {};
  let claims = 0;
  const slow = withRight(store, (right) => ({
    async claim(requests) {
      const results = await right.claim(requests);
      claims += 1;
      if (claims === 1) await new Promise<void>((resolve) => (release = resolve));
      return results;
    },
  }));
  let sent = 0;
  const dispatcher = await openDispatcher(slow, clock, async () => {
    sent += 1;
    return new Response();
  });
  await dispatcher.endpoints.add(siteEndpoint());
  await dispatcher.enqueue(siteView('evt_1'));
  await vi.waitFor(() => expect(claims).toBe(1));
  await dispatcher.enqueue(siteView('evt_2'));
  release();
  await dispatcher.idle();
  expect(sent).toBe(2);
  await dispatcher.close();
});

it('never prepares another delivery at the same time as one that may have caused a crash', async () => {
  const clock = createVirtualClock(start);
  const store = createMemoryDeliveryStore({ clock });
  const rights: DeliveryRight[] = [];
  const dying = withRight(store, (right) => {
    rights.push(right);
    return { markSent: () => new Promise(() => {}) };
  });
  const first = await openDispatcher(dying, clock, async () => new Response());
  for (const n of [1, 2]) {
    const target = { type: 'site', id: `site_${n}` } as const;
    await first.endpoints.add(siteEndpoint({ url: `http://receiver-${n}.test/`, target }));
  }
  await first.enqueue(siteView('evt_1', 'site_1'));
  while ((await store.get('dlv_1'))?.phase !== 'preparing') await new Promise(setImmediate);
  await rights[0]?.release();

  const reads: string[] = [];
  const waiting = new Map<string, () => void>();
  const second = await openDispatcher(
    {
      ...store,
      async body(id) {
        reads.push(id);
        await new Promise<void>((resolve) => waiting.set(id, resolve));
        return store.body(id);
      },
    },
    clock,
    async () => new Response(),
  );
  await turns();
  await second.enqueue(siteView('evt_2', 'site_2'));
  await turns();
  expect(reads).toEqual(['dlv_1']);
  expect((await store.get('dlv_1'))?.crashes).toBe(1);
  waiting.get('dlv_1')?.();
  while (reads.length < 2) await new Promise(setImmediate);
  await second.pause('ins');
  await second.resume('ins');
  waiting.get('dlv_2')?.();
  await second.idle();
  expect((await store.list()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  await second.close();
});

it('prepares all other deliveries before one that may have caused a crash', async () => {
  const clock = createVirtualClock(start);
  const store = createMemoryDeliveryStore({ clock });
  const reads: string[] = [];
  const waiting = new Map<string, () => void>();
  const slow: DeliveryStore = {
    ...store,
    async own(owner) {
      const right = await store.own(owner);
      // The first delivery of the second endpoint is a suspect, in this store.
      return {
        ...right,
        claim: async (requests) =>
          (await right.claim(requests.map((request) => ({ ...request, suspects: false })))).map((result) => ({
            ...result,
            next: {},
          })),
      };
    },
    async body(id) {
      reads.push(id);
      await new Promise<void>((resolve) => waiting.set(id, resolve));
      return store.body(id);
    },
  };
  let report = (): void => {};
  const reporting: DeliveryStore = {
    ...slow,
    own(owner) {
      return slow.own({
        ...owner,
        onDue(endpointId, next) {
          if (endpointId === suspected) report = () => owner.onDue(endpointId, { suspectInMs: 0 });
          else owner.onDue(endpointId, next);
        },
      });
    },
  };
  let suspected: string | undefined;
  const dispatcher = await openDispatcher(reporting, clock, async () => new Response());
  await dispatcher.endpoints.add(siteEndpoint({ target: { type: 'site', id: 'site_1' } }));
  suspected = (await dispatcher.endpoints.add(siteEndpoint({ target: { type: 'site', id: 'site_2' } }))).id;
  await dispatcher.enqueue(siteView('evt_1', 'site_1'));
  while (reads.length < 1) await new Promise(setImmediate);
  await dispatcher.enqueue(siteView('evt_2', 'site_2'));
  report();
  await turns();
  expect(reads).toEqual(['dlv_1']);
  waiting.get('dlv_1')?.();
  while (reads.length < 2) await new Promise(setImmediate);
  waiting.get('dlv_2')?.();
  await dispatcher.idle();
  await dispatcher.close();
});

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
