import type { EndpointQueue } from './endpoint-queue.js';

/** Permission for one request, inside or outside the shared pool. */
export interface Slot {
  /** Call when the preparation is done. */
  prepared(): void;
  /** Call when the request takes long. It leaves the shared pool, so no other request waits for it. */
  slow(): void;
  /** Call when the request is over and its outcome is on disk. */
  done(answered: boolean): void;
  /** Call when there was nothing to send. */
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
  /** How many endpoints may have requests. An estimate if several workers share them. */
  openEndpoints: () => number,
): RequestPool {
  let shared = 0;
  let used = 0;
  let preparing = 0;
  /** Number of endpoints with a request in flight. */
  let busy = 0;

  return {
    hasRoom(queue) {
      if (queue.stalled) return true;
      if (queue.inFlight === 0 || busy <= 1) return shared < concurrency;
      // While other endpoints are busy, a second request must leave one place for each idle endpoint, up to
      // half of the pool.
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
