import type { Timers } from './clock.js';

export type Deadlines = ReturnType<typeof createDeadlines>;

/** An abort reason that is a string avoids creating an exception with a stack trace each time. */
const over = 'over';

/** Timeouts of the same length share one timer, because they expire in the order in which they were started. */
export function createDeadlines(timers: Timers, ms: number) {
  const running = new Set<{ at: number; callback(): void }>();
  let sleeper: AbortController | undefined;

  const sleep = async (): Promise<void> => {
    const own = new AbortController();
    sleeper = own;
    for (let [first] = running; first; [first] = running) {
      try {
        await timers.sleep(Math.max(0, first.at - timers.monotonic()), own.signal);
      } catch {
        return;
      }
      for (const deadline of running) {
        if (deadline.at > timers.monotonic()) break;
        running.delete(deadline);
        deadline.callback();
      }
    }
    if (sleeper === own) sleeper = undefined;
  };

  const stopWhenEmpty = (): void => {
    if (running.size > 0) return;
    sleeper?.abort(over);
    sleeper = undefined;
  };

  return {
    /** Calls `callback` when time is up, unless the returned function is called first. */
    start(callback: () => void) {
      const deadline = { at: timers.monotonic() + ms, callback };
      running.add(deadline);
      if (!sleeper) void sleep();
      return () => {
        running.delete(deadline);
        stopWhenEmpty();
      };
    },
    /** Calls all callbacks immediately, as if the time were up. */
    endAll() {
      for (const deadline of running) {
        running.delete(deadline);
        deadline.callback();
      }
      stopWhenEmpty();
    },
    /** Drops all deadlines without calling their callbacks. */
    clear() {
      running.clear();
      stopWhenEmpty();
    },
  };
}

/** Resolves to the promise's value, or to `late` if it takes longer than the timeout. */
export async function withTimeout<T, L>(
  timers: Timers,
  ms: number,
  promise: Promise<T>,
  late: L,
): Promise<T | L> {
  const done = new AbortController();
  try {
    return await Promise.race([promise, timers.sleep(ms, done.signal).then(() => late)]);
  } finally {
    done.abort();
  }
}
