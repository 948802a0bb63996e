import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { migrate } from './upgrade-database.js';
import { openSqlite, unreadable, type Sqlite } from './sqlite.js';

/** The file contains secrets, so only its owner may read it. */
export function createPrivateFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, 'a', 0o600));
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

export function openDatabase(file: string): Sqlite {
  createPrivateFile(file);
  const db = openSqlite(file);
  try {
    db.prepare('PRAGMA journal_mode = WAL').first();
    db.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000');
    migrate(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
