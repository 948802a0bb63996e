import { expect, it } from 'vitest';
import type { DeliveryStore } from '../../../src/webhooks/queue/delivery-store.js';
import type { AttemptResult } from '../../../src/webhooks/queue/delivery.js';
import { eachStore } from '../each-store.js';
import { answer, attempt, endpoint, fresh, own } from '../owned-store.js';

eachStore((store) => {
  it('gives back what was inserted, in order, with bodies byte for byte', async () => {
    const { deliveries } = await own(store);
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
    const { deliveries, right, clock, claim, due } = await own(store);
    await deliveries.insert([fresh({ createdAt: 300 })]);
    await clock.advance(0.5);
    await deliveries.insert([fresh({ endpointId: 'other' }), fresh(), fresh()]);
    expect(due()).toEqual(['ep', 'other', 'ep', 'ep'].map((id) => [id, { inMs: 0 }]));
    expect(await claim(1)).toEqual(['dlv_1']);
    expect(await claim(1)).toEqual(['dlv_3']);
    expect(await claim()).toEqual(['dlv_4']);
    expect(await claim()).toEqual([]);
    expect(await deliveries.get('dlv_1')).toMatchObject({ phase: 'preparing', state: 'pending' });
    expect((await deliveries.get('dlv_1'))?.dueAt).toBeUndefined();
    const results = await right.claim([
      { endpointId: 'other', limit: 5, suspects: false },
      { endpointId: 'ep', limit: 5, suspects: false },
    ]);
    expect(results.map(({ endpointId, deliveries, next }) => [endpointId, deliveries.length, next])).toEqual([
      ['other', 1, {}],
      ['ep', 0, {}],
    ]);
  });

  it('claims what is due at the same time in the order of insertion, retries included', async () => {
    const { deliveries, right, claim } = await own(store);
    await deliveries.insert([fresh(), fresh(), fresh(), fresh()]);
    expect(await claim(2)).toEqual(['dlv_1', 'dlv_2']);
    for (const id of ['dlv_2', 'dlv_1']) {
      await right.markSent(id);
      await right.recordOutcome({ id, attempt: attempt(1, answer(500)), state: 'retrying', retryInMs: 0 });
    }
    expect(await claim()).toEqual(['dlv_1', 'dlv_2', 'dlv_3', 'dlv_4']);
    expect((await deliveries.list({ before: 'dlv_3', limit: 2 })).map(({ id }) => id)).toEqual([
      'dlv_2',
      'dlv_1',
    ]);
  });

  it('walks a delivery through a retry to its end', async () => {
    const { deliveries, right, clock, claim, due } = await own(store);
    await deliveries.insert([fresh()]);
    await claim();
    await clock.advance(5);
    await right.markSent('dlv_1');
    expect(await deliveries.get('dlv_1')).toMatchObject({ phase: 'sending', requests: 1, attempts: 0 });
    await clock.advance(10);
    due();
    const refused: AttemptResult = { kind: 'error', error: 'refused', message: 'nul \0 here' };
    const retry = { state: 'retrying', retryInMs: 1040.25 } as const;
    await right.recordOutcome({ id: 'dlv_1', attempt: attempt(1, refused), ...retry });
    expect(due()).toEqual([['ep', { inMs: 1040.25 }]]);
    expect(await deliveries.get('dlv_1')).toMatchObject({
      state: 'retrying',
      phase: 'waiting',
      dueAt: 1155.25,
      attempts: 1,
    });
    await clock.advance(1040);
    expect(await claim()).toEqual([]);
    await clock.advance(1);
    expect(await claim()).toEqual(['dlv_1']);
    await right.markSent('dlv_1');
    await clock.advance(4);
    await right.recordOutcome({ id: 'dlv_1', attempt: attempt(2, answer(200)), state: 'delivered' });
    expect(await deliveries.get('dlv_1')).toMatchObject({
      state: 'delivered',
      phase: 'done',
      attempts: 2,
      requests: 2,
      finishedAt: 1160,
    });
    expect(await deliveries.attempts('dlv_1')).toEqual([attempt(1, refused), attempt(2, answer(200))]);
    expect(await right.claim([{ endpointId: 'ep', limit: 1, suspects: false }])).toEqual([
      { endpointId: 'ep', deliveries: [], next: {} },
    ]);
  });

  it('makes a waiting delivery due, and only a waiting one', async () => {
    const { deliveries, right, claim, due } = await own(store);
    await deliveries.insert([fresh()]);
    await claim();
    expect(await deliveries.expedite('dlv_1')).toBeUndefined();
    await right.markSent('dlv_1');
    const retry = { state: 'retrying', retryInMs: 4000 } as const;
    await right.recordOutcome({ id: 'dlv_1', attempt: attempt(1, answer(500)), ...retry });
    expect(await claim()).toEqual([]);
    due();
    expect(await deliveries.expedite('dlv_1')).toMatchObject({ id: 'dlv_1', dueAt: 100 });
    expect(due()).toEqual([['ep', { inMs: 0 }]]);
    expect(await claim()).toEqual(['dlv_1']);
    expect(await deliveries.expedite('dlv_9')).toBeUndefined();
  });

  it('refuses steps that do not fit, and nothing of them happens', async () => {
    const { deliveries, right } = await own(store);
    await deliveries.insert([fresh()]);
    const outcome = { id: 'dlv_1', attempt: attempt(1, answer(200)), state: 'delivered' } as const;
    const results = await Promise.allSettled([
      deliveries.insert([fresh()]),
      right.recordOutcome(outcome),
      right.markSent('dlv_1'),
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
    const { deliveries, right, claim } = await own(store);
    await deliveries.insert([
      fresh({ createdAt: 10 }),
      fresh({ createdAt: 20, endpointId: 'other' }),
      fresh({ createdAt: 30, installationId: 'second' }),
    ]);
    const ids = async (query: Parameters<DeliveryStore['list']>[0]): Promise<string[]> =>
      (await deliveries.list(query)).map(({ id }) => id);
    await claim(1);
    expect(await deliveries.backlog()).toEqual({ pending: 3, retrying: 0, inFlight: 1, oldestAt: 10 });
    await right.markSent('dlv_1');
    await right.recordOutcome({ id: 'dlv_1', attempt: attempt(1, answer(404)), state: 'failed' });
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

  it('keeps endpoints; the waiting deliveries of a removed one end as failed', async () => {
    const { deliveries, clock, claim } = await own(store);
    await deliveries.putEndpoint(endpoint);
    await deliveries.putEndpoint({ ...endpoint, id: 'second' });
    await deliveries.putEndpoint({ ...endpoint, enabled: false });
    expect(await deliveries.endpoints()).toEqual([
      { ...endpoint, enabled: false },
      { ...endpoint, id: 'second' },
    ]);
    await deliveries.insert(Array.from({ length: 5003 }, () => fresh()));
    await deliveries.insert([fresh({ endpointId: 'second' })]);
    await claim(2);
    await clock.advance(600);
    expect(await deliveries.removeEndpoint('ep')).toBe(5001);
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
    const { deliveries, right, claim } = await own(store, { entries: 50 });
    await deliveries.insert(Array.from({ length: 400 }, () => fresh()));
    const claimed = await claim(300);
    await Promise.all(
      claimed.flatMap((id) => [
        right.markSent(id),
        right.recordOutcome({ id, attempt: attempt(1, answer(200)), state: 'delivered' }),
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
