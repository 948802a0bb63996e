import { onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { createWebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { endpointOf, until } from './fleet.js';
import { openPostgres } from './postgres-under-test.js';

test('polls other endpoints quickly even if outdated statistics attribute most deliveries to one endpoint', async () => {
  const { store, sql } = await openPostgres();
  const others = Array.from({ length: 300 }, (_, n) => `whe_${n}`);
  for (const id of ['whe_hot', ...others])
    await store.putEndpoint(endpointOf(id, `http://receiver.test/${id}`));
  const delivery = (endpointId: string) => ({
    endpointId,
    installationId: 'ins_1',
    eventId: `evt_${endpointId}`,
    eventType: 'ping',
    body: new TextEncoder().encode('{}'),
    createdAt: Date.now(),
  });
  await store.insert([delivery('whe_hot')]);
  await sql(
    `insert into pending (created_at, lane, endpoint, installation, event_id, event_type, body)
     select created_at, lane, endpoint, installation, event_id, event_type, body from pending, generate_series(1, 300000)`,
  );
  await sql('analyze pending');
  await store.insert(others.map(delivery));

  const sent = new Set<string>();
  const began = performance.now();
  const dispatcher = await createWebhookDispatcher({
    store,
    clock: systemClock,
    random: Math.random,
    version: 'test',
    async fetch(url) {
      sent.add(url);
      return { status: 200, body: null };
    },
  });
  onTestFinished(() => dispatcher.close());
  await until(20_000, 'the others', async () => sent.size === others.length + 1);
  console.log(
    `statistics of one endpoint: ${others.length} others served after ${Math.round(performance.now() - began)} ms beside 300,000 rows`,
  );
});
