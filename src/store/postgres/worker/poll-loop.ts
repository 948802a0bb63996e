import type { Clock } from '../../../base/clock.js';

export interface PollLoop {
  /** The next round begins as soon as it may. */
  wake(): void;
  /** Resolves when the last round is over. */
  stop(): Promise<void>;
}

/** Rounds that are asked for begin this far apart. */
const betweenMs = 5;
const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/** One round after the other until the session has ended. A round resolves to whether there is more to do at once. */
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
    // What was read begins before more is read.
    await new Promise(setImmediate);
    if (more) return;
    await sleep(betweenMs, false);
    if (!woken) await sleep(pollMs - betweenMs, true);
    woken = false;
  };

  const run = async (): Promise<void> => {
    // The caller of `own` comes first.
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
