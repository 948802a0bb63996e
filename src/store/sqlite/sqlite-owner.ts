import { createPrivateFile } from './open-database.js';
import { openSqlite } from './sqlite.js';
import { StoreError } from '../store-error.js';

/**
 * The right to deliver from a state file: a lock of the operating system on a file beside it. It ends
 * with the process, whatever ends that, so a dead owner is recognised at once. Undefined while another
 * one holds it. Returns what gives it back.
 */
export function lockOwner(file: string): (() => void) | undefined {
  const lockFile = `${file}-owner`;
  createPrivateFile(lockFile);
  const lock = openSqlite(lockFile, 0);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof StoreError && error.code === 'store/busy') return undefined;
    throw error;
  }
  return () => {
    lock.exec('ROLLBACK');
    lock.close();
  };
}
