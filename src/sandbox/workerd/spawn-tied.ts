import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { platform } from 'node:os';
import type { Writable } from 'node:stream';
import { endGroup } from '../process/end-tree.js';

/**
 * The shell starts a second one that waits for a pipe of the platform to close, and becomes the program. Its
 * number stays, so the second one can end it even while its code loops, and removes the folder with it.
 */
const UNTIL_PARENT_ENDS =
  '{ read -r _ <&4 || { kill -9 "$$"; rm -rf "$0"; }; } >/dev/null 2>&1 3>&- & exec "$@" 4<&-';

const isWindows = platform() === 'win32';

/** A child process that ends when this process does, however that ends. Descriptor 3 is a pipe to read from. */
export function spawnTied(folder: string, program: string, args: readonly string[]): ChildProcess {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'];
  // Windows ends the children of a process with it.
  const child = isWindows
    ? spawn(program, args, { cwd: folder, env: {}, stdio, windowsHide: true })
    : spawn('/bin/sh', ['-c', UNTIL_PARENT_ENDS, folder, program, ...args], {
        cwd: folder,
        env: { PATH: '/usr/bin:/bin' },
        stdio,
        // Ctrl-C in the terminal is for the platform alone.
        detached: true,
      });
  const lifeline = child.stdio[4] as Writable;
  lifeline.on('error', () => {});
  child.once('exit', () => lifeline.end('ended\n'));
  return child;
}

/** Ends it with what watches over it. */
export function endTied(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  endGroup(child.pid);
}
