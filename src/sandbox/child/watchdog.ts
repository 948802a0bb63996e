import { Worker } from 'node:worker_threads';

/**
 * Ends this process when the platform is gone. A thread of its own listens on a pipe whose other end
 * closes with the platform, so that a script in an endless loop cannot miss it. The folder that the
 * platform can no longer remove goes too: the process lasts until then. Without the thread, it does not go on.
 */
export function startWatchdog(fd: number, folder: string): void {
  const end = (): void => void process.kill(process.pid, 'SIGKILL');
  const watchdog = new Worker(watch, { eval: true, workerData: { fd, folder }, env: {} });
  watchdog.on('error', end).on('exit', end);
}

const watch = `
const { Socket } = require('node:net');
const { rmSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
const end = () => {
  try {
    rmSync(workerData.folder, { recursive: true, force: true });
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
};
new Socket({ fd: workerData.fd }).on('error', end).on('close', end).resume();
`;
