import { expect, it } from 'vitest';
import { eachDeliveryStore } from './each-store.js';
import { answer, attempt, fresh, own, silentOwner } from './owned-store.js';

eachDeliveryStore((store) => {
  const day = 86_400_000;

  it.each([
    ['back a day', -day],
    ['back 40 days', -40 * day],
    ['forward a day', day],
    ['forward 40 days', 40 * day],
  ])('keeps retry times if the clock is set %s', async (_, jump) => {
    const { deliveries, right, clock, claim, takeOver } = await own(store);
    await deliveries.insert([fresh(), fresh()]);
    await claim(1);
    await right.markSent('dlv_1');
    const retry = { state: 'retrying', retryInMs: 2000 } as const;
    await right.recordOutcome({ id: 'dlv_1', attempt: attempt(1, answer(500)), ...retry });
    await clock.jump(jump);
    expect(await deliveries.get('dlv_1')).toMatchObject({ dueAt: clock.now() + 2000 });
    expect(await claim()).toEqual(['dlv_2']);
    await deliveries.insert([fresh()]);
    await clock.advance(1999);
    expect(await claim()).toEqual(['dlv_3']);
    await takeOver();
    await clock.advance(1);
    expect(await claim(1)).toEqual(['dlv_1']);
  });

  it('counts a crash only against a delivery that was being prepared', async () => {
    const owned = await own(store);
    const { deliveries, clock, claim, due, takeOver } = owned;
    await deliveries.insert([fresh(), fresh(), fresh()]);
    await claim(2);
    await clock.advance(5);
    await owned.right.markSent('dlv_2');
    await clock.advance(95);
    due();
    await takeOver();
    expect(await deliveries.get('dlv_1')).toMatchObject({
      crashes: 1,
      phase: 'waiting',
      dueAt: 200,
      requests: 0,
    });
    expect(await deliveries.get('dlv_2')).toMatchObject({
      crashes: 0,
      phase: 'waiting',
      dueAt: 200,
      requests: 1,
    });
    expect(await deliveries.attempts('dlv_2')).toEqual([
      { number: 1, startedAt: 105, durationMs: 0, result: { kind: 'interrupted' } },
    ]);
    expect(due().at(-1)).toEqual(['ep', { inMs: 0, suspectInMs: 0 }]);
    await takeOver();
    expect(await deliveries.get('dlv_1')).toMatchObject({ crashes: 1 });
    expect(await claim()).toEqual(['dlv_3', 'dlv_2']);
    expect(await claim(10, true)).toEqual(['dlv_1']);
    await takeOver();
    await claim(10, true);
    await clock.advance(300);
    await takeOver();
    expect(await deliveries.get('dlv_1')).toMatchObject({
      state: 'poisoned',
      phase: 'done',
      crashes: 3,
      finishedAt: 500,
    });
    expect(await claim(10, true)).toEqual(['dlv_2', 'dlv_3']);
  });

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
