import { expect, it } from 'vitest';
import { answer, attempt, endpoint, fresh, silentOwner } from '../store/owned-store.js';
import { openPostgres } from './postgres-under-test.js';

it('measures how long due deliveries wait before they are sent', async () => {
  const { store, sql } = await openPostgres();
  await store.putEndpoint(endpoint);
  const right = await store.own(silentOwner);
  await store.insert([fresh(), fresh()]);
  await expect.poll(() => store.worker().held).toBe(2);
  await sql("update pending set due = due - interval '1 minute'");
  // Reads the metrics like another worker.
  await right.release();
  const next = await store.own(silentOwner);
  await expect.poll(() => store.worker().held).toBe(2);
  const waiting = store.worker();
  expect(waiting.oldestDueMs).toBeGreaterThan(60_000);
  await expect.poll(() => store.worker().stalledMs).toBeGreaterThan(100);

  const [claimed] = await next.claim([{ endpointId: endpoint.id, limit: 2, suspects: false }]);
  for (const { id } of claimed?.deliveries ?? []) await next.markSent(id);
  const { stalledMs, oldestDueMs, sendDelays } = store.worker();
  expect(oldestDueMs).toBe(0);
  expect(stalledMs).toBe(0);
  const { boundsMs, counts, sumMs } = sendDelays;
  expect(counts.map((count, at) => [boundsMs[at], count]).filter(([, count]) => count !== 0)).toEqual([
    [300_000, 2],
  ]);
  expect(sumMs).toBeGreaterThan(120_000);
  await next.release();
});

it('measures how long reads have been failing, and counts failed writes', async () => {
  const { store, sql } = await openPostgres();
  await store.putEndpoint(endpoint);
  const right = await store.own(silentOwner);
  await store.insert([fresh()]);
  await expect.poll(() => store.worker().held).toBe(1);
  const [claimed] = await right.claim([{ endpointId: endpoint.id, limit: 1, suspects: false }]);
  const id = claimed?.deliveries[0]?.id ?? '';
  await right.markSent(id);
  expect(store.worker().failedBatches).toBe(0);
  await sql('begin');
  await sql('lock table pending in access exclusive mode');
  await expect.poll(() => store.worker().sinceReadMs).toBeGreaterThan(1500);
  const written = right.recordOutcome({ id, attempt: attempt(1, answer(200)), state: 'delivered' });
  written.catch(() => undefined);
  await expect.poll(() => store.worker().failedBatches).toBeGreaterThan(0);
  await sql('commit');
  await expect.poll(() => store.worker().sinceReadMs).toBeLessThan(500);
  await right.release();
});
