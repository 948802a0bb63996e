import type { Clock } from '../../base/clock.js';
import type { NextDue } from './delivery-store.js';
import { createEndpointQueue, earlier, never, type EndpointQueue } from './endpoint-queue.js';
import { createWakeTimer } from './wake-timer.js';

export interface EndpointQueues {
  of(endpointId: string): EndpointQueue;
  /** Allows requests to the endpoint from now on. */
  open(endpointId: string): void;
  close(endpointId: string): void;
  /** The number of endpoints that may have requests. */
  opened(): number;
  /** Endpoints that may have a delivery due, in the order of their turn. */
  ready: Set<EndpointQueue>;
  /** Endpoints with a delivery that an earlier process was preparing when it ended. */
  suspected: Set<EndpointQueue>;
  /** Records when the endpoint's next deliveries become due. */
  noteDue(queue: EndpointQueue, next: NextDue): void;
  /** Marks the start of a claim. */
  beginClaim(queue: EndpointQueue): void;
  endClaim(queue: EndpointQueue, next: NextDue): void;
  /** Checks the endpoint again, because it was opened or has room. */
  look(queue: EndpointQueue): void;
  stop(): void;
}

/** Keeps track of when each endpoint is due. Calls `onReady` when there are deliveries to claim. */
export function createEndpointQueues(clock: Clock, onReady: () => void): EndpointQueues {
  const queues = new Map<string, EndpointQueue>();
  const ready = new Set<EndpointQueue>();
  const suspected = new Set<EndpointQueue>();
  let opened = 0;

  const look = (queue: EndpointQueue): void => {
    const { at, suspectAt } = queue.due;
    if (suspectAt === Infinity) suspected.delete(queue);
    else suspected.add(queue);
    const first = Math.min(at, suspectAt);
    if (queue.closed || first === Infinity) return;
    if (first > clock.monotonic()) return timer.set(first);
    ready.add(queue);
    onReady();
  };

  const timer = createWakeTimer(clock, () => {
    for (const queue of queues.values()) look(queue);
    onReady();
  });

  const timesOf = ({ inMs = Infinity, suspectInMs = Infinity }: NextDue) => {
    const now = clock.monotonic();
    return { at: now + inMs, suspectAt: now + suspectInMs };
  };

  const of = (endpointId: string): EndpointQueue => {
    const queue = queues.get(endpointId) ?? createEndpointQueue(endpointId);
    queues.set(endpointId, queue);
    return queue;
  };

  return {
    of,
    open(endpointId) {
      const queue = of(endpointId);
      if (queue.closed) opened += 1;
      queue.closed = false;
      look(queue);
    },
    close(endpointId) {
      const queue = of(endpointId);
      if (!queue.closed) opened -= 1;
      queue.closed = true;
      ready.delete(queue);
    },
    opened: () => opened,
    ready,
    suspected,
    noteDue(queue, next) {
      const times = timesOf(next);
      queue.due = earlier(queue.due, times);
      if (queue.claiming) queue.claiming = earlier(queue.claiming, times);
      look(queue);
    },
    beginClaim(queue) {
      queue.claiming = never();
      ready.delete(queue);
    },
    endClaim(queue, next) {
      queue.due = earlier(timesOf(next), queue.claiming ?? never());
      queue.claiming = undefined;
    },
    look,
    stop: timer.stop,
  };
}
