import type { PlatformBase } from '../state/platform-base.js';
import { HttpError, invalid } from '../http/http-error.js';
import { createCollection, type IntegrationRecord } from '../state/installation-records.js';

/** The store collection that contains saved states. */
export const SAVED_STATES = 'snapshots';

interface Snapshot {
  savedAt: number;
  collections: Record<string, { id: string; value: unknown }[]>;
}

/** Named copies of the state: installations, configurations, connections and queued tasks. */
export type Snapshots = ReturnType<typeof createSnapshots>;

const collections = [
  'integration',
  'installations',
  'placements',
  'tasks',
  'blocks',
  'spaces',
  'adaptive-schemas',
  'tokens',
  'oauth-refresh-tokens',
];

export function createSnapshots(deps: Pick<PlatformBase, 'state' | 'registry' | 'clock' | 'feed'>) {
  const { state, registry, clock, feed } = deps;
  const snapshots = createCollection<Snapshot>(state, SAVED_STATES);
  const find = (name: string): Snapshot => {
    const snapshot = snapshots.get(name);
    if (!snapshot) {
      const known = state.list(SAVED_STATES).map(({ id }) => id);
      throw new HttpError(404, 'unknown-state', `Unknown saved state: ${name}.`, { given: name, known });
    }
    return snapshot;
  };

  return {
    all: () =>
      state.list<Snapshot>(SAVED_STATES).map(({ id, value }) => ({ name: id, savedAt: value.savedAt })),
    save(name: string) {
      if (!/^[\w.-]{1,100}$/.test(name))
        throw invalid('A name can contain only letters, digits, dots and hyphens.');
      const copied = collections.map((collection) => [collection, state.list(collection)] as const);
      snapshots.put(name, { savedAt: clock.now(), collections: Object.fromEntries(copied) });
    },
    load(name: string) {
      const snapshot = find(name);
      // The code is not part of a saved state, so the current version is kept.
      const { version, build } = registry.record();
      state.transaction(() => {
        for (const collection of collections) {
          for (const { id } of state.list(collection)) state.delete(collection, id);
          for (const { id, value } of snapshot.collections[collection] ?? [])
            state.put(collection, id, value);
        }
        const record = state.get<IntegrationRecord>('integration', 'self');
        state.put('integration', 'self', { ...record, version, ...(build !== undefined && { build }) });
      });
      registry.reread();
      feed.emit({ type: 'state-loaded', name });
    },
    remove(name: string) {
      find(name);
      snapshots.delete(name);
    },
  };
}
