import type { Clock } from '../base/clock.js';
import { defaultLimits, type StoreLimits } from './store-limits.js';
import { openDatabase } from './sqlite/open-database.js';
import { createSqliteDeliveries } from './deliveries/sqlite-deliveries.js';
import { createSqliteState } from './state/sqlite-state.js';
import { createSqliteTraffic } from './calls/sqlite-call-log.js';
import type { Store } from './store.js';

export interface OpenStoreOptions {
  file: string;
  clock: Clock;
  limits?: Partial<StoreLimits>;
  /** Told when the traffic log can no longer be written, as on a full disk. */
  trouble?: (error: unknown) => void;
}

/** Opens the state file, or makes it. Throws an error that says what to do where it cannot be used. */
export function openStore({ file, clock, limits = {}, trouble }: OpenStoreOptions): Store {
  const all = { ...defaultLimits, ...limits };
  const db = openDatabase(file);
  const deliveries = createSqliteDeliveries(db, { file, clock, limits: all });
  const traffic = createSqliteTraffic(db, clock, all, trouble);
  return {
    state: createSqliteState(db),
    traffic,
    deliveries,
    async close() {
      try {
        deliveries.flush();
        traffic.flush();
        // One file to copy, where nobody else has it open.
        db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').first();
      } finally {
        deliveries.close();
        traffic.close();
        db.close();
      }
    },
  };
}
