import { logger } from './logger.js';

export interface PendingWork {
  add(promise: Promise<unknown>): void;
  /** Where the host cannot be told to stay, the answer waits for the work instead. */
  ended(): Promise<void>;
}

export function createPendingWork(handOver?: (promise: Promise<unknown>) => void): PendingWork {
  const pending: Promise<unknown>[] = [];
  const keep = handOver ?? ((promise) => pending.push(promise));
  return {
    add(promise) {
      keep(Promise.resolve(promise).catch((error: unknown) => logger.error('waitUntil failed', error)));
    },
    async ended() {
      // Work may add more work, which the loop then comes to.
      for (const work of pending) await work;
    },
  };
}
