import type { Clock } from '../../protocol/clock.js';
import { createAlarm } from './wake-timer.js';
import type { ClaimResult, DeliveryStore, NextDue } from './delivery-store.js';
import type { Delivery } from './delivery.js';
import { createLane, earliest, mergeDue, roomOf, type Lane } from './endpoint-queue.js';
import { createPool, type Slot } from './request-pool.js';

export interface LanesOptions {
  store: Pick<DeliveryStore, 'claim'>;
  clock: Clock;
  /** Requests in the shared pool. */
  concurrency: number;
  perEndpoint: number;
  deliver(delivery: Delivery, slot: Slot): void;
  /** The store could not be asked; it is asked again. */
  onTrouble(error: unknown): void;
}

export interface Lanes {
  open(endpointId: string): void;
  close(endpointId: string): void;
  /** Something is due for this endpoint. */
  wake(endpointId: string, due: NextDue): void;
  /** Resolves when nothing is under way, and nothing could be. */
  idle(): Promise<void>;
  /** Takes up nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

const troubleMs = 1000;

/** Takes up what is due, one endpoint after the other, as far as the pool has room. */
export function createLanes({
  store,
  clock,
  concurrency,
  perEndpoint,
  deliver,
  onTrouble,
}: LanesOptions): Lanes {
  const lanes = new Map<string, Lane>();
  /** Those that may have something due, in the order of their turn. */
  const ready = new Set<Lane>();
  const suspected = new Set<Lane>();
  let isolated = false;
  let claims = 0;
  let scheduled = false;
  let stopped = false;
  let waiting: (() => void)[] = [];

  const settle = (): void => {
    if (scheduled || claims > 0 || pool.used() > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      if (!stopped) takeUp();
      settle();
    });
  };

  const note = (lane: Lane): void => {
    if (lane.next.suspectDueAt === undefined) suspected.delete(lane);
    else suspected.add(lane);
    const due = earliest(lane.next.dueAt, lane.next.suspectDueAt);
    if (lane.closed || stopped || due === undefined) return;
    if (due > clock.now()) return alarm.set(due);
    ready.add(lane);
    schedule();
  };

  const alarm = createAlarm(clock, () => {
    for (const lane of lanes.values()) note(lane);
    settle();
  });

  const pool = createPool({
    concurrency,
    perEndpoint,
    onPrepared() {
      isolated = false;
      schedule();
    },
    onFreed(lane) {
      if (lane) note(lane);
      schedule();
    },
  });

  const laneOf = (endpointId: string): Lane => {
    const lane = lanes.get(endpointId) ?? createLane(endpointId);
    lanes.set(endpointId, lane);
    return lane;
  };

  const claim = async (picks: Map<Lane, Slot[]>, suspects: boolean): Promise<void> => {
    claims += 1;
    for (const lane of picks.keys()) {
      lane.claiming = {};
      ready.delete(lane);
    }
    const requests = [...picks].map(([{ endpointId }, slots]) => ({
      endpointId,
      limit: slots.length,
      suspects,
    }));
    let results: ClaimResult[] = [];
    try {
      results = await store.claim(requests, clock.now());
    } catch (error) {
      onTrouble(error);
    }
    claims -= 1;
    const later = clock.now() + troubleMs;
    [...picks].forEach(([lane, slots], index) => {
      const { deliveries = [], next = { dueAt: later, suspectDueAt: later } } = results[index] ?? {};
      lane.next = mergeDue(next, lane.claiming ?? {});
      lane.claiming = undefined;
      slots.forEach((slot, at) => {
        const delivery = deliveries[at];
        if (delivery) deliver(delivery, slot);
        else slot.giveBack();
      });
      note(lane);
    });
    settle();
  };

  /** One that ended a process before is prepared while no other is, so that none shares its blame. */
  const takeUpSuspect = (now: number): boolean => {
    const isDue = (lane: Lane): boolean =>
      (lane.next.suspectDueAt ?? Infinity) <= now && roomOf(lane, perEndpoint) > 0 && pool.hasRoom(lane);
    const lane = [...suspected].find(isDue);
    if (!lane) return false;
    if (pool.preparing() > 0) return true;
    isolated = true;
    void claim(new Map([[lane, [pool.take(lane)]]]), true);
    return true;
  };

  const takeUp = (): void => {
    const now = clock.now();
    if (isolated || takeUpSuspect(now)) return;
    const picks = new Map<Lane, Slot[]>();
    for (let before = -1; before !== pool.used();) {
      before = pool.used();
      for (const lane of ready) {
        if ((lane.next.dueAt ?? Infinity) > now || roomOf(lane, perEndpoint) <= 0) {
          ready.delete(lane);
        } else if (pool.hasRoom(lane)) {
          const slots = picks.get(lane) ?? [];
          slots.push(pool.take(lane));
          picks.set(lane, slots);
        }
      }
    }
    if (picks.size > 0) void claim(picks, false);
  };

  const whenIdle = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      settle();
    });

  return {
    open(endpointId) {
      const lane = laneOf(endpointId);
      lane.closed = false;
      note(lane);
    },
    close(endpointId) {
      const lane = laneOf(endpointId);
      lane.closed = true;
      ready.delete(lane);
    },
    wake(endpointId, due) {
      const lane = laneOf(endpointId);
      lane.next = mergeDue(lane.next, due);
      if (lane.claiming) lane.claiming = mergeDue(lane.claiming, due);
      note(lane);
    },
    idle: whenIdle,
    stop() {
      stopped = true;
      alarm.stop();
      return whenIdle();
    },
  };
}
