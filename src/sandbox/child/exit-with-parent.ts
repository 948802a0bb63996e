import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { findDescendants, MARKER } from '../process/descendants.js';

/**
 * Ends this process and all processes that it started when the platform ends, or when the platform sends a
 * byte. A separate thread listens on a pipe that closes with the platform, so an endless loop in the script
 * cannot block it. The thread also checks the parent's process id, because the script can close the pipe.
 * When the platform is gone, the thread removes the sandbox's folder too. If the thread fails, this process
 * exits.
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
