import type { WebhookEvent } from '../protocol/events.js';
import { defaultMaxBodyBytes } from './model/body-limit.js';
import type { QueryClient } from './connection/query-client.js';
import { tablesOf } from './model/tables.js';

/** The delivery of an event to one of the endpoints. */
export interface QueuedEvent {
  /** The delivery id. */
  delivery: string;
  endpoint: string;
  /** False if this endpoint already has a delivery for this event. */
  queued: boolean;
}

/**
 * Queues an event for every subscribed endpoint, as part of your own transaction. The event is sent only if
 * the transaction commits. If you don't know whether an earlier call was committed, repeat it with the same
 * `eventId`. Each endpoint keeps only one delivery for it. The client can use a pooler. Fails if the event's
 * JSON is larger than `maxBodyBytes` (default: 1 MB).
 * @example
 * ```ts
 * import { enqueueEvent } from 'integration-platform/webhooks/postgres';
 *
 * await client.query('begin');
 * await client.query('update pages set title = $1 where id = $2', [title, id]);
 * await enqueueEvent(client, { eventId, type: 'site_view', installationId, siteId, visitor, url, referrer });
 * await client.query('commit');
 * ```
 */
export async function enqueueEvent(
  client: QueryClient,
  event: WebhookEvent,
  options: { schema?: string; maxBodyBytes?: number } = {},
): Promise<QueuedEvent[]> {
  const { schema = 'platform_webhooks', maxBodyBytes = defaultMaxBodyBytes } = options;
  const { rows } = await client.query(
    `select * from ${tablesOf(schema).enqueueEvent}($1::json, $2::integer)`,
    [JSON.stringify(event), maxBodyBytes],
  );
  return rows.map((row) => ({
    delivery: String(row['delivery']),
    endpoint: String(row['endpoint']),
    queued: row['queued'] === true,
  }));
}
