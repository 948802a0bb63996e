import { expect, it, test, vi } from 'vitest';
import { createVirtualClock } from '../../src/base/clock.js';
import { createWebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { eachStore } from '../store/each-store.js';
import { webhookFetch } from '../../src/emulator/webhook-fetch.js';
import { startOwnReceiver } from '../support/own-receiver.js';
import {
  hang,
  openDispatcher,
  pass,
  siteEndpoint,
  siteView,
  start,
  withMortalOwner,
  createBench,
} from './dispatcher-under-test.js';
import { createMemoryDeliveryStore } from '../../src/webhooks/queue/memory-delivery-store.js';

const ok = (): Response => Response.json({ received: true });

eachStore((stores) => {
  it('retries with signed requests and the right delays until one request succeeds', async () => {
    const clock = createVirtualClock(start);
    const receiver = await startOwnReceiver({ statuses: [500, 500], tolerance: 1, now: clock.now });
    const dispatcher = await createWebhookDispatcher({
      store: stores.open({}, clock).deliveries,
      clock,
      random: Math.random,
      fetch: webhookFetch,
      version: '1.2.3',
    });
    const endpoint = await dispatcher.endpoints.add(siteEndpoint({ url: receiver.url }));
    receiver.secret = endpoint.secret;
    const [queued] = await dispatcher.enqueue(siteView('evt_1'));
    await pass(clock, dispatcher, 10_000);

    expect(receiver.accepted.map(({ eventId }) => eventId)).toEqual(['evt_1', 'evt_1', 'evt_1']);
    expect(receiver.refused()).toBe(0);
    expect(new Set(receiver.accepted.map(({ header }) => header)).size).toBe(3);
    expect(new Set(receiver.accepted.map(({ body }) => body)).size).toBe(1);
    const details = await dispatcher.deliveries.get(queued?.id ?? '');
    expect(details?.delivery).toMatchObject({ state: 'delivered', attempts: 3, requests: 3, crashes: 0 });
    expect(details?.attempts.map(({ number, result }) => [number, result])).toEqual([
      [1, { kind: 'answer', status: 500, body: new TextEncoder().encode('{"received":true}') }],
      [2, { kind: 'answer', status: 500, body: new TextEncoder().encode('{"received":true}') }],
      [3, { kind: 'answer', status: 200, body: new TextEncoder().encode('{"received":true}') }],
    ]);
    const [first = 0, second = 0, third = 0] = details?.attempts.map(({ startedAt }) => startedAt) ?? [];
    expect((second - first) / 1000).toBeGreaterThanOrEqual(1);
    expect((second - first) / 1000).toBeLessThanOrEqual(1.1);
    expect((third - second) / 2000).toBeGreaterThanOrEqual(1);
    expect((third - second) / 2000).toBeLessThanOrEqual(1.1);
    await dispatcher.close();
  });

  it('resumes deliveries that an earlier dispatcher left unfinished', async () => {
    const clock = createVirtualClock(start);
    const store = withMortalOwner(stores.open({}, clock).deliveries);
    const open = (fetch: typeof globalThis.fetch) => openDispatcher(store, clock, fetch);
    const never = await open((_, init) => hang(init?.signal ?? new AbortController().signal));
    const endpoint = await never.endpoints.add(siteEndpoint());
    await never.enqueue(siteView('evt_1'));
    await never.enqueue(siteView('evt_2'));
    // The first is on its way, the second waits behind it; the process dies here.
    while ((await store.get('dlv_1'))?.phase !== 'sending') await new Promise(setImmediate);
    await expect(open(async () => ok())).rejects.toMatchObject({ code: 'in-use' });
    await store.die();

    const bodies: string[] = [];
    const next = await open(async (_, init) => {
      bodies.push(new TextDecoder().decode(init?.body as Uint8Array));
      return ok();
    });
    expect(next.endpoints.list()).toEqual([endpoint]);
    await next.idle();
    expect(bodies.toSorted()).toEqual(['evt_1', 'evt_2'].map((id) => JSON.stringify(siteView(id))));
    expect((await next.deliveries.get('dlv_1'))?.delivery).toMatchObject({
      attempts: 1,
      requests: 2,
      crashes: 0,
    });
    expect((await next.deliveries.get('dlv_1'))?.attempts.map(({ result }) => result.kind)).toEqual([
      'interrupted',
      'answer',
    ]);
  });

  it('sets aside only the delivery that crashes during preparation', async () => {
    const clock = createVirtualClock(start);
    const { deliveries: store } = stores.open({}, clock);
    const delivered: string[] = [];
    const fetch: typeof globalThis.fetch = async (_, init) => {
      delivered.push(
        (JSON.parse(new TextDecoder().decode(init?.body as Uint8Array)) as { eventId: string }).eventId,
      );
      return ok();
    };
    const deadly = 'dlv_3';
    const life = async () => {
      let died = false;
      const never = new Promise<never>(() => {});
      const mortal = withMortalOwner({
        ...store,
        async own(owner) {
          const right = await store.own(owner);
          return { ...right, markSent: (id) => (died ? never : right.markSent(id)) };
        },
        body: (id) => {
          if (id === deadly) died = true;
          return died ? never : store.body(id);
        },
      });
      const dispatcher = await openDispatcher(mortal, clock, fetch);
      return { dispatcher, die: mortal.die, hasDied: () => died };
    };
    const first = await life();
    await first.dispatcher.endpoints.add(siteEndpoint());
    await first.dispatcher.pause('ins');
    for (let i = 1; i <= 6; i += 1) await first.dispatcher.enqueue(siteView(`evt_${i}`));
    await first.dispatcher.resume('ins');
    for (let lives = 1; lives <= 5; lives += 1) {
      const { hasDied, die } = lives === 1 ? first : await life();
      while (!hasDied()) await new Promise(setImmediate);
      await die();
    }
    const last = await life();
    await last.dispatcher.idle();
    expect(delivered.toSorted()).toEqual(['evt_1', 'evt_2', 'evt_4', 'evt_5', 'evt_6']);
    expect(await store.get(deadly)).toMatchObject({
      state: 'poisoned',
      crashes: 5,
      requests: 0,
      attempts: 0,
    });
    expect((await last.dispatcher.deliveries.list({ failed: true })).map(({ id }) => id)).toEqual([deadly]);
  });
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
