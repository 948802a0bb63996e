import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { env, kill } from 'node:process';
import { findDescendants } from './descendants.js';

/** Ends the leader of a process group and every process that it started, even if the leader has already exited. */
export function endTree(pid: number, marker: string): void {
  if (platform() === 'win32') return endWindowsTree(pid);
  // A process shows no environment while it starts, so it may be seen only the next time.
  for (let turn = 0; turn < 3; turn += 1) {
    const found = findDescendants(pid, marker, { readdirSync, readFileSync });
    if (found.length === 0) break;
    found.forEach(end);
  }
  endGroup(pid);
}

/** Ends a group whose leader has already exited. The group is used to find the processes that the leader had started. */
export function endGroup(leader: number): void {
  // Windows has no groups. It soon gives the id to another process, and ends child processes together with the leader.
  if (platform() !== 'win32') end(-leader);
}

/** Ends a process that is still running and what it has started. A shell on Windows would leave its programs running. */
export function endWindowsTree(
  pid: number,
  run: (program: string, argv: string[], options: object) => unknown = spawnSync,
): void {
  const program = `${env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\taskkill.exe`;
  run(program, ['/PID', `${pid}`, '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  end(pid);
}

function end(pid: number): void {
  try {
    kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
