import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { platform } from 'node:os';
import type { Writable } from 'node:stream';
import { endGroup } from '../process/end-tree.js';

/**
 * The shell starts a second shell and then replaces itself with the program, which keeps its process id.
 * The second shell waits until the platform's pipe closes, then ends the program, even in an endless loop,
 * and removes the folder.
 */
const UNTIL_PARENT_ENDS =
  '{ read -r _ <&4 || { kill -9 "$$"; rm -rf "$0"; }; } >/dev/null 2>&1 3>&- & exec "$@" 4<&-';

const isWindows = platform() === 'win32';

/**
 * Starts a child process that ends when this process does, even after a crash. Descriptor 3 is a pipe for
 * reading.
 */
export function spawnTied(folder: string, program: string, args: readonly string[]): ChildProcess {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'];
  // Windows ends the child processes together with their parent.
  const child = isWindows
    ? spawn(program, args, { cwd: folder, env: {}, stdio, windowsHide: true })
    : spawn('/bin/sh', ['-c', UNTIL_PARENT_ENDS, folder, program, ...args], {
        cwd: folder,
        env: { PATH: '/usr/bin:/bin' },
        stdio,
        // Ctrl-C in the terminal reaches only the platform.
        detached: true,
      });
  const lifeline = child.stdio[4] as Writable;
  lifeline.on('error', () => {});
  child.once('exit', () => lifeline.end('ended\n'));
  return child;
}

/** Ends the program and the shell that watches it. */
export function endTied(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  endGroup(child.pid);
}
