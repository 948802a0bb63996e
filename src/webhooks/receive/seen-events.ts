import type { Clock } from '../../base/clock.js';

/** Keeps track of the events that have been handled. */
export interface SeenEvents {
  /** Adds the id. Resolves to false if the id was already there. Must be atomic if several processes share a store. */
  add(eventId: string): boolean | Promise<boolean>;
  /** Removes the id of an event that could not be handled. */
  delete(eventId: string): unknown;
}

/** Keeps ids in memory for `forMs`. The latest `most` ids are kept even longer. */
export function createMemorySeen({
  most,
  forMs,
  clock,
}: {
  most: number;
  forMs: number;
  clock: Pick<Clock, 'now'>;
}): SeenEvents {
  /** When each id was added, oldest first. */
  const ids = new Map<string, number>();
  return {
    add(eventId) {
      if (ids.has(eventId)) return false;
      const now = clock.now();
      ids.set(eventId, now);
      for (const [oldest, addedAt] of ids) {
        if (ids.size <= most || now - addedAt <= forMs) break;
        ids.delete(oldest);
      }
      return true;
    },
    delete: (eventId) => ids.delete(eventId),
  };
}
