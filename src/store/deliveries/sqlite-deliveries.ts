import type { Clock } from '../../base/clock.js';
import { deliveryOrder } from '../../webhooks/model/delivery-states.js';
import type {
  ClaimRequest,
  ClaimResult,
  DeliveryOutcome,
  LocalDeliveryStore,
} from '../../webhooks/model/delivery-store.js';
import type { Delivery } from '../../webhooks/model/delivery.js';
import { createDeliveryOwnership, inUse } from '../../webhooks/queue/delivery-ownership.js';
import { createScheduleTime } from '../../webhooks/queue/schedule-time.js';
import { createDeliveryReads, readLatestDue } from './delivery-reads.js';
import { createDeliveryInsert, createDeliverySteps, createRecovery } from './delivery-steps.js';
import { ofDisabled } from './delivery-rows.js';
import { createSqliteEndpoints } from './sqlite-endpoints.js';
import { createGroupCommit } from '../sqlite/group-commit.js';
import type { StoreLimits } from '../model/store-limits.js';
import { type Sqlite, openSqlite } from '../sqlite/sqlite.js';
import { createPrivateFile } from '../sqlite/open-database.js';
import { isStoreError } from '../../base/store-error.js';

export interface SqliteDeliveries extends LocalDeliveryStore {
  /** Commits all pending changes. */
  flush(): void;
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
  const ownership = createDeliveryOwnership();
  const { commit, flush } = createGroupCommit(db);
  /** A delivery's progress is read only by the next process. If the progress is lost, the delivery is sent once more. */
  const mark = <T>(work: () => T): Promise<T> => commit(work, 'process');
  const { read, findExisting, nextDue, ...reads } = createDeliveryReads(db, time);
  const insert = createDeliveryInsert(db, time);
  const steps = createDeliverySteps(db, time, clock);
  const recover = createRecovery(db, time, clock);
  const trim = createDeliveryTrim(db, limits.entries);
  const trimHeld = createHeldTrim(db, limits.entries, clock);
  const { ids, damaged, ...endpoints } = createSqliteEndpoints(db, commit, { clock, file });

  const claim = (request: ClaimRequest): ClaimResult => {
    const { endpointId } = request;
    return { endpointId, deliveries: steps.claim(request), next: nextDue(endpointId) };
  };

  const record = (outcome: DeliveryOutcome): Delivery => {
    const delivery = steps.record(outcome);
    if (delivery.phase === 'done') trim();
    return delivery;
  };

  const announce = (endpointId: string): void => ownership.tell(endpointId, nextDue(endpointId));

  return {
    ...endpoints,
    ...reads,
    flush,
    close: ownership.end,

    async insert(deliveries) {
      const results = await commit(() =>
        deliveries.map((delivery) => {
          const existing = findExisting(delivery);
          if (existing) return { delivery: existing, isNew: false };
          const inserted = insert(delivery);
          if (inserted.state === 'held') trimHeld();
          return { delivery: inserted, isNew: true };
        }),
      );
      for (const { delivery, isNew } of results) if (isNew) ownership.tell(delivery.endpointId, { inMs: 0 });
      return results.map(({ delivery }) => delivery);
    },
    async expedite(id) {
      const order = deliveryOrder(id);
      const delivery = await commit(() => (steps.expedite(order) ? read(order) : undefined));
      if (delivery) announce(delivery.endpointId);
      return delivery;
    },
    async own(owner) {
      const unlock = lockOwner(file);
      if (!unlock) throw inUse(file);
      const right = ownership.take(
        owner,
        {
          claim: (requests) => mark(() => requests.map(claim)),
          markSent: (id) => mark(() => steps.markSent(id)),
          async recordOutcome(outcome) {
            const delivery = await commit(() => record(outcome));
            if (delivery.phase === 'waiting') announce(delivery.endpointId);
            return delivery;
          },
        },
        unlock,
      );
      try {
        const known = new Set(ids());
        const recovered = await commit(() => recover(owner.poisonAfter));
        for (const { endpointId } of recovered.filter((delivery) => !known.has(delivery.endpointId)))
          await endpoints.removeEndpoint(endpointId);
        for (const id of known) announce(id);
        for (const error of damaged()) owner.onTrouble(error);
        return right;
      } catch (error) {
        ownership.end();
        throw error;
      }
    },
  };
}

/**
 * Called after each held delivery. Every hundredth call fails the oldest ones of disabled endpoints if there are too many.
 * Those of paused installations always wait.
 */
function createHeldTrim(db: Sqlite, keep: number, clock: Pick<Clock, 'now'>): () => void {
  const held = `FROM delivery WHERE due_at IS NOT NULL AND phase = 'waiting' AND ${ofDisabled}`;
  const failOldest = db.prepare(
    `UPDATE delivery SET state = 'failed', phase = 'done', due_at = NULL, finished_at = ? WHERE id IN (
       SELECT id ${held} ORDER BY id LIMIT max(0, (SELECT count(*) ${held}) - ?))`,
  );
  let sinceLook = 0;
  return () => {
    sinceLook = (sinceLook + 1) % 100;
    if (sinceLook === 0) failOldest.run(clock.now(), keep);
  };
}

/**
 * Called after each finished delivery. Every hundredth call counts the finished deliveries and deletes the oldest
 * ones if there are too many.
 */
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

/**
 * Acquires the delivery lock for a state file. The lock is an operating system lock on a second file next to the
 * state file. The operating system releases it when the process ends, even after a crash, so the next process knows
 * immediately that the owner is gone. Returns a function that releases the lock, or undefined if another process
 * holds the lock.
 */
function lockOwner(file: string): (() => void) | undefined {
  const lockFile = `${file}-owner`;
  createPrivateFile(lockFile);
  const lock = openSqlite(lockFile, 0);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (isStoreError(error) && error.code === 'store/busy') return undefined;
    throw error;
  }
  return () => {
    lock.exec('ROLLBACK');
    lock.close();
  };
}
