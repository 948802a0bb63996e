import { webhookFetch } from '../../src/emulator/webhook-fetch.js';
import { systemClock } from '../../src/base/clock.js';
import { openStore } from '../../src/store/open-store.js';
import type { DeliveryStore } from '../../src/webhooks/model/delivery-store.js';
import { createWebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { siteEndpoint, siteView } from '../webhooks/dispatcher-under-test.js';

/** A separate process that sends webhooks and that tests can kill. */
export interface SenderTask {
  file: string;
  url: string;
  concurrency: number;
  /** Queue the events from `from` up to `to`, and print `ack <n>` for each one that is stored safely. */
  enqueue?: { from: number; to: number };
  /** Queue without sending. */
  hold?: boolean;
  /** Crash each time the body of this delivery is read. */
  deadly?: string;
  /** Exit when nothing is pending. Otherwise run until killed. */
  drain?: boolean;
}

const task = JSON.parse(process.argv[2] ?? '{}') as SenderTask;

const deadlyStore = (store: DeliveryStore): DeliveryStore => ({
  ...store,
  body(id) {
    if (id === task.deadly) process.kill(process.pid, 'SIGKILL');
    return store.body(id);
  },
});

async function main(): Promise<void> {
  const store = openStore({ file: task.file, clock: systemClock });
  const dispatcher = await createWebhookDispatcher({
    store: deadlyStore(store.deliveries),
    clock: systemClock,
    random: () => 0.5,
    fetch: webhookFetch,
    version: 'test',
    concurrency: task.concurrency,
    perEndpoint: task.concurrency,
  });
  if (dispatcher.endpoints.list().length === 0)
    await dispatcher.endpoints.add(siteEndpoint({ url: task.url }));
  if (task.hold) await dispatcher.pause('ins');
  else await dispatcher.resume('ins');

  let next = task.enqueue?.from ?? 0;
  const producers = Array.from({ length: task.concurrency }, async () => {
    while (next < (task.enqueue?.to ?? 0)) {
      const own = next;
      next += 1;
      await dispatcher.enqueue(siteView(`evt_${own}`));
      process.stdout.write(`ack ${own}\n`);
    }
  });
  await Promise.all(producers);

  for (let waits = task.drain === true; waits;) {
    await systemClock.sleep(20);
    const { pending, retrying } = await dispatcher.deliveries.backlog();
    waits = pending + retrying > 0;
  }
  if (!task.drain && !task.hold) await systemClock.sleep(3_600_000);
  await dispatcher.close();
  await store.close();
}

void main();
