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
      // Work may add more work.
      for (let next = pending.shift(); next; next = pending.shift()) await next;
    },
  };
}
