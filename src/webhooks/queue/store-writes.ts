import type { Clock } from '../../base/clock.js';
import { isRightLost } from '../model/webhook-error.js';

export type StoreWrites = ReturnType<typeof createStoreWrites>;

const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/**
 * All failed writes share one retry delay, which grows with each failure. Once any other write succeeds, the delay ends, but not
 * before its first second.
 */
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
  let early = new AbortController();
  ending.addEventListener('abort', () => early.abort());

  const sleep = async (ms: number): Promise<void> => {
    early = new AbortController();
    await clock.sleep(firstPauseMs, ending);
    await clock.sleep(ms - firstPauseMs, early.signal).catch(() => ending.throwIfAborted());
  };

  const noteSuccess = (): void => {
    pauseMs = firstPauseMs;
    early.abort();
  };

  const waitAfter = async (error: unknown): Promise<void> => {
    if (!pause) {
      onTrouble(error);
      pause = sleep(pauseMs).finally(() => (pause = undefined));
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    }
    await pause;
  };

  const isFinal = (error: unknown): boolean => {
    if (isRightLost(error)) onRefused(error);
    return ending.aborted;
  };

  const succeed = async <T>(work: () => Promise<T>): Promise<T> => {
    const result = await work();
    noteSuccess();
    return result;
  };

  const retry = async <T>(work: () => Promise<T>, first: unknown): Promise<T> => {
    waiting += 1;
    try {
      for (let problem = first; ;) {
        await waitAfter(problem);
        try {
          return await succeed(work);
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
    /** Tells the writes that wait for the store that another one has succeeded. */
    noteSuccess,
    /** Whether a write is waiting for the store to recover. If so, no new work should be started. */
    blocked: () => waiting > 0,
    /** Retries until the work succeeds. Rejects if the ownership is lost or the sender is closing. */
    async run<T>(work: () => Promise<T>) {
      try {
        return await succeed(work);
      } catch (error) {
        if (isFinal(error)) throw error;
        return retry(work, error);
      }
    },
  };
}
