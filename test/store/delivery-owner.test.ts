import { expect, it } from 'vitest';
import { eachDeliveryStore } from './each-store.js';
import { answer, attempt, fresh, own, silentOwner } from './owned-store.js';

eachDeliveryStore((store) => {
  it('lets only one process own the store, and rejects that process once it has lost the delivery lock', async () => {
    const owned = await own(store);
    const { deliveries, right } = owned;
    await deliveries.insert([fresh()]);
    await owned.claim();
    await expect(deliveries.own(silentOwner)).rejects.toMatchObject({ name: 'WebhookError', code: 'in-use' });
    expect(right.lost.aborted).toBe(false);
    await owned.takeOver();
    expect(right.lost.reason).toMatchObject({ code: 'right-lost' });
    const refused = await Promise.allSettled([
      right.claim([{ endpointId: 'ep', limit: 1, suspects: true }]),
      right.markSent('dlv_1'),
      right.recordOutcome({ id: 'dlv_1', attempt: attempt(1, answer(200)), state: 'delivered' }),
    ]);
    for (const result of refused) expect(result).toMatchObject({ reason: { code: 'right-lost' } });
    await right.release();
    expect(owned.right.lost.aborted).toBe(false);
    expect(await owned.claim(1, true)).toEqual(['dlv_1']);
  });
});
