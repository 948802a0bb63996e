import type { Clock } from '../../base/clock.js';
import { deliveryId, deliveryOf, deliveryOrder, recovered } from '../../webhooks/model/delivery-states.js';
import type { ClaimRequest, DeliveryOutcome, NewDelivery } from '../../webhooks/model/delivery-store.js';
import type { Attempt, Delivery } from '../../webhooks/model/delivery.js';
import type { ScheduleTime } from '../../webhooks/queue/schedule-time.js';
import { toBlob, type Sqlite } from '../sqlite/sqlite.js';
import { deliveryColumns, fromResult, shownColumns, shownState } from './delivery-rows.js';

/** The state changes of a delivery. Each one runs in a transaction and throws if the delivery is not in the expected state. */
export function createDeliverySteps(db: Sqlite, time: ScheduleTime, clock: Pick<Clock, 'now'>) {
  const due = (suspects: 0 | 1) =>
    db.prepare(
      `SELECT ${deliveryColumns} FROM delivery WHERE endpoint = ? AND (crashes > 0) = ${suspects} AND due_at <= ?
       ORDER BY due_at, id LIMIT ?`,
    );
  const dueNormal = due(0);
  const dueSuspect = due(1);
  const take = db.prepare("UPDATE delivery SET phase = 'preparing', due_at = NULL WHERE id = ?");
  const send = db.prepare(
    "UPDATE delivery SET phase = 'sending', requests = requests + 1, sent_at = ? WHERE id = ? AND phase = 'preparing'",
  );
  const addAttempt = createAttemptInsert(db);
  const settle = db.prepare(
    `UPDATE delivery SET state = ?, phase = ?, attempts = attempts + 1, requests = ?, due_at = ?, finished_at = ?, url = ifnull(?, url)
     WHERE id = ? AND phase IN ('preparing', 'sending') RETURNING ${shownColumns}`,
  );
  const expedite = db.prepare("UPDATE delivery SET due_at = ? WHERE id = ? AND phase = 'waiting'");

  const unexpectedState = (id: string): Error =>
    new Error(`The delivery ${id} is not in the expected state.`);

  return {
    claim({ endpointId, limit, suspects }: ClaimRequest) {
      const rows = (suspects ? dueSuspect : dueNormal).all(endpointId, time.dueBy(), limit);
      for (const [id] of rows) take.run(id ?? null);
      return rows.map((row): Delivery => {
        const { dueAt: _, ...delivery } = deliveryOf(row, time.shown);
        return { ...delivery, phase: 'preparing' };
      });
    },
    markSent(id: string) {
      if (send.run(clock.now(), deliveryOrder(id)).changes === 0) throw unexpectedState(id);
    },
    /** Records the result of a request. Returns the delivery in its new state. */
    record({ id, attempt, state, retryInMs }: DeliveryOutcome) {
      const order = deliveryOrder(id);
      addAttempt(order, attempt);
      const waits = retryInMs !== undefined;
      const dueAt = waits ? time.now() + retryInMs : null;
      const finishedAt = waits ? null : clock.now();
      const url = attempt.request ? toBlob(attempt.request.url) : null;
      const phase = waits ? 'waiting' : 'done';
      const rows = settle.all(state, phase, attempt.number, dueAt, finishedAt, url, order);
      if (!rows[0]) throw unexpectedState(id);
      return deliveryOf(rows[0], time.shown);
    },
    /** Makes a waiting delivery due now. Returns false if the delivery is not waiting. */
    expedite: (order: number) => expedite.run(time.now(), order).changes > 0,
  };
}

/** Releases deliveries that were still claimed by an owner when its process ended. */
export function createRecovery(
  db: Sqlite,
  time: ScheduleTime,
  clock: Pick<Clock, 'now'>,
): (poisonAfter: number) => Delivery[] {
  const held = db.prepare(
    `SELECT ${deliveryColumns}, sent_at FROM delivery WHERE phase IN ('preparing', 'sending') ORDER BY id`,
  );
  const addAttempt = createAttemptInsert(db);
  const restore = db.prepare(
    'UPDATE delivery SET state = ?, phase = ?, crashes = ?, due_at = ?, finished_at = ? WHERE id = ?',
  );

  return (poisonAfter) =>
    held.all().map((row) => {
      const before = deliveryOf(row.slice(0, -1), time.shown);
      const order = deliveryOrder(before.id);
      if (before.phase === 'sending') {
        const startedAt = Number(row.at(-1) ?? clock.now());
        const result = { kind: 'interrupted' } as const;
        addAttempt(order, { number: before.requests, startedAt, durationMs: 0, result });
      }
      const after = recovered(before, time.now(), clock.now(), poisonAfter);
      const { state, phase, crashes, dueAt = null, finishedAt = null } = after;
      restore.run(state, phase, crashes, dueAt, finishedAt, order);
      return after;
    });
}

function createAttemptInsert(db: Sqlite): (order: number, attempt: Attempt) => void {
  const insert = db.prepare(
    `INSERT INTO delivery_attempt (delivery, number, started_at, duration_ms, request, status, error, detail, answer)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (order, { number, startedAt, durationMs, request, result }) => {
    const sent = request ? toBlob(JSON.stringify(request)) : null;
    insert.run(order, number, startedAt, durationMs, sent, ...fromResult(result));
  };
}

/** Appends a delivery and its body. The delivery is due immediately. */
export function createDeliveryInsert(
  db: Sqlite,
  time: Pick<ScheduleTime, 'now' | 'shown'>,
): (delivery: NewDelivery) => Delivery {
  const insert = db.prepare(
    `INSERT INTO delivery (endpoint, installation, event_id, event_type, created_at, due_at, body_bytes, resent_from)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id, ${shownState}`,
  );
  const insertBody = db.prepare('INSERT INTO delivery_body (delivery, body) VALUES (?, ?)');

  return ({ body, resentFrom, ...fields }) => {
    const dueAt = time.now();
    const [[order, state] = []] = insert.all(
      fields.endpointId,
      toBlob(fields.installationId),
      toBlob(fields.eventId),
      toBlob(fields.eventType),
      fields.createdAt,
      dueAt,
      body.byteLength,
      resentFrom === undefined ? null : deliveryOrder(resentFrom),
    );
    insertBody.run(order ?? null, body);
    return {
      id: deliveryId(Number(order)),
      ...fields,
      state: state as Delivery['state'],
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
