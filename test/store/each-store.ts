import { join } from 'node:path';
import { afterEach, describe } from 'vitest';
import { createVirtualClock } from '../../src/protocol/clock.js';
import { createMemoryStore } from '../../src/store/memory-store.js';
import { openStore } from '../../src/store/open-store.js';
import type { StoreLimits } from '../../src/store/limits.js';
import type { Store } from '../../src/store/store.js';
import { temporaryFolder } from '../support/temporary-folder.js';

export interface StoreUnderTest {
  open(limits?: Partial<StoreLimits>): Store;
}

/** The same cases for every kind of store. */
export function eachStore(cases: (store: StoreUnderTest) => void): void {
  const opened: Store[] = [];
  const kinds: Record<string, (limits?: Partial<StoreLimits>) => Store> = {
    memory: createMemoryStore,
    sqlite: (limits = {}) =>
      openStore({ file: join(temporaryFolder(), 'state.db'), clock: createVirtualClock(), limits }),
  };
  describe.each(Object.entries(kinds))('%s', (_, create) => {
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
    });
    cases({
      open(limits) {
        const store = create(limits);
        opened.push(store);
        return store;
      },
    });
  });
}
