import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../protocol/clock.js';
import { createGroupCommit } from './group-commit.js';
import { defaultLimits, type StoreLimits } from './limits.js';
import { migrate } from './migrations.js';
import { createSqliteDeliveries } from './sqlite-deliveries.js';
import { createSqliteState } from './sqlite-state.js';
import { createSqliteTraffic } from './sqlite-traffic.js';
import { openSqlite, type Sqlite } from './sqlite.js';
import type { Store } from './store.js';

export interface OpenStoreOptions {
  file: string;
  clock: Clock;
  limits?: Partial<StoreLimits>;
}

/** It holds secrets: nobody else may read it. */
function createPrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  closeSync(openSync(file, 'a', 0o600));
}

function openDatabase(file: string): Sqlite {
  createPrivateFile(file);
  const db = openSqlite(file);
  try {
    db.prepare('PRAGMA journal_mode = WAL').first();
    db.exec('PRAGMA synchronous = FULL');
    migrate(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens the state file, or makes it. Throws an error that says what to do where it cannot be used. */
export function openStore({ file, clock, limits = {} }: OpenStoreOptions): Store {
  const all = { ...defaultLimits, ...limits };
  const db = openDatabase(file);
  const group = createGroupCommit(db);
  const traffic = createSqliteTraffic(db, clock, all);
  return {
    state: createSqliteState(db),
    traffic,
    deliveries: createSqliteDeliveries(db, group, all),
    async close() {
      try {
        group.flush();
        traffic.flush();
      } finally {
        traffic.close();
        db.close();
      }
    },
  };
}
