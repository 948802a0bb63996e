import type { Clock } from '../../base/clock.js';
import { deliveryId, deliveryOrder, recovered } from '../../webhooks/queue/delivery-states.js';
import type {
  ClaimRequest,
  ClaimResult,
  DeliveryOutcome,
  DeliveryStore,
} from '../../webhooks/queue/delivery-store.js';
import type { Delivery } from '../../webhooks/queue/delivery.js';
import { createOwnership, inUse } from '../../webhooks/queue/ownership.js';
import { createScheduleTime } from '../../webhooks/queue/schedule-time.js';
import { createDeliveryReads, readLatestDue } from './delivery-reads.js';
import { deliveryColumns, fromResult, toDelivery } from './delivery-rows.js';
import { createGroupCommit, type GroupCommit } from '../sqlite/group-commit.js';
import type { StoreLimits } from '../store-limits.js';
import { lockOwner } from '../sqlite/sqlite-owner.js';
import { toBlob, fromBlob, type Sqlite } from '../sqlite/sqlite.js';
import type { Endpoint } from '../../webhooks/endpoint.js';

export interface SqliteDeliveries extends DeliveryStore {
  /** Commits what has been asked so far. */
  flush(): void;
  /** Ends the right of its owner. */
  close(): void;
}

export interface SqliteDeliveriesOptions {
  file: string;
  clock: Clock;
  limits: StoreLimits;
}

export function createSqliteDeliveries(
  db: Sqlite,
  { file, clock, limits }: SqliteDeliveriesOptions,
): SqliteDeliveries {
  const time = createScheduleTime(clock, readLatestDue(db));
  const ownership = createOwnership();
  const { commit, flush } = createGroupCommit(db);
  /** Where a delivery stands matters to the next process alone: without it, it is sent once more. */
  const mark = <T>(work: () => T): Promise<T> => commit(work, 'process');
  const reads = createDeliveryReads(db, time);
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
  const endpointOf = db.prepare('SELECT endpoint FROM delivery WHERE id = ?');
  const held = db.prepare(
    `SELECT ${deliveryColumns}, sent_at FROM delivery WHERE phase IN ('preparing', 'sending') ORDER BY id`,
  );
  const restore = db.prepare(
    'UPDATE delivery SET state = ?, phase = ?, crashes = ?, due_at = ?, finished_at = ? WHERE id = ?',
  );

  const changed = (result: { changes: number }, id: string): void => {
    if (result.changes === 0) throw new Error(`The delivery ${id} is not in the state for this.`);
  };

  const recover = (poisonAfter: number): Promise<Delivery[]> =>
    commit(() =>
      held.all().map((row) => {
        const before = toDelivery(row.slice(0, -1), time);
        const order = deliveryOrder(before.id);
        if (before.phase === 'sending') {
          const sentAt = Number(row.at(-1) ?? clock.now());
          insertAttempt.run(order, before.requests, sentAt, 0, ...fromResult({ kind: 'interrupted' }));
        }
        const after = recovered(before, time.now(), clock.now(), poisonAfter);
        const { state, phase, crashes, dueAt = null, finishedAt = null } = after;
        restore.run(state, phase, crashes, dueAt, finishedAt, order);
        return after;
      }),
    );

  const claim = ({ endpointId, limit, suspects }: ClaimRequest): ClaimResult => {
    const rows = (suspects ? dueSuspect : dueNormal).all(endpointId, time.dueBy(), limit);
    for (const [id] of rows) take.run(id ?? null);
    const deliveries = rows.map((row): Delivery => {
      const { dueAt: _, ...delivery } = toDelivery(row, time);
      return { ...delivery, phase: 'preparing' };
    });
    return { endpointId, deliveries, next: reads.nextDue(endpointId) };
  };

  const record = ({ id, attempt, state, retryInMs }: DeliveryOutcome): string | undefined => {
    const order = deliveryOrder(id);
    const { number, startedAt, durationMs, result } = attempt;
    insertAttempt.run(order, number, startedAt, durationMs, ...fromResult(result));
    const waits = retryInMs !== undefined;
    const dueAt = waits ? time.now() + retryInMs : null;
    const finishedAt = waits ? null : clock.now();
    changed(settle.run(state, waits ? 'waiting' : 'done', dueAt, finishedAt, order), id);
    if (!waits) trim();
    return waits ? String(endpointOf.first(order)?.[0]) : undefined;
  };

  const tell = (endpointId: string): void => ownership.tell(endpointId, reads.nextDue(endpointId));

  const endpoints = createSqliteEndpoints(db, commit, clock);

  return {
    ...endpoints,
    body: reads.body,
    get: reads.get,
    attempts: reads.attempts,
    list: reads.list,
    backlog: reads.backlog,
    flush,
    close: ownership.end,

    async insert(deliveries) {
      const inserted = await commit(() =>
        deliveries.map(({ body, resentFrom, ...fields }): Delivery => {
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
        }),
      );
      for (const { endpointId } of inserted) ownership.tell(endpointId, { inMs: 0 });
      return inserted;
    },
    async expedite(id) {
      const delivery = await commit(() => {
        const order = deliveryOrder(id);
        return expedite.run(time.now(), order).changes === 0 ? undefined : reads.read(order);
      });
      if (delivery) tell(delivery.endpointId);
      return delivery;
    },
    async own(owner) {
      const unlock = lockOwner(file);
      if (!unlock) throw inUse(file);
      const right = ownership.take(
        owner,
        {
          claim: (requests) => mark(() => requests.map(claim)),
          markSent: (id) => mark(() => changed(send.run(clock.now(), deliveryOrder(id)), id)),
          async recordOutcome(outcome) {
            const endpointId = await commit(() => record(outcome));
            if (endpointId !== undefined) tell(endpointId);
          },
        },
        unlock,
      );
      try {
        const known = new Set((await endpoints.endpoints()).map(({ id }) => id));
        const gone = (await recover(owner.poisonAfter)).filter(({ endpointId }) => !known.has(endpointId));
        for (const { endpointId } of gone) await endpoints.removeEndpoint(endpointId);
        for (const id of known) tell(id);
        return right;
      } catch (error) {
        ownership.end();
        throw error;
      }
    },
  };
}

/** Run after each finished delivery: looks only every hundredth time, and forgets the oldest finished. */
function createDeliveryTrim(db: Sqlite, keep: number): () => void {
  const count = db.prepare('SELECT count(*) FROM delivery WHERE finished_at IS NOT NULL');
  const oldest = db.prepare(
    'SELECT id FROM delivery WHERE finished_at IS NOT NULL ORDER BY finished_at, id LIMIT ?',
  );
  const removals = [
    db.prepare('DELETE FROM delivery_attempt WHERE delivery = ?'),
    db.prepare('DELETE FROM delivery_body WHERE delivery = ?'),
    db.prepare('DELETE FROM delivery WHERE id = ?'),
  ];
  let sinceLook = 0;

  return () => {
    sinceLook += 1;
    if (sinceLook < 100) return;
    sinceLook = 0;
    const excess = Number(count.first()?.[0] ?? 0) - keep;
    if (excess <= 0) return;
    for (const [id] of oldest.all(excess)) {
      for (const removal of removals) removal.run(id ?? null);
    }
  };
}

type Endpoints = Pick<
  DeliveryStore,
  'endpoints' | 'putEndpoint' | 'changeEndpoint' | 'removeEndpoint' | 'pausedInstallations' | 'setPaused'
>;

const page = 5000;

function createSqliteEndpoints(
  db: Sqlite,
  commit: GroupCommit['commit'],
  clock: Pick<Clock, 'now'>,
): Endpoints {
  const all = db.prepare('SELECT value FROM webhook_endpoint ORDER BY position');
  const one = db.prepare('SELECT value FROM webhook_endpoint WHERE id = ?');
  const upsert = db.prepare(
    'INSERT INTO webhook_endpoint (id, value) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET value = excluded.value',
  );
  const remove = db.prepare('DELETE FROM webhook_endpoint WHERE id = ?');
  const giveUp = db.prepare(
    `UPDATE delivery SET state = 'failed', phase = 'done', due_at = NULL, finished_at = ?
     WHERE id IN (SELECT id FROM delivery WHERE endpoint = ? AND due_at IS NOT NULL LIMIT ${page})`,
  );
  const allPaused = db.prepare('SELECT id FROM paused_installation');
  const pause = db.prepare('INSERT INTO paused_installation (id) VALUES (?) ON CONFLICT DO NOTHING');
  const resume = db.prepare('DELETE FROM paused_installation WHERE id = ?');
  const put = (endpoint: Endpoint): void => void upsert.run(endpoint.id, toBlob(JSON.stringify(endpoint)));

  return {
    endpoints: async () => all.all().map(([value]) => JSON.parse(fromBlob(value)) as Endpoint),
    putEndpoint: (endpoint) => commit(() => put(endpoint)),
    changeEndpoint: (id, change) =>
      commit(() => {
        const row = one.first(id);
        if (!row) return undefined;
        const changed = change(JSON.parse(fromBlob(row[0])) as Endpoint);
        put(changed);
        return changed;
      }),
    async removeEndpoint(id) {
      for (let ended = page; ended === page;) {
        ended = await commit(() => giveUp.run(clock.now(), id).changes);
      }
      await commit(() => void remove.run(id));
    },
    pausedInstallations: async () => allPaused.all().map(([id]) => fromBlob(id)),
    setPaused: (installationId, paused) =>
      commit(() => void (paused ? pause : resume).run(toBlob(installationId))),
  };
}
