import { join } from 'node:path';
import { expect, it } from 'vitest';
import { webhookFetch } from '../../src/emulator/webhook-fetch.js';
import { systemClock } from '../../src/base/clock.js';
import { openStore } from '../../src/store/open-store.js';
import { createWebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { startOwnReceiver, type OwnReceiver } from '../support/own-receiver.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { siteEndpoint, siteView } from '../webhooks/dispatcher-under-test.js';
import { startKillable } from '../support/killable.js';

const gapsOf = ({ accepted }: OwnReceiver): number[] =>
  accepted.slice(1).map(({ at }, i) => at - (accepted[i]?.at ?? 0));

function expectOneEventThreeTimes({ accepted, refused }: OwnReceiver): void {
  expect(refused()).toBe(0);
  expect(accepted).toHaveLength(3);
  expect(new Set(accepted.map(({ header }) => header)).size).toBe(3);
  expect(new Set(accepted.map(({ body }) => body)).size).toBe(1);
}

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

it('keeps all state and all but the latest calls when the platform is killed', async () => {
  for (let round = 0; round < 5; round += 1) {
    const file = join(temporaryFolder(), 'state.db');
    const writer = await startKillable('store-writer.ts', file);
    while (writer.acked.length < 500 + round * 37) await systemClock.sleep(1);
    writer.child.kill('SIGKILL');
    await writer.ended;
    const count = writer.acked.length;

    const store = openStore({ file, clock: systemClock });
    const things = new Set(store.state.list('things').map(({ id }) => id));
    const lost = writer.acked.filter((n) => !things.has(`a${n}`) || !things.has(`b${n}`));
    expect(lost).toEqual([]);
    const calls = store.callLog.list({ after: 0, limit: 100_000 }).map(({ call }) => call);
    const span = (calls.at(-1)?.time ?? 0) - (calls[0]?.time ?? 0);
    expect(calls.map(({ id }) => id)).toEqual(calls.map((_, n) => `call_${n}`));
    console.log(`killed after ${count} writes over ${span} ms: ${count - calls.length} calls lost`);
    expect(calls.length).toBeGreaterThan(0);
    await store.close();
  }
});
