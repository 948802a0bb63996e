import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { platform } from 'node:os';
import { finished } from 'node:stream/promises';
import type { Duplex, Readable } from 'node:stream';
import type { Timers } from '../../base/clock.js';
import { withTimeout } from '../../base/deadlines.js';
import { MARKER } from '../process/descendants.js';
import { endGroup, endTree } from '../process/end-tree.js';
import type { ScriptProcess } from '../process/script-process.js';

export interface NodeProgram {
  /** The Node executable (`process.execPath`). */
  node: string;
  /** The script that the child process runs: `dist/sandbox/child/main.js`. */
  childFile: string;
  /** The platform's version, which scripts can read from `navigator.userAgent`. */
  version: string;
}

export interface NodeChild extends Pick<ScriptProcess, 'pid' | 'exited' | 'isLost' | 'kill' | 'end'> {
  pipes: { stdout: Readable; stderr: Readable; control: Socket; lifeline: Socket; calls: Duplex };
}

/**
 * How long to wait for a process to exit after its connection has closed. Most processes are about to exit by then,
 * and their exit code explains why.
 */
const EXIT_KNOWN_MS = 200;

/** The exit code of an aborted process on Windows, where signals do not exist. */
const ABORTED = 134;

/** Yarn Plug'n'Play keeps packages in zip files, which only a process that loads its resolver can read. */
const packed = /\.zip[\\/]/;
const noPnp =
  ', because Yarn Plug\'n\'Play isn\'t supported. Set "nodeLinker: node-modules" in .yarnrc.yml, and run "yarn install"';

/** How long the watchdog may take to end its process before the platform does. */
const END_MS = 500;

export function spawnChild(
  { node, childFile, version }: NodeProgram,
  folder: string,
  timers: Timers,
): NodeChild {
  const mark = randomUUID();
  const child = spawn(node, [childFile, folder, version], {
    // This folder always exists, and the script cannot leave files behind in it.
    cwd: '/',
    // Production and workerd support only this time zone.
    env: { [MARKER]: mark, TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'overlapped'],
    // Ctrl-C in the terminal reaches only the platform, so the script can finish its work first.
    detached: platform() !== 'win32',
    windowsHide: true,
  });
  const [, stdout, stderr, control, lifeline, calls] = child.stdio as unknown as [
    null,
    Readable,
    Readable,
    Socket,
    Socket,
    Duplex,
  ];
  for (const stream of child.stdio) stream?.on('error', () => {});

  let stopped: string | undefined;
  const kill = (why?: string): void => {
    stopped ??= why;
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      endTree(child.pid, `${MARKER}=${mark}`);
  };

  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`it could not be started (${error.message})`));
    child.once('exit', (code, signal) => {
      const why =
        stopped ??
        (signal ? `ended by ${signal}` : `exit code ${code}${packed.test(childFile) ? noPnp : ''}`);
      // Node prints the reason for aborting to standard error, and that output may not have been read yet.
      if (signal !== 'SIGABRT' && code !== ABORTED) resolve(why);
      else
        void withTimeout(
          timers,
          EXIT_KNOWN_MS,
          finished(stderr).catch(() => {}),
          'late',
        ).then(() => resolve(stopped ?? why));
    });
  });
  let ending = false;
  void exited.then(() => {
    if (child.pid === undefined || platform() === 'win32') return;
    // The watchdog has already ended the child processes, unless the script's process ended on its own.
    if (ending) endGroup(child.pid);
    else endTree(child.pid, `${MARKER}=${mark}`);
  });
  let lost = false;
  for (const connection of [control, calls]) {
    connection.once('close', () => {
      lost = true;
      void withTimeout(timers, EXIT_KNOWN_MS, exited, 'unreachable').then(() =>
        kill('its connection to the platform was lost, so the platform stopped it'),
      );
    });
  }

  return {
    pid: child.pid,
    pipes: { stdout, stderr, control, lifeline, calls },
    exited,
    isLost: () => lost,
    kill,
    async end() {
      ending = true;
      lifeline.write('.');
      await withTimeout(timers, END_MS, exited, 'late');
      kill();
      await exited;
    },
  };
}
