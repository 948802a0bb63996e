import { deliveryId, deliveryOrder, recovered } from '../webhooks/queue/delivery-rules.js';
import type { DeliveryStore } from '../webhooks/queue/delivery-store.js';
import type { Delivery } from '../webhooks/queue/delivery.js';
import { createDeliveryReads } from './delivery-reads.js';
import { deliveryColumns, fromResult, toDelivery } from './delivery-rows.js';
import { createDeliveryTrim } from './delivery-trim.js';
import { createGroupCommit } from './group-commit.js';
import type { StoreLimits } from './limits.js';
import { createSqliteEndpoints } from './sqlite-endpoints.js';
import { toBlob, type Sqlite } from './sqlite.js';

export interface SqliteDeliveries extends DeliveryStore {
  /** Commits what has been asked so far. */
  flush(): void;
}

export function createSqliteDeliveries(db: Sqlite, limits: StoreLimits): SqliteDeliveries {
  const { commit, flush } = createGroupCommit(db);
  /** Where a delivery stands matters to the next process alone: without it, it is sent once more. */
  const mark = <T>(work: () => T): Promise<T> => commit(work, 'process');
  const reads = createDeliveryReads(db);
  const trim = createDeliveryTrim(db, limits.entries);

  const insert = db.prepare(
    `INSERT INTO delivery (endpoint, installation, event_id, event_type, created_at, due_at, body_bytes, resent_from)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertBody = db.prepare('INSERT INTO delivery_body (delivery, body) VALUES (?, ?)');
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
  const insertAttempt = db.prepare(
    `INSERT INTO delivery_attempt (delivery, number, started_at, duration_ms, status, error, detail, answer)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const settle = db.prepare(
    `UPDATE delivery SET state = ?, phase = ?, attempts = attempts + 1, due_at = ?, finished_at = ?
     WHERE id = ? AND phase = 'sending'`,
  );
  const expedite = db.prepare("UPDATE delivery SET due_at = ? WHERE id = ? AND phase = 'waiting'");
  const held = db.prepare(
    `SELECT ${deliveryColumns}, sent_at FROM delivery WHERE phase IN ('preparing', 'sending') ORDER BY id`,
  );
  const restore = db.prepare(
    'UPDATE delivery SET state = ?, phase = ?, crashes = ?, due_at = ?, finished_at = ? WHERE id = ?',
  );

  const changed = (result: { changes: number }, id: string): void => {
    if (result.changes === 0) throw new Error(`The delivery ${id} is not in the state for this.`);
  };

  return {
    ...createSqliteEndpoints(db, commit),
    ...reads,
    flush,

    insert: (deliveries) =>
      commit(() =>
        deliveries.map(({ body, resentFrom, ...fields }): Delivery => {
          const { lastId } = insert.run(
            fields.endpointId,
            toBlob(fields.installationId),
            toBlob(fields.eventId),
            toBlob(fields.eventType),
            fields.createdAt,
            fields.createdAt,
            body.byteLength,
            resentFrom === undefined ? null : deliveryOrder(resentFrom),
          );
          insertBody.run(lastId, body);
          return {
            id: deliveryId(lastId),
            ...fields,
            state: 'pending',
            phase: 'waiting',
            dueAt: fields.createdAt,
            attempts: 0,
            requests: 0,
            crashes: 0,
            bodyBytes: body.byteLength,
            ...(resentFrom !== undefined && { resentFrom }),
          };
        }),
      ),
    claim: (requests, now) =>
      mark(() =>
        requests.map(({ endpointId, limit, suspects }) => {
          const rows = (suspects ? dueSuspect : dueNormal).all(endpointId, now, limit);
          for (const [id] of rows) take.run(id ?? null);
          const deliveries = rows.map((row): Delivery => {
            const { dueAt: _, ...delivery } = toDelivery(row);
            return { ...delivery, phase: 'preparing' };
          });
          return { endpointId, deliveries, next: reads.readNextDue(endpointId) };
        }),
      ),
    markSent: (id, at) => mark(() => changed(send.run(at, deliveryOrder(id)), id)),
    recordOutcome: ({ id, attempt, state, dueAt, at }) =>
      commit(() => {
        const order = deliveryOrder(id);
        insertAttempt.run(
          order,
          attempt.number,
          attempt.startedAt,
          attempt.durationMs,
          ...fromResult(attempt.result),
        );
        const waits = dueAt !== undefined;
        changed(settle.run(state, waits ? 'waiting' : 'done', dueAt ?? null, waits ? null : at, order), id);
        if (!waits) trim();
      }),
    expedite: (id, now) =>
      commit(() => {
        const order = deliveryOrder(id);
        return expedite.run(now, order).changes === 0 ? undefined : reads.read(order);
      }),
    recover: (now, poisonAfter) =>
      commit(() =>
        held.all().map((row) => {
          const before = toDelivery(row.slice(0, -1));
          const order = deliveryOrder(before.id);
          if (before.phase === 'sending') {
            const sentAt = Number(row.at(-1) ?? now);
            insertAttempt.run(order, before.requests, sentAt, 0, ...fromResult({ kind: 'interrupted' }));
          }
          const after = recovered(before, now, poisonAfter);
          const { state, phase, crashes, dueAt = null, finishedAt = null } = after;
          restore.run(state, phase, crashes, dueAt, finishedAt, order);
          return after;
        }),
      ),
  };
}
