import { join } from 'node:path';
import { expect, it } from 'vitest';
import { webhookFetch } from '../../src/emulator/webhook-fetch.js';
import { systemClock } from '../../src/protocol/clock.js';
import { openStore } from '../../src/store/open-store.js';
import { createWebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { siteEndpoint, siteView, startReceiver } from '../webhooks/support.js';

it('retries in real time: 500, 500, 200 are three requests with gaps in their ranges', async () => {
  const receiver = await startReceiver([500, 500]);
  const store = openStore({ file: join(temporaryFolder(), 'state.db'), clock: systemClock });
  const dispatcher = await createWebhookDispatcher({
    store: store.deliveries,
    clock: systemClock,
    // The middle of the range leaves as much room for the machine as there is.
    random: () => 0.5,
    fetch: webhookFetch,
    version: 'test',
  });
  const endpoint = await dispatcher.endpoints.add(siteEndpoint({ url: receiver.url }));
  receiver.secret = endpoint.secret;
  await dispatcher.enqueue(siteView('evt_1'));
  await new Promise<void>((resolve) =>
    dispatcher.subscribe((change) => {
      if (change.type === 'attempt' && change.delivery.state === 'delivered') resolve();
    }),
  );
  await dispatcher.close();
  await store.close();
  await receiver.close();

  const [first = 0, second = 0, third = 0] = receiver.received.map(({ at }) => at);
  console.log(`gaps in real time: ${second - first} ms, ${third - second} ms`);
  expect(receiver.received.map(({ eventId, valid }) => [eventId, valid])).toEqual([
    ['evt_1', true],
    ['evt_1', true],
    ['evt_1', true],
  ]);
  expect(new Set(receiver.received.map(({ header }) => header)).size).toBe(3);
  expect((second - first) / 1000).toBeGreaterThanOrEqual(1);
  // The schedule itself is held to its range on the virtual clock; here a socket and a timer come on top.
  const latency = 100;
  expect(second - first - latency).toBeLessThanOrEqual(1100);
  expect((third - second) / 2000).toBeGreaterThanOrEqual(1);
  expect(third - second - latency).toBeLessThanOrEqual(2200);
});
