import { createPrivateFile } from './open-database.js';
import { openSqlite } from './sqlite.js';
import { isStoreError } from '../model/store-error.js';

/**
 * The right to deliver from a state file: an operating system lock on a second file next to it. The lock
 * ends with the process, even after a crash, so a dead owner is noticed immediately. Returns undefined
 * while another process holds the lock, or else a function that releases it.
 */
export function lockOwner(file: string): (() => void) | undefined {
  const lockFile = `${file}-owner`;
  createPrivateFile(lockFile);
  const lock = openSqlite(lockFile, 0);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (isStoreError(error) && error.code === 'store/busy') return undefined;
    throw error;
  }
  return () => {
    lock.exec('ROLLBACK');
    lock.close();
  };
}
