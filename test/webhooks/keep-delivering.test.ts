import { expect, test } from 'vitest';
import { createVirtualClock } from '../../src/base/clock.js';
import type { DeliveryStore } from '../../src/webhooks/model/delivery-store.js';
import { createMemoryDeliveryStore } from '../../src/webhooks/queue/memory-delivery-store.js';
import { keepDelivering } from '../../src/webhooks/keep-delivering.js';
import { WebhookError } from '../../src/webhooks/model/webhook-error.js';
import { siteEndpoint } from './dispatcher-under-test.js';

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
