import { join } from 'node:path';
import { afterEach, describe } from 'vitest';
import { createVirtualClock, type VirtualClock } from '../../src/base/clock.js';
import { createMemoryStore, type Store } from '../../src/store/store.js';
import { openStore } from '../../src/store/open-store.js';
import type { StoreLimits } from '../../src/store/model/store-limits.js';
import type { DeliveriesUnderTest } from './owned-store.js';
import { temporaryFolder } from '../support/temporary-folder.js';

export interface StoreUnderTest {
  open(limits?: Partial<StoreLimits>, clock?: VirtualClock): Store;
}

/** The same cases for every kind of store. */
export function eachStore(cases: (store: StoreUnderTest) => void): void {
  const opened: Store[] = [];
  const kinds: Record<string, (clock: VirtualClock, limits: Partial<StoreLimits>) => Store> = {
    memory: createMemoryStore,
    sqlite: (clock, limits) => openStore({ file: join(temporaryFolder(), 'state.db'), clock, limits }),
  };
  describe.each(Object.entries(kinds))('%s', (_, create) => {
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
    });
    cases({
      open(limits = {}, clock = createVirtualClock()) {
        const store = create(clock, limits);
        opened.push(store);
        return store;
      },
    });
  });
}

/** The same cases for the delivery stores of one process. */
export function eachDeliveryStore(cases: (store: DeliveriesUnderTest) => void): void {
  eachStore((store) =>
    cases({
      exact: true,
      async open(limits, clock = createVirtualClock()) {
        return {
          deliveries: store.open(limits, clock).deliveries,
          settle: async () => undefined,
          pass: (ms) => clock.advance(ms),
          // An owner takes back what the one before it held, whatever ended that.
          kill: (right) => right.release(),
          trim: async () => undefined,
        };
      },
    }),
  );
}
