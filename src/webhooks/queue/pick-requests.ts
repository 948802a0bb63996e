import type { EndpointQueues } from './endpoint-queues.js';
import { roomOf, type EndpointQueue } from './endpoint-queue.js';
import type { RequestPool, Slot } from './request-pool.js';

/** The requests that may start now, for each endpoint. */
export type Picks = Map<EndpointQueue, Slot[]>;

/** Picks one request per endpoint in turn, while the pool has room. */
export function pickRequests(queues: EndpointQueues, pool: RequestPool, now: number, most: number): Picks {
  const picks: Picks = new Map();
  for (let before = -1; before !== pool.used();) {
    before = pool.used();
    for (const queue of queues.ready) {
      if (queue.due.at > now || roomOf(queue, most) <= 0) {
        queues.ready.delete(queue);
      } else if (pool.hasRoom(queue)) {
        const slots = picks.get(queue) ?? [];
        slots.push(pool.take(queue));
        picks.set(queue, slots);
      }
    }
  }
  return picks;
}

/** Endpoints with a due delivery that an earlier process was preparing when it ended. */
export function* readySuspects(
  queues: EndpointQueues,
  pool: RequestPool,
  now: number,
  most: number,
): Generator<EndpointQueue, undefined> {
  for (const queue of queues.suspected) {
    if (queue.due.suspectAt <= now && roomOf(queue, most) > 0 && pool.hasRoom(queue)) yield queue;
  }
}

/** Picks one request for each of the first `atOnce` endpoints. */
export function pickSuspects(ready: Iterable<EndpointQueue>, pool: RequestPool, atOnce: number): Picks {
  const picks: Picks = new Map();
  for (const queue of ready) {
    picks.set(queue, [pool.take(queue)]);
    if (picks.size === atOnce) break;
  }
  return picks;
}
