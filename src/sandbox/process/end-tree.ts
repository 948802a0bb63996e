import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { kill } from 'node:process';
import { findDescendants } from './descendants.js';

/**
 * Ends the leader of a process group and every process that it started, even if the leader is already gone.
 */
export function endTree(pid: number, marker: string): void {
  for (const each of findDescendants(pid, marker, { readdirSync, readFileSync })) end(each);
  endGroup(pid);
}

/** The same for a process that is gone: its group shows what it started. */
export const endGroup = (leader: number): void => end(platform() === 'win32' ? leader : -leader);

function end(pid: number): void {
  try {
    kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}
