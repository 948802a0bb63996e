import type { Clock } from '../../base/clock.js';
import { isRightLost } from '../model/webhook-error.js';

export type StoreWrites = ReturnType<typeof createStoreWrites>;

const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/** All failed writes share one retry delay, which grows with each failure. */
export function createStoreWrites(options: {
  clock: Clock;
  /** Aborting this signal stops all retries. */
  ending: AbortSignal;
  onTrouble(error: unknown): void;
  onRecovered(): void;
  /** Called when the store reports that the delivery lock is lost. */
  onRefused(error: unknown): void;
}) {
  const { clock, ending, onTrouble, onRecovered, onRefused } = options;
  let pause: Promise<void> | undefined;
  let pauseMs = firstPauseMs;
  let waiting = 0;

  const waitAfter = async (error: unknown): Promise<void> => {
    if (!pause) {
      onTrouble(error);
      pause = clock.sleep(pauseMs, ending).finally(() => (pause = undefined));
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    }
    await pause;
  };

  const isFinal = (error: unknown): boolean => {
    if (isRightLost(error)) onRefused(error);
    return ending.aborted;
  };

  const retry = async <T>(work: () => Promise<T>, first: unknown): Promise<T> => {
    waiting += 1;
    try {
      for (let problem = first; ;) {
        await waitAfter(problem);
        try {
          const result = await work();
          pauseMs = firstPauseMs;
          return result;
        } catch (error) {
          if (isFinal(error)) throw error;
          problem = error;
        }
      }
    } finally {
      waiting -= 1;
      if (waiting === 0) onRecovered();
    }
  };

  return {
    /** Whether a write is waiting for the store to recover. If so, no new work should be started. */
    blocked: () => waiting > 0,
    /** Retries until the work succeeds. Rejects if the ownership is lost or the sender is closing. */
    async run<T>(work: () => Promise<T>) {
      try {
        return await work();
      } catch (error) {
        if (isFinal(error)) throw error;
        return retry(work, error);
      }
    },
  };
}
