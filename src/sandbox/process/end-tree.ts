import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { kill } from 'node:process';
import { findDescendants } from './descendants.js';

/** Ends a process that leads a group of its own, and all that it has started, also when it is gone itself. */
export function endTree(pid: number, marker: string): void {
  for (const each of findDescendants(pid, marker, { readdirSync, readFileSync })) end(each);
  endGroup(pid);
}

/** The same where the process itself is gone, and only its group still says what it has started. */
export const endGroup = (leader: number): void => end(platform() === 'win32' ? leader : -leader);

function end(pid: number): void {
  try {
    kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}
