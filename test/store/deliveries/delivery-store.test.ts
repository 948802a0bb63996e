import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import type { NewDelivery } from '../../../src/webhooks/model/delivery-store.js';
import type { AttemptResult } from '../../../src/webhooks/model/delivery.js';
import { eachDeliveryStore, eachStore } from '../each-store.js';
import { answer, attempt, endpoint, fresh, silentOwner } from '../owned-store.js';
import { deliveryContract } from './delivery-contract.js';

eachDeliveryStore(deliveryContract);

eachStore((store) => {
  it('reads the attempts of several deliveries in one query', async () => {
    const { deliveries } = store.open({}, createVirtualClock(100));
    await deliveries.putEndpoint(endpoint);
    const right = await deliveries.own(silentOwner);
    await deliveries.insert([fresh(), fresh(), fresh(), fresh()]);
    await right.claim([{ endpointId: 'ep', limit: 3, suspects: false }]);
    const outcomes = [
      ['dlv_3', 1, 500],
      ['dlv_1', 1, 500],
      ['dlv_2', 1, 200],
      ['dlv_1', 2, 404],
    ] as const;
    for (const [id, number, status] of outcomes) {
      if (number > 1) await right.claim([{ endpointId: 'ep', limit: 1, suspects: false }]);
      await right.markSent(id);
      await right.recordOutcome({
        id,
        attempt: attempt(number, answer(status)),
        state: status === 500 ? 'retrying' : 'failed',
        // Only the first delivery is due again.
        ...(status === 500 && { retryInMs: id === 'dlv_1' ? 0 : 60_000 }),
      });
    }
    const found = await deliveries.attemptsOf(['dlv_1', 'dlv_2', 'dlv_4', 'dlv_9', 'x']);
    expect(Object.fromEntries(found)).toEqual({
      dlv_1: [attempt(1, answer(500)), attempt(2, answer(404))],
      dlv_2: [attempt(1, answer(200))],
    });
    expect(await deliveries.attemptsOf([])).toEqual(new Map());
    await right.release();
  });

  it('counts every failed delivery, and groups those with the same endpoint, event type and result', async () => {
    const clock = createVirtualClock(100);
    const { deliveries } = store.open({}, clock);
    await deliveries.putEndpoint(endpoint);
    await deliveries.putEndpoint({ ...endpoint, id: 'other' });
    const right = await deliveries.own(silentOwner);
    const fail = async (
      fields: Partial<NewDelivery>,
      result: AttemptResult,
      state: 'failed' | 'exhausted' | 'delivered' = 'failed',
    ): Promise<void> => {
      const [made] = await deliveries.insert([fresh(fields)]);
      const id = made?.id ?? '';
      await right.claim([{ endpointId: made?.endpointId ?? '', limit: 1, suspects: false }]);
      await right.markSent(id);
      await right.recordOutcome({ id, attempt: attempt(1, result), state });
    };
    const refused = (message: string): AttemptResult => ({ kind: 'error', error: 'refused', message });
    await fail({ createdAt: 40 }, answer(500));
    for (let n = 0; n < 250; n += 1) await fail({ createdAt: 1000 + n }, answer(401));
    await fail({ createdAt: 2000 }, answer(404));
    await fail({ createdAt: 2001, endpointId: 'other' }, answer(401));
    await fail({ createdAt: 2002, eventType: 'ping' }, answer(401));
    await fail({ createdAt: 2003 }, answer(200), 'delivered');
    await fail({ createdAt: 2004 }, refused('127.0.0.1:1'), 'exhausted');
    await fail({ createdAt: 2005 }, refused('127.0.0.1:2'), 'exhausted');
    await fail({ createdAt: 2006 }, answer(401));
    await fail({ createdAt: 2007 }, refused('127.0.0.1:1'), 'exhausted');

    const shape = async (since: number, limit: number) => {
      const { failed, groups } = await deliveries.failures({ since, limit });
      return [failed, ...groups.map(({ newest, ...group }) => ({ ...group, newest: newest.id }))];
    };
    expect(await shape(50, 20)).toEqual([
      257,
      { newest: 'dlv_259', deliveries: 2, first: 2004, last: 2007 },
      { newest: 'dlv_258', deliveries: 251, first: 1000, last: 2006 },
      { newest: 'dlv_257', deliveries: 1, first: 2005, last: 2005 },
      { newest: 'dlv_254', deliveries: 1, first: 2002, last: 2002 },
      { newest: 'dlv_253', deliveries: 1, first: 2001, last: 2001 },
      { newest: 'dlv_252', deliveries: 1, first: 2000, last: 2000 },
    ]);
    expect(await shape(50, 1)).toEqual([257, expect.objectContaining({ newest: 'dlv_259' })]);
    expect((await shape(0, 20))[0]).toBe(258);
    expect(await shape(3000, 20)).toEqual([0]);
    const { groups } = await deliveries.failures({ since: 0, limit: 1 });
    expect(groups[0]?.newest).toEqual(await deliveries.get('dlv_259'));
    await right.release();
  });
});
