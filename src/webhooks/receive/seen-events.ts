/** Remembers which events have been handled. */
export interface SeenEvents {
  /**
   * Remembers the id. Resolves to false if the id was already known. Must be atomic if several processes
   * share a store.
   */
  add(eventId: string): boolean | Promise<boolean>;
  /** Forgets the id of an event that could not be handled. */
  delete(eventId: string): unknown;
}

/** Remembers the latest ids in memory. */
export function createMemorySeen(limit: number): SeenEvents {
  const ids = new Set<string>();
  return {
    add(eventId) {
      if (ids.has(eventId)) return false;
      ids.add(eventId);
      const [oldest] = ids;
      if (ids.size > limit && oldest !== undefined) ids.delete(oldest);
      return true;
    },
    delete: (eventId) => ids.delete(eventId),
  };
}
