import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import type { PostgresDeliveryStore } from '../../src/deliveries/index.js';
import {
  createWebhookDispatcher,
  type DeliveryChange,
  type WebhookDispatcher,
  type WebhookDispatcherOptions,
} from '../../src/webhooks/dispatcher.js';

export interface WorkerUnderTest {
  dispatcher: WebhookDispatcher;
  sent: string[];
  changes: DeliveryChange[];
}

export async function startWorker(
  store: PostgresDeliveryStore,
  more: Partial<WebhookDispatcherOptions> = {},
): Promise<WorkerUnderTest> {
  const sent: string[] = [];
  const changes: DeliveryChange[] = [];
  const { fetch = async () => new Response('ok') } = more;
  const dispatcher = await createWebhookDispatcher({
    store,
    clock: systemClock,
    random: Math.random,
    version: '1',
    ...more,
    fetch: (url, init) => {
      sent.push((JSON.parse(Buffer.from(init.body ?? []).toString()) as { eventId: string }).eventId);
      return fetch(url, init);
    },
  });
  dispatcher.subscribe((change) => changes.push(change));
  onTestFinished(() => dispatcher.close({ patienceMs: 0 }));
  return { dispatcher, sent, changes };
}
