import type { StateStore } from '../../store/state/state-store.js';
import { HttpError, invalid } from '../http/http-error.js';

/**
 * Preferences that are stored for the console. The browser cannot store them, because the console's origin changes each time
 * the platform starts.
 */
export type Preferences = ReturnType<typeof createPreferences>;

const collection = 'preferences';
const longestKey = 200;
const largestValue = 64 * 1024;
/** If there are more preferences than this, the least recently changed ones are removed. */
const maxKept = 200;

export function createPreferences(state: StateStore) {
  let order: Set<string> | undefined;
  /** The keys that have been written since the platform started. These preferences may belong to an open tab. */
  const current = new Set<string>();

  return {
    all: () => state.list(collection).map(({ id, value }) => ({ key: id, value, current: current.has(id) })),
    /** If the value is undefined, removes the preference. */
    put(key: string, value: unknown) {
      if (key.length > longestKey)
        throw invalid(`The key of a preference can be at most ${longestKey} characters long.`, {
          path: 'key',
        });
      if (value !== undefined && JSON.stringify(value).length > largestValue)
        throw new HttpError(413, 'too-large', `A preference can be at most ${largestValue / 1024} KiB.`);
      order ??= new Set(state.list(collection).map(({ id }) => id));
      order.delete(key);
      current.delete(key);
      if (value !== undefined) {
        order.add(key);
        current.add(key);
      }
      const [oldest] = order;
      const surplus = order.size > maxKept ? oldest : undefined;
      state.transaction(() => {
        // Deletes the preference before inserting it, so that the list stays in the order of writing.
        state.delete(collection, key);
        if (value !== undefined) state.put(collection, key, value);
        if (surplus !== undefined) state.delete(collection, surplus);
      });
      if (surplus !== undefined) order.delete(surplus);
    },
  };
}
