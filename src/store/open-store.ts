import type { Clock } from '../base/clock.js';
import { defaultLimits, type StoreLimits } from './model/store-limits.js';
import { openDatabase } from './sqlite/open-database.js';
import { createSqliteDeliveries } from './deliveries/sqlite-deliveries.js';
import { createSqliteState } from './state/sqlite-state.js';
import { createSqliteCallLog } from './calls/sqlite-call-log.js';
import type { Store } from './store.js';

export interface OpenStoreOptions {
  file: string;
  clock: Clock;
  limits?: Partial<StoreLimits>;
  /** Called when the call log can no longer be written, for example because the disk is full. */
  onLogError?: (error: unknown) => void;
}

/** Opens the state file, or creates it. If the file cannot be used, throws an error that explains what to do next. */
export function openStore({ file, clock, limits = {}, onLogError }: OpenStoreOptions): Store {
  const all = { ...defaultLimits, ...limits };
  const db = openDatabase(file);
  const deliveries = createSqliteDeliveries(db, { file, clock, limits: all });
  const callLog = createSqliteCallLog(db, clock, all, onLogError);
  return {
    state: createSqliteState(db),
    callLog,
    deliveries,
    async close() {
      try {
        deliveries.flush();
        callLog.flush();
        // After this, only a single file needs to be copied, unless another process has the database open.
        db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').first();
      } finally {
        deliveries.close();
        callLog.close();
        db.close();
      }
    },
  };
}
