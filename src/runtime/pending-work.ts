import { Logger } from './logger.js';

const logger = Logger('integrations');

export interface PendingWork {
  add(promise: Promise<unknown>): void;
  /** Where the host cannot be told to stay, the answer waits for the work instead. */
  ended(): Promise<void>;
}

export function createPendingWork(handOver?: (promise: Promise<unknown>) => void): PendingWork {
  const pending = new Set<Promise<unknown>>();
  return {
    add(promise) {
      const reported = Promise.resolve(promise).catch((error: unknown) =>
        logger.error('Work passed to waitUntil failed.', error),
      );
      if (handOver) return handOver(reported);
      const tracked = reported.finally(() => pending.delete(tracked));
      pending.add(tracked);
    },
    async ended() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
