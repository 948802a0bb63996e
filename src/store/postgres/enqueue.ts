import { deliveryId } from '../../webhooks/queue/delivery-states.js';
import type { NewDelivery } from '../../webhooks/queue/delivery-store.js';
import type { Delivery } from '../../webhooks/queue/delivery.js';
import type { QueryClient } from './connection/query-client.js';
import { milliseconds, orderOf, toBytes } from './rows.js';
import { laneOf, type Tables } from './tables.js';

/** Appends deliveries. Producers never touch the same row, so they never wait for each other. */
export async function insertDeliveries(
  query: QueryClient['query'],
  { pending }: Tables,
  deliveries: readonly NewDelivery[],
): Promise<Delivery[]> {
  if (deliveries.length === 0) return [];
  const { rows } = await query(
    `insert into ${pending} (lane, endpoint, installation, event_id, event_type, created_at, resent_from, body)
     select lane, endpoint, installation, event_id, event_type, created_at, resent_from, body
       from unnest($1::smallint[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[], $6::float8[], $7::bigint[], $8::bytea[])
         with ordinality r(lane, endpoint, installation, event_id, event_type, created_at, resent_from, body, place)
       order by place
     returning id, ${milliseconds('due')} as due`,
    [
      deliveries.map(({ endpointId }) => laneOf(endpointId)),
      deliveries.map(({ endpointId }) => endpointId),
      deliveries.map(({ installationId }) => toBytes(installationId)),
      deliveries.map(({ eventId }) => toBytes(eventId)),
      deliveries.map(({ eventType }) => toBytes(eventType)),
      deliveries.map(({ createdAt }) => createdAt),
      deliveries.map(({ resentFrom }) => (resentFrom === undefined ? null : (orderOf(resentFrom) ?? null))),
      deliveries.map(({ body }) => Buffer.from(body.buffer, body.byteOffset, body.byteLength)),
    ],
  );
  return deliveries.map(({ body, ...fields }, at) => ({
    id: deliveryId(Number(rows[at]?.['id'])),
    ...fields,
    state: 'pending',
    phase: 'waiting',
    dueAt: Number(rows[at]?.['due']),
    attempts: 0,
    requests: 0,
    crashes: 0,
    bodyBytes: body.byteLength,
  }));
}
