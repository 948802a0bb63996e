import { expect, inject, it } from 'vitest';
import { fresh } from '../store/owned-store.js';
import { runWebhooks } from '../support/run-platform.js';
import { endpointOf } from './fleet.js';
import { openPostgres, polled } from './postgres-under-test.js';
import { startWorker } from './worker-under-test.js';

const minutes = 60;
const perMinute = 5;

it("keeps all deliveries during a receiver's one-hour outage and resends them with one command", async () => {
  const { store, schema, sql } = await openPostgres();
  await store.putEndpoint(endpointOf('whe_1', 'http://receiver.test/'));
  let isDown = true;
  const received: string[] = [];
  await startWorker(store, {
    async fetch(_, { body }) {
      if (isDown) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      received.push((JSON.parse(Buffer.from(body ?? []).toString()) as { eventId: string }).eventId);
      return new Response('ok');
    },
  });

  const events: string[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    const batch = Array.from({ length: perMinute }, (_, n) => `evt_${minute}_${n}`);
    events.push(...batch);
    await store.insert(
      batch.map((eventId) =>
        fresh({
          endpointId: 'whe_1',
          installationId: 'ins_1',
          eventId,
          body: Buffer.from(JSON.stringify({ eventId })),
        }),
      ),
    );
    await polled(store);
    // Simulates a minute by making every timestamp in the database a minute older.
    await sql("update pending set due = due - interval '1 minute', created_at = created_at - 60000");
    await sql(
      "update done set finished_at = finished_at - interval '1 minute', created_at = created_at - 60000",
    );
  }
  await expect
    .poll(
      async () => {
        await sql("update pending set due = due - interval '1 minute'");
        return (await store.list({ state: 'exhausted', limit: 1000 })).length;
      },
      { timeout: 30_000 },
    )
    .toBe(events.length);
  const [span] = await sql('select (max(created_at) - min(created_at)) / 60000 as minutes from done');
  expect(span?.['minutes']).toBeGreaterThan(minutes - 2);

  isDown = false;
  const args = ['resend', '--endpoint', 'whe_1', '--since', '2h', '--schema', schema, '--json'];
  const { code, stdout } = await runWebhooks(args, { env: { PLATFORM_DATABASE_URL: inject('postgres') } });
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ resent: events.length, skipped: 0 }),
  ]);
  await expect.poll(() => received.length, { timeout: 30_000 }).toBe(events.length);
  expect(received.toSorted()).toEqual(events.toSorted());
  console.log(
    `a receiver that was down for an hour: ${received.length} of ${events.length} sent by one command`,
  );
});
