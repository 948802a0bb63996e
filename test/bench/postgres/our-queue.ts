import { Client } from 'pg';
import { systemClock } from '../../../src/base/clock.js';
import { createPostgresDeliveryStore } from '../../../src/deliveries/index.js';
import { DeliveryScheduler } from '../../../src/webhooks/queue/delivery-scheduler.js';
import type { Delivery } from '../../../src/webhooks/model/delivery.js';
import type { PreparedRequest } from '../../../src/webhooks/send/delivery-sender.js';
import type { Item, Queue, QueueOptions } from './queue.js';

const ignored = { isRemoved: async () => false, onOutcome() {}, onLost() {}, onChanged() {} };

/** Runs the scheduler and store like a worker, with attempts and bodies stored, but without signing and HTTP. */
export async function createOurQueue({ url }: QueueOptions): Promise<Queue> {
  const store = await createPostgresDeliveryStore({ url, migrate: true });
  const client = new Client(url);
  await client.connect();
  let enqueued = 0;
  return {
    async prepare(endpoints) {
      // One statement, because 20,000 calls of `putEndpoint` would take a minute.
      await client.query(
        `with r as (update platform_webhooks.revisions set last = last + 1 returning last)
         insert into platform_webhooks.endpoints (id, value, revision)
         select id, json_build_object('id', id, 'installationId', 'ins_1', 'enabled', true, 'events', '["site_view"]'::json,
           'target', json_build_object('type', 'site', 'id', id), 'url', 'http://127.0.0.1:1/', 'secret', 'whsec_1',
           'createdAt', 0), last from unnest($1::text[]) id, r on conflict do nothing`,
        [endpoints],
      );
    },
    enqueue({ endpoint, at }) {
      const event = { eventId: `one_${at}_${enqueued++}`, type: 'site_view', installationId: 'ins_1' };
      return client.query('select * from platform_webhooks.enqueue_event($1)', [
        JSON.stringify({ ...event, siteId: endpoint }),
      ]);
    },
    async insert(items) {
      await store.insert(
        items.map((item, at) => ({
          endpointId: item.endpoint,
          installationId: 'ins_1',
          eventId: `evt_${item.at}_${at}`,
          eventType: 'site_view',
          body: new TextEncoder().encode(JSON.stringify(item)),
          createdAt: item.at,
        })),
      );
    },
    async work({ endpoints, slots, handle }) {
      const scheduler = new DeliveryScheduler({
        store,
        clock: systemClock,
        timers: systemClock,
        concurrency: slots,
        perEndpoint: 4,
      });
      const request = { url: '', headers: {} };
      const sender = {
        prepare: async (delivery: Delivery, body: Uint8Array) => ({ delivery, body, request, preparedAt: 0 }),
        async send({ delivery, body }: PreparedRequest) {
          const startedAt = Date.now();
          await handle(JSON.parse(new TextDecoder().decode(body)) as Item);
          const result = { kind: 'answer', status: 200, body: new Uint8Array() } as const;
          const durationMs = Date.now() - startedAt;
          const attempt = { number: delivery.attempts + 1, startedAt, durationMs, result };
          return { id: delivery.id, attempt, state: 'delivered' } as const;
        },
      };
      await scheduler.start(sender, { ...ignored, onTrouble: (error) => console.error(error) });
      for (const id of endpoints) scheduler.open(id);
      return () => scheduler.stop();
    },
    async close() {
      await client.end();
      await store.close();
    },
  };
}
