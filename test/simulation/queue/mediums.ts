import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, SystemClock } from '../../../src/base/clock.js';
import { createSqliteDeliveries } from '../../../src/store/deliveries/sqlite-deliveries.js';
import { defaultLimits } from '../../../src/store/model/store-limits.js';
import { openDatabase } from '../../../src/store/sqlite/open-database.js';
import type { DeliveryRight, LocalDeliveryStore } from '../../../src/webhooks/model/delivery-store.js';
import { createMemoryDeliveries } from '../../../src/webhooks/queue/memory-delivery-store.js';

/** Where deliveries are kept. */
export interface Medium {
  /**
   * False if a store writes nothing before an outcome, so that the next owner neither records an interrupted request nor counts
   * the first crash, and if it learns what is due by polling. Default: true.
   */
  exact?: boolean;
  /** Whether everything that the store has begun has ended. Default: always. */
  isQuiet?(): boolean;
  /** Whether it keeps exactly as many deliveries as a plan allows. */
  counts?: boolean;
  /** Sets the store's own time, in milliseconds since the start. */
  pass?(ms: number): Promise<void>;
  /** Ignores `entries` if the store counts only now and then. */
  open(clock: SystemClock, entries?: number): Promise<LocalDeliveryStore>;
  /** The process dies. Returns what the next one finds. */
  crash(store: LocalDeliveryStore, right: DeliveryRight | undefined): Promise<LocalDeliveryStore>;
  close(): Promise<void>;
}

export type OpenMedium = () => Medium;

export const inMemory: OpenMedium = () => ({
  counts: true,
  open: async (clock, entries) => createMemoryDeliveries({ clock, ...(entries && { entries }) }),
  async crash(store, right) {
    await right?.release();
    return store;
  },
  async close() {},
});

/** Syncs take no time in memory. */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A crash leaves a copy of the file as it is at that time. */
export const onDisk: OpenMedium = () => {
  const folder = mkdtempSync(join(parent, 'platform-simulation-'));
  const closings: (() => void)[] = [];
  let lives = 0;
  let clock: Clock;
  const file = (): string => join(folder, `${lives}.db`);
  const open = (): LocalDeliveryStore => {
    const db = openDatabase(file());
    const store = createSqliteDeliveries(db, { file: file(), clock, limits: defaultLimits });
    closings.push(() => {
      store.close();
      db.close();
    });
    return store;
  };
  return {
    async open(of) {
      clock = of;
      return open();
    },
    async crash() {
      const before = file();
      lives += 1;
      for (const part of ['', '-wal'])
        if (existsSync(before + part)) copyFileSync(before + part, file() + part);
      return open();
    },
    async close() {
      for (const close of closings) close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
