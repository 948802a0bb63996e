import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { findDescendants, isOrphan, MARKER } from '../process/descendants.js';

/** The `globalThis` property that the watchdog thread calls in the main thread. */
const WHERE = 'platform.where';

const BEAT_MS = 100;

interface Watched {
  fd: number;
  folder: string;
  /** Returns the id of the call that the main thread is running. */
  callId(): string | undefined;
}

/**
 * Ends this process and all processes that it started once the platform exits or sends a byte. A separate thread
 * listens on a pipe that closes when the platform exits, so an infinite loop in the script cannot block it. The
 * thread also checks the parent's process, because the script can close the pipe. After the platform has exited,
 * the thread also removes the sandbox's folder. If the thread fails, this process exits.
 *
 * If the main thread has not run its timers for a second, the watchdog thread also sends a report through the pipe.
 * The report contains the call that is running and its current position in the code. `watchLoop(false)` turns these
 * reports off, because a debugger may pause the main thread for any length of time.
 */
export function startWatchdog({ fd, folder, callId }: Watched): { watchLoop(watched: boolean): void } {
  const end = (): void => void process.kill(process.pid, 'SIGKILL');
  const marker = `${MARKER}=${process.env[MARKER]}`;
  const beats = new Int32Array(new SharedArrayBuffer(8));
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  /** Returns what the main thread is doing. The stack starts with frames of this function. */
  const where = (): { callId: string | undefined; stack: string } => {
    const { stackTraceLimit, prepareStackTrace } = Error;
    Object.assign(Error, { stackTraceLimit: 50, prepareStackTrace: undefined });
    const { stack = '' } = new Error();
    Object.assign(Error, { stackTraceLimit, prepareStackTrace });
    return { callId: callId(), stack };
  };
  Object.defineProperty(globalThis, Symbol.for(WHERE), { value: where });
  // Stack traces contain URLs, in which a path with spaces or backslashes looks different.
  const scripts = pathToFileURL(folder).href;
  const workerData = { fd, folder, scripts, marker, platform: process.ppid, beats, where: WHERE };
  const watchdog = new Worker(watch, { eval: true, workerData, env: {} });
  watchdog.on('error', end).on('exit', end);
  return { watchLoop: (watched) => void Atomics.store(beats, 1, watched ? 0 : 1) };
}

const watch = `
const { Socket } = require('node:net');
const fs = require('node:fs');
const { fd, folder, scripts, marker, platform, beats, where } = require('node:worker_threads').workerData;
const findDescendants = ${findDescendants.toString()};
const isOrphan = ${isOrphan.toString()};
const kill = (pid) => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
};
const end = () => {
  // A process shows no environment while it starts, so it may be seen only the next time.
  for (let turn = 0; turn < 3; turn += 1) findDescendants(process.pid, marker, fs).forEach(kill);
  kill(-process.pid);
  kill(process.pid);
};
const endAll = () => {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } finally {
    end();
  }
};
new Socket({ fd }).on('error', endAll).on('close', endAll).on('data', end);
// A script that closes the pipe must not be able to end its own process by doing so.
const report = (message) => {
  try {
    fs.writeSync(fd, JSON.stringify(message) + '\\n');
  } catch {}
};

// Between two iterations of a loop that awaits promises, none of the script's own code is on the stack.
const sample = (times) => {
  const { Session } = require('node:inspector');
  const session = new Session();
  session.connectToMainThread();
  const expression = "globalThis[Symbol.for('" + where + "')]()";
  session.post('Runtime.evaluate', { expression, returnByValue: true }, (error, reply) => {
    session.disconnect();
    const found = reply?.result?.value;
    if (found?.stack.includes(scripts)) report({ type: 'blocked', ...found });
    else if (times > 1) setTimeout(sample, 5, times - 1);
  });
};
let seen = 0;
let still = 0;
setInterval(() => {
  const [beat, paused] = beats;
  if (beat !== seen && still >= 4) report({ type: 'unblocked' });
  still = beat === seen && !paused ? still + 1 : 0;
  seen = beat;
  if (still === 4) sample(20);
}, 250);
setInterval(() => isOrphan(platform, process) && endAll(), 500);
`;
