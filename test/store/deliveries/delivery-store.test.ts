import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
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
});
