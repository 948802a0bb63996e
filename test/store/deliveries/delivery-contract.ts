import { expect, it } from 'vitest';
import type { DeliveryStore } from '../../../src/webhooks/model/delivery-store.js';
import type { AttemptResult } from '../../../src/webhooks/model/delivery.js';
import { answer, attempt, endpoint, fresh, own, type DeliveriesUnderTest } from '../owned-store.js';

/**
 * What every delivery store does. Postgres is not written to when a delivery is taken up and reads what is
 * due by itself: `exact` stores keep phases, and know the time to the millisecond.
 */
export function deliveryContract(store: DeliveriesUnderTest): void {
  const { exact } = store;
  const time = (at: number): unknown => (exact ? at : expect.any(Number));

  it('returns deliveries in insertion order with bodies byte for byte', async () => {
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
      dueAt: time(100),
      attempts: 0,
      requests: 0,
      crashes: 0,
      bodyBytes: 6,
    });
    expect(await deliveries.get('dlv_1')).toEqual({ ...a, url: endpoint.url });
    expect(await deliveries.get('dlv_2')).toEqual({ ...b, url: endpoint.url });
    expect(b?.resentFrom).toBe('dlv_1');
    expect(await deliveries.body('dlv_1')).toEqual(body);
    expect(await deliveries.body('dlv_2')).toEqual(new Uint8Array());
    for (const id of ['dlv_3', 'dlv_', 'dlv_1x', '1', "dlv_1' OR 1"]) {
      expect(await deliveries.get(id)).toBeUndefined();
      expect(await deliveries.body(id)).toBeUndefined();
    }
  });

  it('claims due deliveries once, oldest first', async () => {
    const { deliveries, claim, claimOf, due, pass } = await own(store);
    await deliveries.putEndpoint({ ...endpoint, id: 'other' });
    await deliveries.insert([fresh({ createdAt: 300 })]);
    await pass(0.5);
    await deliveries.insert([fresh({ endpointId: 'other' }), fresh(), fresh()]);
    if (exact) expect(due()).toEqual(['ep', 'other', 'ep', 'ep'].map((id) => [id, { inMs: 0 }]));
    expect(await claim(1)).toEqual(['dlv_1']);
    expect(await claim(1)).toEqual(['dlv_3']);
    expect(await claim()).toEqual(['dlv_4']);
    expect(await claim()).toEqual([]);
    expect(await deliveries.get('dlv_1')).toMatchObject({ state: 'pending' });
    if (exact) {
      expect(await deliveries.get('dlv_1')).toMatchObject({ phase: 'preparing' });
      expect((await deliveries.get('dlv_1'))?.dueAt).toBeUndefined();
    }
    const results = await claimOf(['other', 'ep'], 5);
    expect(results.map(({ endpointId, deliveries, next }) => [endpointId, deliveries.length, next])).toEqual([
      ['other', 1, {}],
      ['ep', 0, {}],
    ]);
    expect(results[0]?.deliveries[0]).toMatchObject({ id: 'dlv_2', phase: 'preparing' });
  });

  it('claims deliveries and retries with the same due time in insertion order', async () => {
    const { deliveries, right, claim } = await own(store);
    await deliveries.insert([fresh(), fresh(), fresh(), fresh()]);
    expect(await claim(2)).toEqual(['dlv_1', 'dlv_2']);
    for (const id of ['dlv_2', 'dlv_1']) {
      await right.markSent(id);
      await right.recordOutcome({ id, attempt: attempt(1, answer(500)), state: 'retrying', retryInMs: 0 });
    }
    const claimed = await claim();
    // Postgres reads retries apart from first requests.
    expect(exact ? claimed : claimed.toSorted()).toEqual(['dlv_1', 'dlv_2', 'dlv_3', 'dlv_4']);
    expect((await deliveries.list({ before: 'dlv_3', limit: 2 })).map(({ id }) => id)).toEqual([
      'dlv_2',
      'dlv_1',
    ]);
  });

  it('completes a delivery after a retry', async () => {
    const { deliveries, right, pass, claim, due } = await own(store);
    await deliveries.insert([fresh()]);
    await claim();
    await pass(5);
    await right.markSent('dlv_1');
    if (exact) expect(await deliveries.get('dlv_1')).toMatchObject({ phase: 'sending', requests: 1 });
    expect(await deliveries.get('dlv_1')).toMatchObject({ attempts: 0 });
    await pass(10);
    due();
    const refused: AttemptResult = { kind: 'error', error: 'refused', message: 'nul \0 here' };
    // Time passes by itself where it is not the test's.
    const [retryInMs, almost] = exact ? [1040.25, 1040] : [60_000, 30_000];
    const retry = { state: 'retrying', retryInMs } as const;
    await right.recordOutcome({ id: 'dlv_1', attempt: attempt(1, refused), ...retry });
    if (exact) expect(due()).toEqual([['ep', { inMs: 1040.25 }]]);
    expect(await deliveries.get('dlv_1')).toMatchObject({
      state: 'retrying',
      phase: 'waiting',
      dueAt: time(1155.25),
      attempts: 1,
    });
    await pass(almost);
    expect(await claim()).toEqual([]);
    await pass(retryInMs - almost + 0.75);
    expect(await claim()).toEqual(['dlv_1']);
    await right.markSent('dlv_1');
    await pass(4);
    await right.recordOutcome({ id: 'dlv_1', attempt: attempt(2, answer(200)), state: 'delivered' });
    expect(await deliveries.get('dlv_1')).toMatchObject({
      state: 'delivered',
      phase: 'done',
      attempts: 2,
      requests: 2,
      finishedAt: time(1160),
    });
    expect(await deliveries.attempts('dlv_1')).toEqual([attempt(1, refused), attempt(2, answer(200))]);
    expect(await claim()).toEqual([]);
  });

  it('makes a delivery due immediately only if the delivery is waiting', async () => {
    const { deliveries, right, claim, due } = await own(store);
    await deliveries.insert([fresh()]);
    await claim();
    expect(await deliveries.expedite('dlv_1')).toBeUndefined();
    await right.markSent('dlv_1');
    const retry = { state: 'retrying', retryInMs: 4000 } as const;
    await right.recordOutcome({ id: 'dlv_1', attempt: attempt(1, answer(500)), ...retry });
    expect(await claim()).toEqual([]);
    due();
    expect(await deliveries.expedite('dlv_1')).toMatchObject({ id: 'dlv_1', dueAt: time(100) });
    if (exact) expect(due()).toEqual([['ep', { inMs: 0 }]]);
    expect(await claim()).toEqual(['dlv_1']);
    expect(await deliveries.expedite('dlv_9')).toBeUndefined();
  });

  it('keeps one delivery per event and endpoint, unless the delivery is resent', async () => {
    const { deliveries, right, claim, due } = await own(store);
    await deliveries.putEndpoint({ ...endpoint, id: 'other' });
    const event = fresh({ eventId: 'repeated\0' });
    const ids = async (more: Parameters<DeliveryStore['insert']>[0]): Promise<string[]> =>
      (await deliveries.insert(more)).map(({ id }) => id);
    const [first] = await ids([event]);
    due();
    expect(await ids([event, event])).toEqual([first, first]);
    if (exact) expect(due()).toEqual([]);
    const [other, ...same] = await ids([{ ...event, endpointId: 'other' }, event]);
    expect([other === first, same]).toEqual([false, [first]]);
    expect(await claim()).toEqual([first]);
    await right.markSent(first ?? '');
    await right.recordOutcome({ id: first ?? '', attempt: attempt(1, answer(200)), state: 'delivered' });
    expect(await deliveries.insert([event])).toMatchObject([
      { id: first, state: 'delivered', phase: 'done', attempts: 1, finishedAt: time(100) },
    ]);
    const [again] = await ids([{ ...event, resentFrom: first ?? '' }]);
    expect([first, other]).not.toContain(again);
    expect(await ids([event])).toEqual([first]);
    expect(await claim()).toEqual([again]);
  });

  it("rejects steps that do not match the delivery's state, without side effects", async () => {
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

  it('lists and counts deliveries', async () => {
    const { deliveries, right, claim } = await own(store);
    await deliveries.putEndpoint({ ...endpoint, id: 'other' });
    await deliveries.insert([
      fresh({ createdAt: 10 }),
      fresh({ createdAt: 20, endpointId: 'other' }),
      fresh({ createdAt: 30, installationId: 'second' }),
    ]);
    const ids = async (query: Parameters<DeliveryStore['list']>[0]): Promise<string[]> =>
      (await deliveries.list(query)).map(({ id }) => id);
    await claim(1);
    expect(await deliveries.backlog()).toEqual({
      pending: 3,
      retrying: 0,
      held: 0,
      inFlight: exact ? 1 : 0,
      oldestAt: 10,
    });
    await right.markSent('dlv_1');
    await right.recordOutcome({ id: 'dlv_1', attempt: attempt(1, answer(404)), state: 'failed' });
    expect(await ids({})).toEqual(['dlv_3', 'dlv_2', 'dlv_1']);
    expect(await ids({ limit: 1, before: 'dlv_3' })).toEqual(['dlv_2']);
    expect(await ids({ endpointId: 'ep' })).toEqual(['dlv_3', 'dlv_1']);
    expect(await ids({ installationId: 'second' })).toEqual(['dlv_3']);
    expect(await ids({ failed: true })).toEqual(['dlv_1']);
    expect(await ids({ failed: false, endpointId: 'ep' })).toEqual(['dlv_3']);
    expect(await ids({ state: 'pending' })).toEqual(['dlv_3', 'dlv_2']);
    expect(await deliveries.backlog('ep')).toEqual({
      pending: 1,
      retrying: 0,
      held: 0,
      inFlight: 0,
      oldestAt: 30,
    });
    expect(await deliveries.backlog('none')).toEqual({ pending: 0, retrying: 0, held: 0, inFlight: 0 });
  });

  it('holds deliveries until their endpoint is enabled and their installation is resumed', async () => {
    const { deliveries, claim } = await own(store);
    const states = async (): Promise<string[]> => (await deliveries.list()).map(({ state }) => state);
    const enable = (enabled: boolean) => deliveries.changeEndpoint('ep', (one) => ({ ...one, enabled }));
    await deliveries.insert([fresh()]);
    await enable(false);
    const [queued] = await deliveries.insert([fresh()]);
    if (exact) expect(queued?.state).toBe('held');
    // In Postgres, a worker sets them apart.
    await expect.poll(states).toEqual(['held', 'held']);
    expect((await deliveries.list({ state: 'held', limit: 1 })).map(({ id }) => id)).toEqual(['dlv_2']);
    expect(await deliveries.list({ state: 'pending' })).toEqual([]);
    expect(await deliveries.backlog()).toEqual({ pending: 0, retrying: 0, held: 2, inFlight: 0 });
    await deliveries.setPaused('inst', true);
    await enable(true);
    await expect.poll(states).toEqual(['held', 'held']);
    await deliveries.setPaused('inst', false);
    await expect.poll(states).toEqual(['pending', 'pending']);
    expect(await claim()).toEqual(['dlv_1', 'dlv_2']);
  });

  it('fails held deliveries that are too old, or too many', async () => {
    const { deliveries, pass, trim } = await own(store, { entries: 50 });
    const held = async (): Promise<string[]> =>
      (await deliveries.list({ state: 'held', limit: 300 })).map(({ id }) => id);
    await deliveries.changeEndpoint('ep', (one) => ({ ...one, enabled: false }));
    await deliveries.insert(Array.from({ length: 150 }, () => fresh()));
    await expect.poll(async () => (await held())[0]).toBe('dlv_150');
    await pass(31 * 24 * 3_600_000);
    const newest = (await deliveries.insert(Array.from({ length: 50 }, () => fresh()))).map(({ id }) => id);
    await expect.poll(async () => (await held())[0]).toBe('dlv_200');
    await trim();
    expect(await held()).toEqual(newest.toReversed());
    expect(await deliveries.get('dlv_150')).toMatchObject({ state: 'failed', phase: 'done', attempts: 0 });
  });

  it('stores endpoints, and fails waiting deliveries of removed endpoints', async () => {
    const { deliveries, claim, pass } = await own(store);
    await deliveries.putEndpoint(endpoint);
    await deliveries.putEndpoint({ ...endpoint, id: 'second' });
    // What others have changed since stays.
    const others = { enabled: false, secret: 't', previousSecret: { secret: 's', until: 2 } };
    await deliveries.changeEndpoint('ep', (current) => ({ ...current, ...others }));
    const defined = {
      installationId: 'ins',
      target: { type: 'space' as const, id: 'spc' },
      url: 'http://b/',
    };
    const events = ['space_content_updated'];
    await deliveries.putEndpoint({ ...endpoint, ...defined, events, createdAt: 2 });
    expect(await deliveries.endpoints()).toEqual([
      { ...endpoint, ...defined, events, ...others },
      { ...endpoint, id: 'second' },
    ]);
    await deliveries.putEndpoint(endpoint);
    await deliveries.changeEndpoint('ep', () => endpoint);
    await deliveries.insert(Array.from({ length: 5003 }, () => fresh()));
    await deliveries.insert([fresh({ endpointId: 'second' })]);
    await claim(2);
    await pass(600);
    await deliveries.removeEndpoint('ep');
    expect((await deliveries.endpoints()).map(({ id }) => id)).toEqual(['second']);
    // Where the endpoint was marked as removed, its worker ends what waits.
    await expect
      .poll(() => deliveries.backlog())
      .toEqual({ pending: 3, retrying: 0, held: 0, inFlight: exact ? 2 : 0, oldestAt: 100 });
    expect(await deliveries.get('dlv_3')).toMatchObject({
      state: 'failed',
      phase: 'done',
      finishedAt: time(700),
    });
  });

  it("shows a delivery's original URL after its endpoint was changed or removed", async () => {
    const { deliveries, right, claim } = await own(store);
    const urls = async (): Promise<unknown[]> => (await deliveries.list()).map(({ url }) => url).reverse();
    await deliveries.insert([fresh(), fresh(), fresh()]);
    const sent = { ...attempt(1, answer(500)), request: { url: 'http://sent/', headers: { A: 'b \0' } } };
    const outcomes = [{ state: 'delivered' }, { state: 'retrying', retryInMs: 60_000 }] as const;
    const claimed = await claim(2);
    for (const [at, outcome] of outcomes.entries()) {
      const id = claimed[at] ?? '';
      await right.markSent(id);
      await right.recordOutcome({ id, attempt: sent, ...outcome });
    }
    expect(await deliveries.attempts('dlv_1')).toEqual([sent]);
    const changed = 'http://127.0.0.1/changed?ü=\u0001';
    await deliveries.changeEndpoint('ep', (current) => ({ ...current, url: changed }));
    expect(await urls()).toEqual(['http://sent/', 'http://sent/', changed]);
    await deliveries.removeEndpoint('ep');
    await expect
      .poll(async () => (await deliveries.list()).map(({ state }) => state))
      .toEqual(['failed', 'failed', 'delivered']);
    expect(await urls()).toEqual(['http://sent/', 'http://sent/', changed]);
    expect((await deliveries.get('dlv_3'))?.url).toBe(changed);
    expect(await deliveries.endpoints()).toEqual([]);
    expect(await deliveries.changeEndpoint('ep', (current) => current)).toBeUndefined();
    await deliveries.putEndpoint(endpoint);
    expect(await deliveries.endpoints()).toEqual([endpoint]);
  });

  it('stores which installations are paused', async () => {
    const { deliveries } = await store.open();
    await deliveries.setPaused('a\0', true);
    await deliveries.setPaused('a\0', true);
    await deliveries.setPaused('b', true);
    await deliveries.setPaused('b', false);
    expect(await deliveries.pausedInstallations()).toEqual(['a\0']);
  });

  it('deletes the oldest finished deliveries but never waiting ones', async () => {
    const { deliveries, right, claim, trim } = await own(store, { entries: 50 });
    await deliveries.insert(Array.from({ length: 400 }, () => fresh()));
    const claimed = await claim(300);
    await Promise.all(
      claimed.flatMap((id) => [
        right.markSent(id),
        right.recordOutcome({ id, attempt: attempt(1, answer(200)), state: 'delivered' }),
      ]),
    );
    await trim();
    const left = await deliveries.list({ limit: 1000 });
    expect(left.filter(({ state }) => state === 'pending')).toHaveLength(100);
    expect(left.filter(({ state }) => state === 'delivered').map(({ id }) => id)).toEqual(
      claimed.slice(-50).reverse(),
    );
    expect(await deliveries.body('dlv_1')).toBeUndefined();
    expect(await deliveries.attempts('dlv_1')).toEqual([]);
  });

  it('applies changes to the current version of an endpoint, not to the one read earlier', async () => {
    const { deliveries } = await own(store);
    const changes = Array.from({ length: 8 }, (_, n) =>
      deliveries.changeEndpoint('ep', (current) => ({ ...current, url: `${current.url}/${n}` })),
    );
    await Promise.all(changes);
    const [changed] = await deliveries.endpoints();
    const segments = new URL(changed?.url ?? '').pathname.split('/');
    expect(segments.toSorted().join('')).toContain('01234567');
    expect(await deliveries.changeEndpoint('none', (current) => current)).toBeUndefined();
    const refused = deliveries.changeEndpoint('ep', () => {
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(await deliveries.endpoints()).toEqual([changed]);
  });

  it('sets aside only deliveries that keep crashing the sender', async () => {
    const owned = await own(store);
    const { deliveries, claim, takeOver } = owned;
    await deliveries.insert([fresh(), fresh()]);
    const [poison] = await claim(1);
    await takeOver();
    // What it may have been preparing is prepared alone. One gets through, the other one ends it again.
    for (let deaths = 1; deaths < 3; deaths += 1) {
      const suspects = await claim(1, true);
      const ids = suspects[0] === poison ? suspects : [...suspects, ...(await claim(1, true))];
      for (const id of ids.filter((one) => one !== poison)) {
        await owned.right.markSent(id);
        await owned.right.recordOutcome({ id, attempt: attempt(1, answer(200)), state: 'delivered' });
      }
      await takeOver();
    }
    expect([...(await claim()), ...(await claim(1, true))]).not.toContain('dlv_1');
    await expect
      .poll(() => deliveries.get('dlv_1'))
      .toMatchObject({ state: 'poisoned', phase: 'done', crashes: exact ? 3 : 2, finishedAt: time(100) });
    expect((await deliveries.get('dlv_2'))?.state).not.toBe('poisoned');
  });
}
