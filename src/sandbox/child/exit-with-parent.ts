import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { findDescendants, MARKER } from '../process/descendants.js';

/**
 * Ends this process and what it has started when the platform is gone, or when the platform says so with a
 * byte. A thread of its own listens on a pipe whose other end closes with the platform, so that a script in
 * an endless loop cannot miss it; it also looks who the parent is, because the script can close the pipe. The
 * folder that the platform can no longer remove goes too. Without the thread, the process does not go on.
 */
export function startWatchdog(fd: number, folder: string): void {
  const end = (): void => void process.kill(process.pid, 'SIGKILL');
  const marker = `${MARKER}=${process.env[MARKER]}`;
  const workerData = { fd, folder, marker, platform: process.ppid };
  const watchdog = new Worker(watch, { eval: true, workerData, env: {} });
  watchdog.on('error', end).on('exit', end);
}

const watch = `
const { Socket } = require('node:net');
const fs = require('node:fs');
const { fd, folder, marker, platform } = require('node:worker_threads').workerData;
const findDescendants = ${findDescendants.toString()};
const kill = (pid) => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
};
const end = () => {
  findDescendants(process.pid, marker, fs).forEach(kill);
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
setInterval(() => process.ppid !== platform && endAll(), 500);
`;
