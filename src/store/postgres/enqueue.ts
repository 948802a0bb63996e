import { deliveryId, isFinal } from '../../webhooks/model/delivery-states.js';
import type { NewDelivery } from '../../webhooks/model/delivery-store.js';
import type { Delivery, DeliveryState } from '../../webhooks/model/delivery.js';
import type { QueryClient } from './connection/query-client.js';
import { requireBodies } from './model/body-limit.js';
import { orderOf, toBytes } from './model/rows.js';
import { laneOf, type Tables } from './model/tables.js';

/**
 * Appends deliveries. Producers never touch the same row, so they never wait for each other. If an endpoint
 * already has a delivery of the same event, returns that one instead, unless the new one is sent again on
 * purpose.
 */
export async function insertDeliveries(
  query: QueryClient['query'],
  { queue }: Tables,
  deliveries: readonly NewDelivery[],
  maxBodyBytes: number,
): Promise<Delivery[]> {
  requireBodies(deliveries, maxBodyBytes);
  if (deliveries.length === 0) return [];
  const { rows } = await query(
    `select * from ${queue}($1::smallint[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[], $6::float8[], $7::bigint[], $8::bytea[], $9::integer)`,
    [
      deliveries.map(({ endpointId }) => laneOf(endpointId)),
      deliveries.map(({ endpointId }) => endpointId),
      deliveries.map(({ installationId }) => toBytes(installationId)),
      deliveries.map(({ eventId }) => toBytes(eventId)),
      deliveries.map(({ eventType }) => toBytes(eventType)),
      deliveries.map(({ createdAt }) => createdAt),
      deliveries.map(({ resentFrom }) => (resentFrom === undefined ? null : (orderOf(resentFrom) ?? null))),
      deliveries.map(({ body }) => Buffer.from(body.buffer, body.byteOffset, body.byteLength)),
      maxBodyBytes,
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
