import { expect, test, it } from 'vitest';
import { createVirtualClock } from '../../src/base/clock.js';
import type { DeliveryStore, DeliveryRight } from '../../src/webhooks/model/delivery-store.js';
import { createMemoryDeliveryStore } from '../../src/webhooks/queue/memory-delivery-store.js';
import { keepDelivering } from '../../src/webhooks/keep-delivering.js';
import { WebhookError } from '../../src/webhooks/model/webhook-error.js';
import {
  siteEndpoint,
  hang,
  openDispatcher,
  pass,
  siteView,
  start,
  withMortalOwner,
} from './dispatcher-under-test.js';
import { createMemoryStore } from '../../src/store/store.js';
import { type DeliveryChange } from '../../src/webhooks/dispatcher.js';

/** A memory store whose right can be lost, and refused for a while, as a database's can. */
function losableStore(clock: ReturnType<typeof createVirtualClock>) {
  const store = createMemoryDeliveryStore({ clock });
  const starts: number[] = [];
  let lose = (): void => {};
  let gone = false;
  let reason = 'connect ECONNREFUSED';
  const losable: DeliveryStore = {
    ...store,
    async own(owner) {
      starts.push(clock.monotonic());
      if (gone) throw new Error(reason);
      const right = await store.own(owner);
      const lost = new AbortController();
      lose = () => {
        void right.release();
        lost.abort(new WebhookError('right-lost', 'The session has ended.'));
      };
      return { ...right, lost: lost.signal };
    },
  };
  return {
    store: losable,
    starts,
    lose(): void {
      gone = true;
      lose();
    },
    refuse: (why: string) => void (reason = why),
    comeBack: () => void (gone = false),
  };
}

async function keep(clock: ReturnType<typeof createVirtualClock>, store: DeliveryStore) {
  const sent: string[] = [];
  const changes: string[] = [];
  const reasons: string[] = [];
  const delivery = await keepDelivering({
    store,
    clock,
    random: () => 0,
    version: 'test',
    async fetch(url) {
      sent.push(url);
      return { status: 200, body: null };
    },
    onChange(change) {
      changes.push(change.type);
      if (change.type === 'still-lost') reasons.push(String(change.error));
    },
  });
  return { delivery, sent, changes, reasons };
}

const delivery = (endpointId: string) => ({
  endpointId,
  installationId: 'ins_1',
  eventId: 'evt_1',
  eventType: 'ping',
  body: new TextEncoder().encode('{}'),
  createdAt: 0,
});

test('sends deliveries with a new dispatcher once the store is available again', async () => {
  const clock = createVirtualClock();
  const world = losableStore(clock);
  await world.store.putEndpoint({ ...siteEndpoint(), id: 'whe_1', enabled: true, secret: 's', createdAt: 0 });
  const { delivery: kept, sent, changes } = await keep(clock, world.store);

  world.lose();
  await clock.advance(100);
  expect(kept.delivering()).toBe(false);
  await world.store.insert([delivery('whe_1')]);
  await clock.advance(10_000);
  expect(sent).toEqual([]);

  world.comeBack();
  await clock.advance(5000);
  expect(kept.delivering()).toBe(true);
  await expect.poll(() => changes).toEqual(['lost', 'still-lost', 'recovered', 'attempt']);
  expect(sent).toHaveLength(1);
  await kept.close();
});

test('waits longer before each restart of the dispatcher, up to a second', async () => {
  const clock = createVirtualClock();
  const world = losableStore(clock);
  const { delivery: kept } = await keep(clock, world.store);
  world.lose();
  await clock.advance(4000);
  expect(world.starts).toEqual([0, 250, 750, 1750, 2750, 3750]);
  await kept.close();
});

test('reports each new reason for a failed restart only once', async () => {
  const clock = createVirtualClock();
  const world = losableStore(clock);
  const { delivery: kept, changes, reasons } = await keep(clock, world.store);
  for (const round of [1, 2]) {
    world.refuse('connect ECONNREFUSED');
    world.lose();
    await clock.advance(5000);
    world.refuse('the role cannot log in');
    await clock.advance(60_000);
    world.comeBack();
    await clock.advance(5000);
    expect(changes).toEqual(
      Array.from({ length: round }, () => ['lost', 'still-lost', 'still-lost', 'recovered']).flat(),
    );
  }
  const both = ['Error: connect ECONNREFUSED', 'Error: the role cannot log in'];
  expect(reasons).toEqual([...both, ...both]);
  await kept.close();
});

test('stops waiting for the store when it is closed', async () => {
  const clock = createVirtualClock();
  const world = losableStore(clock);
  const { delivery: kept } = await keep(clock, world.store);
  world.lose();
  await clock.advance(1000);
  await kept.close();
  const tries = world.starts.length;
  await clock.advance(60_000);
  expect(world.starts).toHaveLength(tries);
});

test('throws an error to the caller if the first start fails', async () => {
  const clock = createVirtualClock();
  const world = losableStore(clock);
  world.lose();
  await expect(keep(clock, world.store)).rejects.toThrow('ECONNREFUSED');
});

const calls = ['claim', 'markSent', 'recordOutcome'] as const;

/** A store that fails one kind of call, once told to, and counts how often it was asked. */
function createFailing(store: DeliveryStore, which: (typeof calls)[number], error: unknown) {
  const state = { fails: false, asked: 0 };
  const failing: DeliveryStore = {
    ...store,
    async own(owner) {
      const right = await store.own(owner);
      const fail = async (): Promise<never> => {
        state.asked += 1;
        throw error;
      };
      return new Proxy(right, {
        get: (target, key: keyof DeliveryRight) => (state.fails && key === which ? fail : target[key]),
      });
    },
  };
  return { store: failing, state };
}

async function createSending(which: (typeof calls)[number], error: unknown) {
  const clock = createVirtualClock(start);
  const { store, state } = createFailing(createMemoryStore(clock).deliveries, which, error);
  const changes: DeliveryChange[] = [];
  let requests = 0;
  const dispatcher = await openDispatcher(store, clock, async () => {
    requests += 1;
    return new Response('ok');
  });
  for (let n = 0; n < 20; n += 1) {
    await dispatcher.endpoints.add(siteEndpoint({ target: { type: 'site', id: `site_${n}` } }));
  }
  dispatcher.subscribe((change) => changes.push(change));
  state.fails = true;
  for (let n = 0; n < 100; n += 1) await dispatcher.enqueue(siteView(`evt_${n}`, `site_${n % 20}`));
  const count = (type: DeliveryChange['type']): number => changes.filter((c) => c.type === type).length;
  return { clock, dispatcher, state, count, requests: () => requests };
}

it.each(calls)('does not call a store again after the store has rejected %s', async (which) => {
  const refused = new WebhookError('right-lost', 'Another dispatcher delivers now.');
  const { clock, dispatcher, state, count, requests } = await createSending(which, refused);
  await dispatcher.idle();
  const { asked } = state;
  expect(asked).toBeLessThanOrEqual(20);
  await clock.advance(3_600_000);
  await dispatcher.idle();
  expect(state.asked).toBe(asked);
  expect(requests()).toBeLessThanOrEqual(20);
  expect([count('lost'), count('trouble')]).toEqual([1, 0]);
  expect(clock.waiting().count).toBe(0);
  await dispatcher.close();
});

it.each(calls)('calls a store less and less often, and sends no requests, while %s fails', async (which) => {
  const { clock, dispatcher, state, count, requests } = await createSending(which, new Error('disk full'));
  while (state.asked < 1) await new Promise(setImmediate);
  await clock.advance(0);
  const perRound = state.asked;
  const sent = requests();
  await clock.advance(600_000);
  expect(requests()).toBe(sent);
  // After 1, 2, 4, 8 and 16 s, then every 30 s.
  expect(state.asked / perRound).toBeLessThanOrEqual(25);
  expect(count('trouble')).toBe(state.asked / perRound);
  state.fails = false;
  await clock.advance(30_000);
  await pass(clock, dispatcher, 60_000);
  expect(requests()).toBe(100);
  expect(await dispatcher.deliveries.backlog()).toEqual({ pending: 0, retrying: 0, held: 0, inFlight: 0 });
  expect(count('lost')).toBe(0);
});

it('aborts requests in flight when the delivery lock is lost', async () => {
  const clock = createVirtualClock(start);
  const store = withMortalOwner(createMemoryStore(clock).deliveries);
  const open = (fetch: () => Promise<Response>) => openDispatcher(store, clock, fetch);
  let aborted = 0;
  const first = await openDispatcher(store, clock, (_, { signal }) => {
    signal.addEventListener('abort', () => (aborted += 1));
    return hang(signal);
  });
  const changes: string[] = [];
  first.subscribe(({ type }) => changes.push(type));
  await first.endpoints.add(siteEndpoint());
  await first.enqueue(siteView('evt_1'));
  while ((await store.get('dlv_1'))?.phase !== 'sending') await new Promise(setImmediate);
  await store.die();
  await first.idle();
  expect(aborted).toBe(1);
  expect(changes).toEqual(['queued', 'lost']);
  const next = await open(async () => new Response('ok'));
  await next.idle();
  expect((await store.attempts('dlv_1')).map(({ result }) => result.kind)).toEqual(['interrupted', 'answer']);
});
