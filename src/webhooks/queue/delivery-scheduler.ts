import type { Clock } from '../../base/clock.js';
import { createDeadlines } from '../../base/deadlines.js';
import type { TakenUp } from '../send/deliver-once.js';
import type {
  ClaimRequest,
  ClaimResult,
  DeliveryOutcome,
  DeliveryOwner,
  DeliveryRight,
  DeliveryStore,
} from './delivery-store.js';
import type { Delivery } from './delivery.js';
import { createEndpointQueues, type EndpointQueues } from './endpoint-queues.js';
import type { EndpointQueue } from './endpoint-queue.js';
import { pickRequests, pickSuspects, readySuspects, type Picks } from './pick-requests.js';
import { createRequestPool, type RequestPool, type Slot } from './request-pool.js';
import { createStoreWrites } from './store-writes.js';

export interface DeliverySchedulerOptions {
  store: Pick<DeliveryStore, 'own' | 'body'>;
  clock: Clock;
  /** Maximum number of requests in the shared pool. */
  concurrency: number;
  perEndpoint: number;
  /** Makes one request. Resolves to its outcome, or to nothing if it was cut off. */
  deliver(taken: TakenUp): Promise<DeliveryOutcome | undefined>;
  /** Called when an outcome is on disk. */
  onOutcome(delivery: Delivery, outcome: DeliveryOutcome): void;
  /** Called when the store could not be read or written. The scheduler tries again. */
  onTrouble(error: unknown): void;
  /** Called when the right to deliver is lost. Nothing more is sent. */
  onLost(reason: unknown): void;
  onChanged: DeliveryOwner['onChanged'];
}

export interface DeliveryScheduler {
  open(endpointId: string): void;
  close(endpointId: string): void;
  /** Resolves when no request is in flight and none can start. */
  idle(): Promise<void>;
  /** Starts nothing new. Resolves when open requests have ended and the right to deliver is released. */
  stop(): Promise<void>;
}

export const poisonAfter = 5;
/** A request or a write that takes longer than this leaves the shared pool. */
export const slowMs = 1000;

/** Claims due deliveries, taking turns between endpoints, while the pool has room. */
export async function createDeliveryScheduler(options: DeliverySchedulerOptions): Promise<DeliveryScheduler> {
  const { store, clock, concurrency, perEndpoint, onTrouble, onLost, onChanged } = options;
  const ending = new AbortController();
  let scheduled = false;

  // A claim reserves a slot for each delivery that it may return.
  const { settle, idle } = createIdle(() => !scheduled && pool.used() === 0);

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      if (!ending.signal.aborted && !writes.blocked()) takeUp();
      settle();
    });
  };

  const queues = createEndpointQueues(clock, schedule);
  const ownEndpoints = (): number => queues.opened() * (right.share?.() ?? 1);
  const pool = createRequestPool(concurrency, perEndpoint, ownEndpoints);
  const end = (): void => {
    ending.abort();
    queues.stop();
  };
  let over = false;
  const lose = (reason: unknown): void => {
    if (over) return;
    over = true;
    end();
    onLost(reason);
  };
  const writes = createStoreWrites({
    clock,
    ending: ending.signal,
    onTrouble,
    onRecovered: schedule,
    onRefused: lose,
  });
  const right = await store.own({
    poisonAfter,
    onDue: (endpointId, next) => queues.noteDue(queues.of(endpointId), next),
    onChanged,
    onTrouble,
  });
  right.lost.addEventListener('abort', () => lose(right.lost.reason));

  const work = createWork(options, right, writes.run, {
    onPrepared() {
      if (pool.preparing() === 0) schedule();
    },
    onSlow: schedule,
  });

  const claim = createClaim({
    queues,
    schedule,
    claim: (requests) => writes.run(() => right.claim(requests)).catch(() => []),
    run: work,
    onFailed(error) {
      if (!ending.signal.aborted) onTrouble(error);
    },
  });

  const { suspectsAtOnce = 1 } = right;
  const takeUp = createTakeUp({ queues, pool, clock, perEndpoint, suspectsAtOnce, claim });

  return {
    open: queues.open,
    close: queues.close,
    idle,
    async stop() {
      end();
      const left = right.leave?.();
      await idle();
      await left;
      over = true;
      await right.release();
    },
  };
}

/** Callers that wait until no request is in flight. */
function createIdle(isIdle: () => boolean): { settle(): void; idle(): Promise<void> } {
  let waiting: (() => void)[] = [];
  const settle = (): void => {
    if (!isIdle()) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return {
    settle,
    idle: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      }),
  };
}

interface TakeUpParts {
  queues: EndpointQueues;
  pool: RequestPool;
  clock: Clock;
  perEndpoint: number;
  suspectsAtOnce: number;
  claim(picks: Picks, suspects: boolean): Promise<void>;
}

/**
 * Claims due deliveries. Deliveries that may have ended an earlier process are prepared separately, so a crash
 * cannot be blamed on another delivery.
 */
function createTakeUp({ queues, pool, clock, perEndpoint, suspectsAtOnce, claim }: TakeUpParts): () => void {
  let isolated = false;
  return () => {
    const now = clock.monotonic();
    if (isolated && pool.preparing() > 0) return;
    isolated = false;
    const { value: suspect } = readySuspects(queues, pool, now, perEndpoint).next();
    if (suspect) {
      if (pool.preparing() > 0) return;
      isolated = true;
      return void claim(
        pickSuspects(readySuspects(queues, pool, now, perEndpoint), pool, suspectsAtOnce),
        true,
      );
    }
    const picks = pickRequests(queues, pool, now, perEndpoint);
    if (picks.size > 0) void claim(picks, false);
  };
}

interface ClaimParts {
  queues: EndpointQueues;
  schedule(): void;
  claim(requests: ClaimRequest[]): Promise<ClaimResult[]>;
  /** Calls `done` with whether a response arrived, when the slot is free for another request. */
  run(delivery: Delivery, slot: Slot, done: (answered: boolean) => void): Promise<void>;
  onFailed(error: unknown): void;
}

/** Claims a delivery for each slot that was picked, and sends those that were found. */
function createClaim(parts: ClaimParts): (picks: Picks, suspects: boolean) => Promise<void> {
  const { queues, schedule } = parts;
  const run = async (queue: EndpointQueue, slot: Slot, delivery: Delivery): Promise<void> => {
    let isDone = false;
    const done = (answered: boolean): void => {
      if (isDone) return;
      isDone = true;
      slot.done(answered);
      queues.look(queue);
      schedule();
    };
    try {
      await parts.run(delivery, slot, done);
    } catch (error) {
      parts.onFailed(error);
    }
    done(false);
  };
  return async (picks, suspects) => {
    for (const queue of picks.keys()) queues.beginClaim(queue);
    const requests = [...picks].map(([{ endpointId }, slots]) => ({
      endpointId,
      limit: slots.length,
      suspects,
    }));
    const results = await parts.claim(requests);
    [...picks].forEach(([queue, slots], index) => {
      const { deliveries = [], next = {} } = results[index] ?? {};
      queues.endClaim(queue, next);
      slots.forEach((slot, at) => {
        const delivery = deliveries[at];
        if (delivery) void run(queue, slot, delivery);
        else slot.giveBack();
      });
      queues.look(queue);
    });
    schedule();
  };
}

/** Sends one request for a delivery and records the result. */
function createWork(
  { store, clock, deliver, onOutcome }: DeliverySchedulerOptions,
  right: DeliveryRight,
  write: <T>(work: () => Promise<T>) => Promise<T>,
  { onPrepared, onSlow }: { onPrepared(): void; onSlow(): void },
): ClaimParts['run'] {
  const patience = createDeadlines(clock, slowMs);
  return async (delivery, slot, done) => {
    const { id } = delivery;
    const outcome = await deliver({
      delivery,
      async body() {
        const body = await write(() => store.body(id));
        if (!body) throw new Error(`The body of ${id} no longer exists.`);
        return body;
      },
      async begins() {
        await write(() => right.markSent(id));
        slot.prepared();
        onPrepared();
      },
      isSlow() {
        slot.slow();
        onSlow();
      },
    });
    if (!outcome) return;
    const answered = outcome.attempt.result.kind === 'answer';
    // The request is over: if its row is locked, the endpoint's other deliveries do not wait for it.
    const cancelPatience = patience.start(() => done(answered));
    const recorded = await write(() => right.recordOutcome(outcome)).finally(cancelPatience);
    if (recorded) onOutcome(delivery, outcome);
    done(answered);
  };
}
