import { Worker } from 'node:worker_threads';

/**
 * Ends this process when the platform is gone. A thread of its own listens on a pipe whose other end
 * closes with the platform, so that a script in an endless loop cannot miss it.
 */
export function startWatchdog(fd: number): void {
  const worker = new Worker(watch, { eval: true, workerData: fd, stdout: false, env: {} });
  worker.unref();
}

const watch = `
const { Socket } = require('node:net');
const { workerData } = require('node:worker_threads');
const end = () => process.kill(process.pid, 'SIGKILL');
new Socket({ fd: workerData }).on('error', end).on('close', end).resume();
`;
