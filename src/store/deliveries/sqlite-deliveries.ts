import type { Clock } from '../../base/clock.js';
import { deliveryOrder } from '../../webhooks/queue/delivery-states.js';
import type {
  ClaimRequest,
  ClaimResult,
  DeliveryOutcome,
  LocalDeliveryStore,
} from '../../webhooks/queue/delivery-store.js';
import { createOwnership, inUse } from '../../webhooks/queue/ownership.js';
import { createScheduleTime } from '../../webhooks/queue/schedule-time.js';
import { createDeliveryReads, readLatestDue } from './delivery-reads.js';
import { createDeliverySteps, createRecovery } from './delivery-steps.js';
import { createDeliveryInsert } from './insert-delivery.js';
import { createSqliteEndpoints } from './sqlite-endpoints.js';
import { createDeliveryTrim } from './trim-deliveries.js';
import { createGroupCommit } from '../sqlite/group-commit.js';
import type { StoreLimits } from '../store-limits.js';
import { lockOwner } from '../sqlite/sqlite-owner.js';
import type { Sqlite } from '../sqlite/sqlite.js';

export interface SqliteDeliveries extends LocalDeliveryStore {
  /** Commits all changes requested so far. */
  flush(): void;
  /** Releases the lock of the owner. */
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
  /**
   * Progress of a delivery matters only to the next process: if it is lost, the delivery is sent once more.
   */
  const mark = <T>(work: () => T): Promise<T> => commit(work, 'process');
  const { read, nextDue, ...reads } = createDeliveryReads(db, time);
  const insert = createDeliveryInsert(db, time);
  const steps = createDeliverySteps(db, time, clock);
  const recover = createRecovery(db, time, clock);
  const trim = createDeliveryTrim(db, limits.entries);
  const endpoints = createSqliteEndpoints(db, commit, clock);

  const claim = (request: ClaimRequest): ClaimResult => {
    const { endpointId } = request;
    return { endpointId, deliveries: steps.claim(request), next: nextDue(endpointId) };
  };

  const record = (outcome: DeliveryOutcome): string | undefined => {
    const waiting = steps.record(outcome);
    if (waiting === undefined) trim();
    return waiting;
  };

  const announce = (endpointId: string): void => ownership.tell(endpointId, nextDue(endpointId));

  return {
    ...endpoints,
    ...reads,
    flush,
    close: ownership.end,

    async insert(deliveries) {
      const inserted = await commit(() => deliveries.map(insert));
      for (const { endpointId } of inserted) ownership.tell(endpointId, { inMs: 0 });
      return inserted;
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
            const endpointId = await commit(() => record(outcome));
            if (endpointId !== undefined) announce(endpointId);
            return true;
          },
        },
        unlock,
      );
      try {
        const known = new Set((await endpoints.endpoints()).map(({ id }) => id));
        const recovered = await commit(() => recover(owner.poisonAfter));
        for (const { endpointId } of recovered.filter((delivery) => !known.has(delivery.endpointId)))
          await endpoints.removeEndpoint(endpointId);
        for (const id of known) announce(id);
        return right;
      } catch (error) {
        ownership.end();
        throw error;
      }
    },
  };
}
