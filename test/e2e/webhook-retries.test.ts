import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { webhookFetch } from '../../src/emulator/webhook-fetch.js';
import { systemClock } from '../../src/base/clock.js';
import { openStore } from '../../src/store/open-store.js';
import { createWebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { openSession } from '../support/open-session.js';
import { startOwnReceiver, type OwnReceiver } from '../support/own-receiver.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { pass, siteEndpoint, siteView } from '../webhooks/dispatcher-under-test.js';

const gapsOf = ({ accepted }: OwnReceiver): number[] =>
  accepted.slice(1).map(({ at }, i) => at - (accepted[i]?.at ?? 0));

function expectOneEventThreeTimes({ accepted, refused }: OwnReceiver): void {
  expect(refused()).toBe(0);
  expect(accepted).toHaveLength(3);
  expect(new Set(accepted.map(({ header }) => header)).size).toBe(3);
  expect(new Set(accepted.map(({ body }) => body)).size).toBe(1);
}

it('retries until the endpoint responds with 200', async () => {
  const session = await openSession(
    { fetch: async () => new Response('OK') },
    { random: Math.random, fetch: webhookFetch },
  );
  onTestFinished(session.close);
  const { clock, emulator, cli } = session;
  // Receivers need no age limit; one second shows that each request is signed anew.
  const receiver = await startOwnReceiver({ statuses: [500, 500], tolerance: 1, now: clock.now });
  const added = await cli(['webhook', 'add', '--url', receiver.url, '--event', 'page_feedback', '--json']);
  const [endpoint] = added.json['endpoints'] as { secret: string }[];
  receiver.secret = endpoint?.secret ?? '';
  const { json } = await cli(['trigger', 'page_feedback', '--set', 'feedback.comment=ü', '--json']);
  const [{ event, deliveries }] = json['events'] as [{ event: { eventId: string }; deliveries: string[] }];

  await emulator.webhooks.use((dispatcher) => pass(clock, dispatcher, 10_000));
  expectOneEventThreeTimes(receiver);
  expect(receiver.accepted[0]?.eventId).toBe(event.eventId);
  const { items } = (await cli(['webhook', 'deliveries', '--json'])).json;
  expect(items).toMatchObject([{ id: deliveries[0], state: 'delivered', attempts: 3 }]);
  const [first = 0, second = 0] = gapsOf(receiver);
  console.log(`gaps on the virtual clock: ${first} ms, ${second} ms`);
  expect([first >= 1000, first <= 1100, second >= 2000, second <= 2200]).toEqual([true, true, true, true]);
});

it('waits in real time for the documented delays after two 500 responses', async () => {
  const receiver = await startOwnReceiver({ statuses: [500, 500] });
  const store = openStore({ file: join(temporaryFolder(), 'state.db'), clock: systemClock });
  const dispatcher = await createWebhookDispatcher({
    store: store.deliveries,
    clock: systemClock,
    random: () => 0,
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

  expectOneEventThreeTimes(receiver);
  expect(receiver.accepted[0]?.eventId).toBe('evt_1');
  const [first = 0, second = 0] = gapsOf(receiver);
  expect(first).toBeGreaterThanOrEqual(1000);
  expect(second).toBeGreaterThanOrEqual(2000);
});
