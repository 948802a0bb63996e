import type { StateStore } from './state-store.js';

/** Stores JSON, as the SQLite one does, so that callers cannot change stored values through references. */
export function createMemoryState(): StateStore {
  const collections = new Map<string, Map<string, string>>();
  let undo: (() => void)[] | undefined;

  const collectionOf = (name: string): Map<string, string> => {
    const collection = collections.get(name) ?? new Map<string, string>();
    collections.set(name, collection);
    return collection;
  };

  const remember = (collection: Map<string, string>): void => {
    const before = [...collection];
    undo?.push(() => {
      collection.clear();
      for (const [id, value] of before) collection.set(id, value);
    });
  };

  return {
    get<T>(collection: string, id: string): T | undefined {
      const json = collectionOf(collection).get(id);
      return json === undefined ? undefined : (JSON.parse(json) as T);
    },
    list: <T>(collection: string) =>
      [...collectionOf(collection)].map(([id, json]) => ({ id, value: JSON.parse(json) as T })),
    put(collection, id, value) {
      const json = JSON.stringify(value ?? null);
      if (undo) remember(collectionOf(collection));
      collectionOf(collection).set(id, json);
    },
    delete(collection, id) {
      if (undo) remember(collectionOf(collection));
      collectionOf(collection).delete(id);
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
