import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import { renameOver } from '../base/node/replace-file.js';
import { isStoreError, StoreError } from '../base/store-error.js';
import { openDatabase } from './sqlite/open-database.js';
import { toBlob, type Sqlite } from './sqlite/sqlite.js';
import { migrations } from './sqlite/upgrade-database.js';
import { createSqliteState } from './state/sqlite-state.js';

/**
 * Deletes everything in the state file except the collection to keep, in one transaction, so a crash loses nothing. The file
 * itself stays, because the driver keeps it open after `close`, and Windows can neither rename nor remove an open file. If the
 * file cannot be read, it is renamed to `…-unreadable`.
 */
export function startFresh(file: string, kept: string): void {
  let documents: { id: string; value: unknown }[] = [];
  try {
    if (isSupported(file)) {
      withDatabase(file, (db) => {
        documents = createSqliteState(db).list(kept);
        clear(db, kept);
      });
      return;
    }
  } catch (error) {
    if (!isStoreError(error) || !['store/corrupt', 'store/newer'].includes(error.code)) throw error;
  }
  setAside(file);
  if (documents.length > 0)
    withDatabase(file, (db) => {
      const state = createSqliteState(db);
      state.transaction(() => documents.forEach(({ id, value }) => state.put(kept, id, value)));
    });
}

/** Whether this version can read the file. Reads only its header, because the driver would keep the file open. */
function isSupported(file: string): boolean {
  if (!existsSync(file)) return true;
  const header = Buffer.alloc(64);
  const handle = openSync(file, 'r');
  const length = readSync(handle, header);
  closeSync(handle);
  const isDatabase = header.toString('latin1', 0, 16) === 'SQLite format 3\0';
  return length === 0 || (isDatabase && header.readUInt32BE(60) <= migrations.length);
}

function clear(db: Sqlite, kept: string): void {
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'state'").all();
  db.transaction(() => {
    for (const [name] of tables) db.exec(`DELETE FROM ${String(name)}`);
    db.prepare('DELETE FROM state WHERE collection <> ?').run(toBlob(kept));
  });
  // Otherwise the file keeps its size, and the deleted secrets.
  db.exec('VACUUM');
}

function setAside(file: string): void {
  const unreadable = `${file}-unreadable`;
  try {
    for (const suffix of ['', '-wal', '-shm']) {
      rmSync(unreadable + suffix, { force: true });
      if (existsSync(file + suffix)) renameOver(file + suffix, unreadable + suffix);
    }
  } catch (cause) {
    throw new StoreError(
      'store/corrupt',
      `The state file ${file} cannot be read, and it could not be renamed.`,
      {
        hint: 'Move it to another folder, then try again.',
        cause,
      },
    );
  }
}

/** When this returns, all state is in the single file, without a separate log file. */
function withDatabase(file: string, work: (db: Sqlite) => void): void {
  const db = openDatabase(file);
  try {
    work(db);
    db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').first();
  } finally {
    db.close();
  }
}
