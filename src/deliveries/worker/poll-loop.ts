import type { Clock } from '../../base/clock.js';

export interface PollLoop {
  /** Starts the next round as soon as possible. */
  wake(): void;
  /** Resolves when the last round has ended. */
  stop(): Promise<void>;
}

/** The minimum time between the starts of two requested rounds. */
const betweenMs = 5;
const firstPauseMs = 1000;
const longestPauseMs = 5000;
/** Aborting with this reason avoids creating an exception with a stack trace each time. */
const over = 'over';

/** Runs rounds one after another until the session ends. A round resolves to true if there is more work to do. */
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
  let wakes = false;
  let woken = false;
  let pauseMs = firstPauseMs;

  // Adds only one listener per session, because each call of `AbortSignal.any` would add an entry to a long-lived signal.
  const end = (): void => {
    stopping.abort(over);
    sleeper?.abort(over);
  };
  ended.addEventListener('abort', end);

  const sleep = async (ms: number): Promise<void> => {
    if (stopping.signal.aborted) return;
    sleeper = new AbortController();
    await clock.sleep(ms, sleeper.signal).catch(() => undefined);
    sleeper = undefined;
  };

  const rest = async (more: boolean): Promise<void> => {
    // Lets deliveries that have already been read start before reading more.
    await new Promise(setImmediate);
    if (more) return;
    await sleep(betweenMs);
    wakes = true;
    if (!woken) await sleep(pollMs - betweenMs);
    wakes = false;
    woken = false;
  };

  const run = async (): Promise<void> => {
    // Lets the code that called `own` continue before the first round.
    await new Promise(setImmediate);
    while (!ended.aborted && !stopping.signal.aborted) {
      try {
        const more = await round();
        pauseMs = firstPauseMs;
        await rest(more);
      } catch (error) {
        if (ended.aborted) break;
        onTrouble(error);
        await sleep(pauseMs);
        pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      }
    }
    ended.removeEventListener('abort', end);
  };
  const running = run();

  return {
    wake() {
      woken = true;
      if (wakes) sleeper?.abort(over);
    },
    async stop() {
      end();
      await running;
    },
  };
}
