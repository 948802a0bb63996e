import { existsSync, rmSync } from 'node:fs';
import { renameOver } from '../base/node/replace-file.js';
import { isStoreError } from '../base/store-error.js';
import { openDatabase } from './sqlite/open-database.js';
import { createSqliteState } from './state/sqlite-state.js';
import type { StateStore } from './state/state-store.js';

/**
 * Replaces the state file with one that contains only the collection to keep. The old file stays intact until the new
 * one is renamed over it, so a crash loses nothing. If the file cannot be read, it is renamed to `…-unreadable`.
 */
export function startFresh(file: string, kept: string): void {
  const next = `${file}-fresh`;
  remove(next);
  if (existsSync(file)) {
    const documents = readDocuments(file, kept);
    if (documents && documents.length > 0) {
      withState(next, (state) =>
        state.transaction(() => {
          for (const { id, value } of documents) state.put(kept, id, value);
        }),
      );
      renameOver(next, file);
      return;
    }
  }
  remove(file);
}

function readDocuments(file: string, kept: string): { id: string; value: unknown }[] | undefined {
  try {
    return withState(file, (state) => state.list(kept));
  } catch (error) {
    if (!isStoreError(error) || !['store/corrupt', 'store/newer'].includes(error.code)) throw error;
    const unreadable = `${file}-unreadable`;
    remove(unreadable);
    for (const suffix of ['', '-wal'])
      if (existsSync(file + suffix)) renameOver(file + suffix, unreadable + suffix);
    return undefined;
  }
}

/** Opens the state in a file. When this returns, all state is in that single file, without a separate log file. */
function withState<T>(file: string, work: (state: StateStore) => T): T {
  const db = openDatabase(file);
  try {
    const result = work(createSqliteState(db));
    db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').first();
    return result;
  } finally {
    db.close();
  }
}

function remove(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}
