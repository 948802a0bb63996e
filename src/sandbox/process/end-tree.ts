import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { kill } from 'node:process';
import { findDescendants } from './descendants.js';

/** Ends the leader of a process group and every process that it started, even if the leader has already exited. */
export function endTree(pid: number, marker: string): void {
  for (const each of findDescendants(pid, marker, { readdirSync, readFileSync })) end(each);
  endGroup(pid);
}

/** Ends a group whose leader has already exited. The group is used to find the processes that the leader had started. */
export const endGroup = (leader: number): void => end(platform() === 'win32' ? leader : -leader);

function end(pid: number): void {
  try {
    kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
