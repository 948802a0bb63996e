import type { WebhookEvent } from '../protocol/events.js';
import { defaultMaxBodyBytes, requireBodies } from './model/body-limit.js';
import type { QueryClient } from './connection/query-client.js';
import { tablesOf, laneOf, type Tables } from './model/tables.js';
import { isFinal } from '../protocol/delivery-states.js';
import { deliveryId } from '../webhooks/model/delivery-states.js';
import type { NewDelivery } from '../webhooks/model/delivery-store.js';
import type { Delivery, DeliveryState } from '../webhooks/model/delivery.js';
import { activeTraceparent } from '../webhooks/send/attempt-span.js';
import { orderOf, toBytes } from './model/rows.js';

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
    `select * from ${tablesOf(schema).enqueueEvent}($1::json, $2::integer, $3::text)`,
    [JSON.stringify(event), maxBodyBytes, activeTraceparent() ?? null],
  );
  return rows.map((row) => ({
    delivery: String(row['delivery']),
    endpoint: String(row['endpoint']),
    queued: row['queued'] === true,
  }));
}

/** Adds the active span, which `insertDeliveries` may no longer see because it writes the deliveries of several callers. */
export function withTrace(deliveries: readonly NewDelivery[]): NewDelivery[] {
  const traceparent = activeTraceparent();
  return traceparent === undefined ? [...deliveries] : deliveries.map((one) => ({ traceparent, ...one }));
}

/**
 * Appends deliveries. Two producers never write to the same row, so they never wait for each other. If an endpoint
 * already has a delivery for the same event, returns that delivery, except for intentional resends.
 */
export async function insertDeliveries(
  query: QueryClient['query'],
  { queue, done }: Tables,
  deliveries: readonly NewDelivery[],
  maxBodyBytes: number,
): Promise<Delivery[]> {
  requireBodies(deliveries, maxBodyBytes);
  if (deliveries.length === 0) return [];
  const resent = deliveries.map(({ resentFrom }) =>
    resentFrom === undefined ? null : (orderOf(resentFrom) ?? null),
  );
  // Marks the deliveries that are resent, so that a bulk resend skips them. Producers never resend deliveries, and do not
  // have permission to update the table.
  const marked = resent.some((id) => id !== null)
    ? `with marked as (update ${done} set resent = true where id = any ($7::bigint[])) `
    : '';
  const { rows } = await query(
    `${marked}select * from ${queue}($1::smallint[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[], $6::float8[], $7::bigint[], $8::bytea[], $9::integer, $10::text[])`,
    [
      deliveries.map(({ endpointId }) => laneOf(endpointId)),
      deliveries.map(({ endpointId }) => endpointId),
      deliveries.map(({ installationId }) => toBytes(installationId)),
      deliveries.map(({ eventId }) => toBytes(eventId)),
      deliveries.map(({ eventType }) => toBytes(eventType)),
      deliveries.map(({ createdAt }) => createdAt),
      resent,
      deliveries.map(({ body }) => Buffer.from(body.buffer, body.byteOffset, body.byteLength)),
      maxBodyBytes,
      deliveries.map(({ traceparent }) => traceparent ?? null),
    ],
  );
  return deliveries.map(({ body, ...fields }, at) => ({
    ...fields,
    ...queuedState(rows[at] ?? {}),
    bodyBytes: body.byteLength,
  }));
}

function queuedState(
  row: Record<string, unknown>,
): Omit<Delivery, keyof NewDelivery | 'bodyBytes'> & { createdAt: number } {
  const state = String(row['state']) as DeliveryState;
  const attempts = Number(row['attempts']);
  return {
    id: deliveryId(Number(row['delivery'])),
    createdAt: Number(row['created_at']),
    state,
    ...(isFinal(state)
      ? { phase: 'done', finishedAt: Number(row['finished_at']) }
      : { phase: 'waiting', dueAt: Number(row['due']) }),
    attempts,
    requests: attempts,
    crashes: 0,
  };
}
