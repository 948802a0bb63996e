import type { EndpointQueue } from './endpoint-queue.js';

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

export interface RequestPool {
  hasRoom(queue: EndpointQueue): boolean;
  take(queue: EndpointQueue): Slot;
  used(): number;
  preparing(): number;
}

/**
 * An endpoint starts with one request at a time, gains one more with each response and loses them when it fails to respond. Stalled requests continue outside the shared pool, so endpoints that hang can't fill it.
 */
export function createRequestPool(
  concurrency: number,
  perEndpoint: number,
  /** How many endpoints may have requests; about, if several workers share them. */
  openEndpoints: () => number,
): RequestPool {
  let shared = 0;
  let used = 0;
  let preparing = 0;
  /** Endpoints with a request under way. */
  let busy = 0;

  return {
    hasRoom(queue) {
      if (queue.stalled) return true;
      if (queue.inFlight === 0 || busy <= 1) return shared < concurrency;
      // Beside others, a second request leaves a place for each endpoint that has none, up to half of the pool.
      const kept = Math.max(0, Math.min(openEndpoints() - busy, concurrency / 2));
      return shared < concurrency - kept;
    },
    used: () => used,
    preparing: () => preparing,
    take(queue) {
      let inShared = !queue.stalled;
      let inPreparation = true;
      let wasSlow = false;
      if (inShared) shared += 1;
      if (queue.inFlight === 0) busy += 1;
      queue.inFlight += 1;
      used += 1;
      preparing += 1;

      const leaveShared = (): void => {
        if (inShared) shared -= 1;
        inShared = false;
      };
      const prepared = (): void => {
        if (inPreparation) preparing -= 1;
        inPreparation = false;
      };
      const giveBack = (): void => {
        leaveShared();
        prepared();
        used -= 1;
        queue.inFlight -= 1;
        if (queue.inFlight === 0) busy -= 1;
      };

      return {
        prepared,
        slow() {
          wasSlow = true;
          queue.stalled = true;
          leaveShared();
        },
        done(answered) {
          queue.window = answered ? Math.min(perEndpoint, queue.window + 1) : 1;
          queue.stalled = wasSlow;
          giveBack();
        },
        giveBack,
      };
    },
  };
}
