import type { Clock } from '../../../base/clock.js';

export interface PollLoop {
  /** Starts the next round as soon as possible. */
  wake(): void;
  /** Resolves when the last round has ended. */
  stop(): Promise<void>;
}

/** Minimum time between the starts of rounds that were requested. */
const betweenMs = 5;
const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/**
 * Runs one round after the other until the session ends. A round resolves to whether more work is waiting.
 */
export function createPollLoop(options: {
  clock: Clock;
  pollMs: number;
  ended: AbortSignal;
  round(): Promise<boolean>;
  onTrouble(error: unknown): void;
}): PollLoop {
  const { clock, pollMs, ended, round, onTrouble } = options;
  const stopping = new AbortController();
  let sleeper: AbortController | undefined;
  let woken = false;
  let pauseMs = firstPauseMs;

  const sleep = async (ms: number, wakes: boolean): Promise<void> => {
    const own = new AbortController();
    if (wakes) sleeper = own;
    await clock.sleep(ms, AbortSignal.any([own.signal, ended, stopping.signal])).catch(() => undefined);
    sleeper = undefined;
  };

  const rest = async (more: boolean): Promise<void> => {
    // Lets the deliveries that were read start before more are read.
    await new Promise(setImmediate);
    if (more) return;
    await sleep(betweenMs, false);
    if (!woken) await sleep(pollMs - betweenMs, true);
    woken = false;
  };

  const run = async (): Promise<void> => {
    // The caller of `own` runs first.
    await new Promise(setImmediate);
    while (!ended.aborted && !stopping.signal.aborted) {
      try {
        const more = await round();
        pauseMs = firstPauseMs;
        await rest(more);
      } catch (error) {
        if (ended.aborted) break;
        onTrouble(error);
        await sleep(pauseMs, false);
        pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      }
    }
  };
  const running = run();

  return {
    wake() {
      woken = true;
      sleeper?.abort();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
