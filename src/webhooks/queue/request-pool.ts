import type { Lane } from './endpoint-queue.js';

/** The right to one request, in the shared pool or beside it. */
export interface Slot {
  /** The preparation is over. */
  prepared(): void;
  /** The request takes long: it leaves the shared pool, so that no other waits for it. */
  slow(): void;
  /** The request is over and its outcome on disk. */
  done(answered: boolean): void;
  /** There was nothing to send. */
  giveBack(): void;
}

export interface PoolOptions {
  concurrency: number;
  perEndpoint: number;
  /** Nothing is being prepared any more. */
  onPrepared(): void;
  /** There is room again: for this endpoint, or in the shared pool alone. */
  onFreed(lane?: Lane): void;
}

export interface Pool {
  hasRoom(lane: Lane): boolean;
  take(lane: Lane): Slot;
  used(): number;
  preparing(): number;
}

/**
 * An endpoint begins with one request at a time, earns one more with each answer and loses them
 * when it fails to answer; one that stalls goes on beside the shared pool. So endpoints that hang
 * cannot fill it.
 */
export function createPool({ concurrency, perEndpoint, onPrepared, onFreed }: PoolOptions): Pool {
  let shared = 0;
  let used = 0;
  let preparing = 0;
  /** Endpoints with a request under way. */
  let busy = 0;

  return {
    hasRoom(lane) {
      if (lane.stalled) return true;
      // Beside others, a second request leaves half of the pool to those who have none yet.
      const most = lane.inFlight === 0 || busy <= 1 ? concurrency : concurrency / 2;
      return shared < most;
    },
    used: () => used,
    preparing: () => preparing,
    take(lane) {
      let inShared = !lane.stalled;
      let inPreparation = true;
      let wasSlow = false;
      if (inShared) shared += 1;
      if (lane.inFlight === 0) busy += 1;
      lane.inFlight += 1;
      used += 1;
      preparing += 1;

      const leaveShared = (): void => {
        if (inShared) shared -= 1;
        inShared = false;
      };
      const prepared = (): void => {
        if (!inPreparation) return;
        inPreparation = false;
        preparing -= 1;
        if (preparing === 0) onPrepared();
      };
      const free = (): void => {
        leaveShared();
        used -= 1;
        lane.inFlight -= 1;
        if (lane.inFlight === 0) busy -= 1;
        prepared();
        onFreed(lane);
      };

      return {
        prepared,
        slow() {
          wasSlow = true;
          lane.stalled = true;
          leaveShared();
          onFreed();
        },
        done(answered) {
          lane.window = answered ? Math.min(perEndpoint, lane.window + 1) : 1;
          lane.stalled = wasSlow;
          free();
        },
        giveBack: free,
      };
    },
  };
}
