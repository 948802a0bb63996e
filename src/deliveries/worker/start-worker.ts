import type { ClaimRequest, ClaimResult, DeliveryRight } from '../../webhooks/model/delivery-store.js';
import type { Delivery } from '../../webhooks/model/delivery.js';
import { createWakeTimer } from '../../webhooks/queue/wake-timer.js';
import { createCarefulLanes, type CarefulLanes } from './careful-lanes.js';
import { createHeldDeliveries, type HeldDeliveries, type HeldDelivery } from './held-deliveries.js';
import { createLanes } from './lane-ownership.js';
import { laneCount } from '../model/tables.js';
import { createOutcomeWriter } from './outcome-writer.js';
import { createPollLoop } from './poll-loop.js';
import { createRounds } from './rounds.js';
import { createSendTimes, noDelays, type SendDelays } from './send-times.js';
import type { WorkerOptions } from './worker-options.js';

/** The state of a worker, for metrics. */
export interface WorkerStatus {
  /** The number of lanes, out of 256, that this worker owns. */
  lanes: number;
  /** The number of deliveries in memory that are due or in flight. */
  held: number;
  /** The number of outcomes that have not been written yet. */
  unwritten: number;
  /** The number of reads since the start, and how long the last read took. */
  polls: number;
  pollMs: number;
  /** The time since the last successful read. */
  sinceReadMs: number;
  /** How long deliveries have been due without any request starting. */
  stalledMs: number;
  /** How long the oldest delivery has been due. Absent if this is unknown, and 0 if nothing is due. */
  oldestDueMs?: number;
  /** The number of batches of outcomes that could not be written. */
  failedBatches: number;
  sendDelays: SendDelays;
}

export interface Worker {
  right: DeliveryRight;
  status(): WorkerStatus;
  /** Returns a delivery that has been read but is not finished. */
  held(id: string): HeldDelivery | undefined;
  /** Must be called when something may be due now. */
  wake(): void;
}

export const noWorker: WorkerStatus = {
  lanes: 0,
  held: 0,
  unwritten: 0,
  polls: 0,
  pollMs: 0,
  sinceReadMs: 0,
  stalledMs: 0,
  failedBatches: 0,
  sendDelays: noDelays,
};

/** If this many outcomes are still unwritten, no new requests are sent. */
const maxUnwritten = 4000;
const pauseWhenFullMs = 20;
/**
 * How many deliveries are recorded as suspects at a time. If the worker crashes, all of them are suspects and are
 * prepared one at a time from then on.
 */
const suspectsAtOnce = 64;

/** Joins the other workers, takes lanes and reads their due deliveries. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { session, tables, clock, pollMs, owner } = options;
  const held = createHeldDeliveries();
  const lanes = createLanes(session, tables, options.processId);
  const careful = createCarefulLanes(session, tables);
  const writer = createOutcomeWriter({ session, tables, clock, onTrouble: owner.onTrouble });
  await lanes.join(options.alone);

  const times = createSendTimes(clock, () => held.oldestDue() !== undefined);
  const rounds = createRounds({ ...options, held, lanes, careful, times });
  const loop = createPollLoop({
    clock,
    pollMs,
    ended: session.lost,
    round: rounds.run,
    onTrouble: owner.onTrouble,
  });
  const retryTimer = createWakeTimer(clock, loop.wake);
  session.lost.addEventListener('abort', retryTimer.stop);

  const claim = async (requests: ClaimRequest[]): Promise<ClaimResult[]> => {
    if (leaving) return requests.map(({ endpointId }) => ({ endpointId, deliveries: [], next: {} }));
    if (writer.waiting() > maxUnwritten) {
      const next = { inMs: pauseWhenFullMs, suspectInMs: pauseWhenFullMs };
      return requests.map(({ endpointId }) => ({ endpointId, deliveries: [], next }));
    }
    const suspects = await takeSuspects(
      held,
      careful,
      requests.filter((request) => request.suspects),
    );
    return requests.map(({ endpointId, limit, suspects: wanted }) => {
      const taken = wanted
        ? suspects.filter(({ delivery }) => delivery.endpointId === endpointId)
        : held.take(endpointId, limit, false);
      if (rounds.isLow(endpointId)) loop.wake();
      return { endpointId, deliveries: taken.map(toClaimed), next: held.nextDue(endpointId) };
    });
  };

  let leaving: Promise<void> | undefined;
  const leave = (): Promise<void> => {
    writer.leave();
    if (!leaving && !session.lost.aborted) session.hurry();
    leaving ??= (async () => {
      await loop.stop();
      if (!session.lost.aborted) await rounds.leave().catch(() => undefined);
    })();
    return leaving;
  };

  const oldestDue = (): Pick<WorkerStatus, 'oldestDueMs'> => {
    const dueAt = held.oldestDue();
    const oldestDueMs = dueAt === undefined ? 0 : times.age(dueAt);
    return oldestDueMs === undefined ? {} : { oldestDueMs };
  };

  const requireHeld = (id: string, ...phases: HeldDelivery['phase'][]): HeldDelivery => {
    const found = held.get(id);
    if (!found || !phases.includes(found.phase))
      throw new Error(`The delivery ${id} is not in the expected state.`);
    return found;
  };

  return {
    right: {
      lost: session.lost,
      async claim(requests) {
        session.lost.throwIfAborted();
        return claim(requests);
      },
      async markSent(id) {
        const one = requireHeld(id, 'preparing');
        const proof = session.alive();
        if (proof) await proof;
        one.phase = 'sending';
        if (one.delivery.dueAt !== undefined) times.sent(one.delivery.dueAt);
        careful.prepared(one);
      },
      async recordOutcome(outcome) {
        session.lost.throwIfAborted();
        const one = requireHeld(outcome.id, 'preparing', 'sending');
        careful.prepared(one);
        const written = await writer.add({ held: one, outcome });
        held.finish(one);
        if (written) options.onWritten(one.delivery.endpointId, outcome.state);
        if (written && outcome.retryInMs !== undefined) retryTimer.set(clock.monotonic() + outcome.retryInMs);
        return written;
      },
      share: () => lanes.reading().length / laneCount,
      suspectsAtOnce,
      leave,
      async release() {
        await leave();
        await writer.idle();
        retryTimer.stop();
        await session.end();
      },
    },
    status: () => ({
      lanes: lanes.reading().length,
      held: held.size(),
      unwritten: writer.waiting(),
      ...rounds.polls(),
      sinceReadMs: times.sinceReadMs(),
      stalledMs: times.stalledMs(),
      ...oldestDue(),
      failedBatches: writer.failed(),
      sendDelays: times.delays(),
    }),
    held: (id) => held.get(id),
    wake: loop.wake,
  };
}

function toClaimed({ delivery }: HeldDelivery): Delivery {
  const { dueAt: _, ...claimed } = delivery;
  return { ...claimed, phase: 'preparing' };
}

/**
 * Claims deliveries that might crash this worker, after recording them in the database. Deliveries that were already
 * in such a record are claimed one at a time.
 */
async function takeSuspects(
  held: HeldDeliveries,
  careful: CarefulLanes,
  requests: readonly ClaimRequest[],
): Promise<HeldDelivery[]> {
  const suspects: HeldDelivery[] = [];
  for (const { endpointId } of requests) {
    const [suspect] = held.take(endpointId, 1, true);
    if (!suspect) continue;
    const isAlone = suspect.delivery.crashes > 0;
    if (isAlone && suspects.length > 0) {
      held.putBack(suspect);
      continue;
    }
    suspects.push(suspect);
    if (isAlone) break;
  }
  if (suspects.length === 0) return [];
  try {
    await careful.suspect(suspects);
    return suspects;
  } catch (error) {
    for (const suspect of suspects) held.putBack(suspect);
    throw error;
  }
}
