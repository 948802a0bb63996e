import type { StateStore } from './state-store.js';

/** Stores values as JSON, like the SQLite state, so that callers cannot change stored values through references. */
export function createMemoryState(): StateStore {
  const collections = new Map<string, Map<string, string>>();
  let undo: (() => unknown)[] | undefined;

  const collectionOf = (name: string): Map<string, string> => {
    const collection = collections.get(name) ?? new Map<string, string>();
    collections.set(name, collection);
    return collection;
  };

  return {
    get<T>(collection: string, id: string): T | undefined {
      const json = collectionOf(collection).get(id);
      return json === undefined ? undefined : (JSON.parse(json) as T);
    },
    list: <T>(collection: string) =>
      [...collectionOf(collection)].map(([id, json]) => ({ id, value: JSON.parse(json) as T })),
    put(collection, id, value) {
      const entries = collectionOf(collection);
      const before = entries.get(id);
      entries.set(id, JSON.stringify(value ?? null));
      undo?.push(() => (before === undefined ? entries.delete(id) : entries.set(id, before)));
    },
    delete(collection, id) {
      const entries = collectionOf(collection);
      // Copies the order of all entries, because a restored entry must return to its position.
      const before = undo && [...entries];
      if (!entries.delete(id) || !before) return;
      undo?.push(() => {
        entries.clear();
        for (const [key, value] of before) entries.set(key, value);
      });
    },
    transaction(work) {
      if (undo) return work();
      undo = [];
      try {
        return work();
      } catch (error) {
        for (const step of undo.reverse()) step();
        throw error;
      } finally {
        undo = undefined;
      }
    },
  };
}
