import { expect, it } from 'vitest';
import type { Endpoint } from '../../src/webhooks/endpoint.js';
import type { DeliveryStore, NewDelivery } from '../../src/webhooks/queue/delivery-store.js';
import type { Attempt, AttemptResult } from '../../src/webhooks/queue/delivery.js';
import { eachStore } from './each-store.js';

const fresh = (more: Partial<NewDelivery> = {}): NewDelivery => ({
  endpointId: 'ep',
  installationId: 'inst',
  eventId: 'evt',
  eventType: 'site_view',
  body: new Uint8Array([1, 2]),
  createdAt: 100,
  ...more,
});

const attempt = (number: number, result: AttemptResult): Attempt => ({
  number,
  startedAt: 110,
  durationMs: 5,
  result,
});
const answer = (status: number): AttemptResult => ({
  kind: 'answer',
  status,
  body: new Uint8Array([111, 107]),
});

async function claim(
  deliveries: DeliveryStore,
  now: number,
  limit = 10,
  suspects = false,
): Promise<string[]> {
  const [result] = await deliveries.claim([{ endpointId: 'ep', limit, suspects }], now);
  return result?.deliveries.map(({ id }) => id) ?? [];
}

eachStore((store) => {
  it('gives back what was inserted, in order, with bodies byte for byte', async () => {
    const { deliveries } = store.open();
    const body = new Uint8Array([0, 255, 0, 0xef, 0xbb, 0xbf]);
    const [a, b] = await deliveries.insert([
      fresh({ eventId: 'nul\0evt', eventType: 't\0', installationId: 'i\0', body }),
      fresh({ body: new Uint8Array(), resentFrom: 'dlv_1' }),
    ]);
    expect(a).toEqual({
      id: 'dlv_1',
      endpointId: 'ep',
      installationId: 'i\0',
      eventId: 'nul\0evt',
      eventType: 't\0',
      state: 'pending',
      phase: 'waiting',
      createdAt: 100,
      dueAt: 100,
      attempts: 0,
      requests: 0,
      crashes: 0,
      bodyBytes: 6,
    });
    expect(await deliveries.get('dlv_1')).toEqual(a);
    expect(await deliveries.get('dlv_2')).toEqual(b);
    expect(b?.resentFrom).toBe('dlv_1');
    expect(await deliveries.body('dlv_1')).toEqual(body);
    expect(await deliveries.body('dlv_2')).toEqual(new Uint8Array());
    for (const id of ['dlv_3', 'dlv_', 'dlv_1x', '1', "dlv_1' OR 1"]) {
      expect(await deliveries.get(id)).toBeUndefined();
      expect(await deliveries.body(id)).toBeUndefined();
    }
  });

  it('claims what is due, oldest first, once', async () => {
    const { deliveries } = store.open();
    await deliveries.insert([
      fresh({ createdAt: 300 }),
      fresh({ createdAt: 200 }),
      fresh({ createdAt: 100.5 }),
    ]);
    await deliveries.insert([fresh({ endpointId: 'other' })]);
    expect(await deliveries.nextDue('ep')).toEqual({ dueAt: 100.5 });
    expect(await claim(deliveries, 100)).toEqual([]);
    expect(await claim(deliveries, 250, 1)).toEqual(['dlv_3']);
    expect(await claim(deliveries, 250)).toEqual(['dlv_2']);
    expect(await claim(deliveries, 250)).toEqual([]);
    expect(await deliveries.nextDue('ep')).toEqual({ dueAt: 300 });
    expect(await deliveries.get('dlv_3')).toMatchObject({ phase: 'preparing', state: 'pending' });
    expect((await deliveries.get('dlv_3'))?.dueAt).toBeUndefined();
    const results = await deliveries.claim(
      [
        { endpointId: 'other', limit: 5, suspects: false },
        { endpointId: 'ep', limit: 5, suspects: false },
      ],
      999,
    );
    expect(results.map(({ endpointId, deliveries, next }) => [endpointId, deliveries.length, next])).toEqual([
      ['other', 1, {}],
      ['ep', 1, {}],
    ]);
  });

  it('walks a delivery through a retry to its end', async () => {
    const { deliveries } = store.open();
    await deliveries.insert([fresh()]);
    await claim(deliveries, 100);
    await deliveries.markSent('dlv_1', 105);
    expect(await deliveries.get('dlv_1')).toMatchObject({ phase: 'sending', requests: 1, attempts: 0 });
    const refused: AttemptResult = { kind: 'error', error: 'refused', message: 'nul \0 here' };
    await deliveries.recordOutcome({
      id: 'dlv_1',
      attempt: attempt(1, refused),
      state: 'retrying',
      dueAt: 1155.25,
      at: 115,
    });
    expect(await deliveries.get('dlv_1')).toMatchObject({
      state: 'retrying',
      phase: 'waiting',
      dueAt: 1155.25,
      attempts: 1,
    });
    expect(await claim(deliveries, 1155)).toEqual([]);
    expect(await claim(deliveries, 1156)).toEqual(['dlv_1']);
    await deliveries.markSent('dlv_1', 1156);
    await deliveries.recordOutcome({
      id: 'dlv_1',
      attempt: attempt(2, answer(200)),
      state: 'delivered',
      at: 1160,
    });
    expect(await deliveries.get('dlv_1')).toMatchObject({
      state: 'delivered',
      phase: 'done',
      attempts: 2,
      requests: 2,
      finishedAt: 1160,
    });
    expect(await deliveries.attempts('dlv_1')).toEqual([attempt(1, refused), attempt(2, answer(200))]);
    expect(await deliveries.nextDue('ep')).toEqual({});
  });

  it('makes a waiting delivery due, and only a waiting one', async () => {
    const { deliveries } = store.open();
    await deliveries.insert([fresh({ createdAt: 5000 })]);
    expect(await deliveries.expedite('dlv_1', 50)).toMatchObject({ id: 'dlv_1', dueAt: 50 });
    expect(await claim(deliveries, 50)).toEqual(['dlv_1']);
    expect(await deliveries.expedite('dlv_1', 60)).toBeUndefined();
    expect(await deliveries.expedite('dlv_9', 60)).toBeUndefined();
  });

  it('takes back what a dead sender held: crashes in preparation poison, those in sending do not', async () => {
    const { deliveries } = store.open();
    await deliveries.insert([fresh(), fresh(), fresh()]);
    await claim(deliveries, 100, 2);
    await deliveries.markSent('dlv_2', 105);
    expect(await deliveries.recover(200, 3)).toMatchObject([
      { id: 'dlv_1', crashes: 1, phase: 'waiting', dueAt: 200, attempts: 0, requests: 0 },
      { id: 'dlv_2', crashes: 0, phase: 'waiting', dueAt: 200, attempts: 0, requests: 1 },
    ]);
    expect(await deliveries.attempts('dlv_2')).toEqual([
      { number: 1, startedAt: 105, durationMs: 0, result: { kind: 'interrupted' } },
    ]);
    expect(await deliveries.recover(200, 3)).toEqual([]);
    expect(await deliveries.nextDue('ep')).toEqual({ dueAt: 100, suspectDueAt: 200 });
    expect(await claim(deliveries, 300)).toEqual(['dlv_3', 'dlv_2']);
    expect(await claim(deliveries, 300, 10, true)).toEqual(['dlv_1']);
    await deliveries.recover(400, 3);
    await claim(deliveries, 400, 10, true);
    expect((await deliveries.recover(500, 3)).find(({ id }) => id === 'dlv_1')).toMatchObject({
      state: 'poisoned',
      phase: 'done',
      crashes: 3,
      finishedAt: 500,
    });
    expect(await claim(deliveries, 999, 10, true)).toEqual(['dlv_2', 'dlv_3']);
  });

  it('refuses steps that do not fit, and nothing of them happens', async () => {
    const { deliveries } = store.open();
    await deliveries.insert([fresh()]);
    const outcome = { id: 'dlv_1', attempt: attempt(1, answer(200)), state: 'delivered', at: 1 } as const;
    const results = await Promise.allSettled([
      deliveries.insert([fresh()]),
      deliveries.recordOutcome(outcome),
      deliveries.markSent('dlv_1', 1),
      deliveries.insert([fresh()]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await deliveries.attempts('dlv_1')).toEqual([]);
    expect((await deliveries.list()).map(({ id, requests }) => [id, requests])).toEqual([
      ['dlv_3', 0],
      ['dlv_2', 0],
      ['dlv_1', 0],
    ]);
  });

  it('lists and counts', async () => {
    const { deliveries } = store.open();
    await deliveries.insert([
      fresh({ createdAt: 10 }),
      fresh({ createdAt: 20, endpointId: 'other' }),
      fresh({ createdAt: 30, installationId: 'second' }),
    ]);
    const ids = async (query: Parameters<DeliveryStore['list']>[0]): Promise<string[]> =>
      (await deliveries.list(query)).map(({ id }) => id);
    await claim(deliveries, 10, 1);
    expect(await deliveries.backlog()).toEqual({ pending: 3, retrying: 0, inFlight: 1, oldestAt: 10 });
    await deliveries.markSent('dlv_1', 11);
    await deliveries.recordOutcome({
      id: 'dlv_1',
      attempt: attempt(1, answer(404)),
      state: 'failed',
      at: 12,
    });
    expect(await ids({})).toEqual(['dlv_3', 'dlv_2', 'dlv_1']);
    expect(await ids({ limit: 1, before: 'dlv_3' })).toEqual(['dlv_2']);
    expect(await ids({ endpointId: 'ep' })).toEqual(['dlv_3', 'dlv_1']);
    expect(await ids({ installationId: 'second' })).toEqual(['dlv_3']);
    expect(await ids({ failed: true })).toEqual(['dlv_1']);
    expect(await ids({ failed: false, endpointId: 'ep' })).toEqual(['dlv_3']);
    expect(await ids({ state: 'pending' })).toEqual(['dlv_3', 'dlv_2']);
    expect(await deliveries.backlog('ep')).toEqual({ pending: 1, retrying: 0, inFlight: 0, oldestAt: 30 });
    expect(await deliveries.backlog('none')).toEqual({ pending: 0, retrying: 0, inFlight: 0 });
  });

  it('keeps endpoints; what waits for a removed one ends as failed', async () => {
    const { deliveries } = store.open();
    const endpoint: Endpoint = {
      id: 'ep',
      installationId: 'inst',
      place: { type: 'site', id: 'site\0' },
      url: 'http://127.0.0.1/',
      events: ['site_view'],
      enabled: true,
      secret: 's',
      createdAt: 1,
    };
    await deliveries.putEndpoint(endpoint);
    await deliveries.putEndpoint({ ...endpoint, id: 'second' });
    await deliveries.putEndpoint({ ...endpoint, enabled: false });
    expect(await deliveries.endpoints()).toEqual([
      { ...endpoint, enabled: false },
      { ...endpoint, id: 'second' },
    ]);
    await deliveries.insert(Array.from({ length: 5003 }, () => fresh()));
    await deliveries.insert([fresh({ endpointId: 'second' })]);
    await claim(deliveries, 100, 2);
    expect(await deliveries.removeEndpoint('ep', 700)).toBe(5001);
    expect((await deliveries.endpoints()).map(({ id }) => id)).toEqual(['second']);
    expect(await deliveries.backlog()).toEqual({ pending: 3, retrying: 0, inFlight: 2, oldestAt: 100 });
    expect(await deliveries.get('dlv_3')).toMatchObject({ state: 'failed', phase: 'done', finishedAt: 700 });
  });

  it('remembers which installations are paused', async () => {
    const { deliveries } = store.open();
    await deliveries.setPaused('a\0', true);
    await deliveries.setPaused('a\0', true);
    await deliveries.setPaused('b', true);
    await deliveries.setPaused('b', false);
    expect(await deliveries.pausedInstallations()).toEqual(['a\0']);
  });

  it('forgets the oldest finished deliveries, never what waits', async () => {
    const { deliveries } = store.open({ entries: 50 });
    await deliveries.insert(Array.from({ length: 400 }, () => fresh()));
    const claimed = await claim(deliveries, 100, 300);
    await Promise.all(
      claimed.flatMap((id) => [
        deliveries.markSent(id, 105),
        deliveries.recordOutcome({ id, attempt: attempt(1, answer(200)), state: 'delivered', at: 110 }),
      ]),
    );
    const left = await deliveries.list({ limit: 1000 });
    expect(left.filter(({ state }) => state === 'pending')).toHaveLength(100);
    expect(left.filter(({ state }) => state === 'delivered').map(({ id }) => id)).toEqual(
      claimed.slice(-50).reverse(),
    );
    expect(await deliveries.body('dlv_1')).toBeUndefined();
    expect(await deliveries.attempts('dlv_1')).toEqual([]);
  });
});
