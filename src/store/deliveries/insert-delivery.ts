import { deliveryId, deliveryOrder } from '../../webhooks/queue/delivery-states.js';
import type { NewDelivery } from '../../webhooks/queue/delivery-store.js';
import type { Delivery } from '../../webhooks/queue/delivery.js';
import type { ScheduleTime } from '../../webhooks/queue/schedule-time.js';
import { toBlob, type Sqlite } from '../sqlite/sqlite.js';

/** Appends one delivery and its body, due now. */
export function createDeliveryInsert(
  db: Sqlite,
  time: Pick<ScheduleTime, 'now' | 'shown'>,
): (delivery: NewDelivery) => Delivery {
  const insert = db.prepare(
    `INSERT INTO delivery (endpoint, installation, event_id, event_type, created_at, due_at, body_bytes, resent_from)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertBody = db.prepare('INSERT INTO delivery_body (delivery, body) VALUES (?, ?)');

  return ({ body, resentFrom, ...fields }) => {
    const dueAt = time.now();
    const { lastId } = insert.run(
      fields.endpointId,
      toBlob(fields.installationId),
      toBlob(fields.eventId),
      toBlob(fields.eventType),
      fields.createdAt,
      dueAt,
      body.byteLength,
      resentFrom === undefined ? null : deliveryOrder(resentFrom),
    );
    insertBody.run(lastId, body);
    return {
      id: deliveryId(lastId),
      ...fields,
      state: 'pending',
      phase: 'waiting',
      dueAt: time.shown(dueAt),
      attempts: 0,
      requests: 0,
      crashes: 0,
      bodyBytes: body.byteLength,
      ...(resentFrom !== undefined && { resentFrom }),
    };
  };
}
