import type { Clock } from '../../base/clock.js';

export interface DeliveryDeadlines {
  /** Calls `callback` after the time, unless the returned function is called first. */
  start(callback: () => void): () => void;
  /** Ends all deadlines immediately. */
  endAll(): void;
}

/** Aborting with a reason avoids creating an exception with a stack each time. */
const over = 'over';

/** Many deadlines of the same length share one sleeper, because the first to start is the first to end. */
export function createDeliveryDeadlines(clock: Clock, ms: number): DeliveryDeadlines {
  const running = new Set<{ at: number; callback(): void }>();
  let sleeper: AbortController | undefined;

  const sleep = async (): Promise<void> => {
    const own = new AbortController();
    sleeper = own;
    for (let [first] = running; first; [first] = running) {
      try {
        await clock.sleep(Math.max(0, first.at - clock.monotonic()), own.signal);
      } catch {
        return;
      }
      for (const deadline of running) {
        if (deadline.at > clock.monotonic()) break;
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
    start(callback) {
      const deadline = { at: clock.monotonic() + ms, callback };
      running.add(deadline);
      if (!sleeper) void sleep();
      return () => {
        running.delete(deadline);
        stopWhenEmpty();
      };
    },
    endAll() {
      for (const deadline of running) {
        running.delete(deadline);
        deadline.callback();
      }
      stopWhenEmpty();
    },
  };
}
