import type { Clock } from '../../base/clock.js';

export type WakeTimer = ReturnType<typeof createWakeTimer>;

export function createWakeTimer(clock: Clock, wake: () => void) {
  let next: { at: number; sleeper: AbortController } | undefined;

  const stop = (): void => {
    next?.sleeper.abort('stopped');
    next = undefined;
  };

  return {
    /** Sets the timer to this time on the monotonic clock, unless it is already set to an earlier one. */
    set(at: number) {
      if (next && next.at <= at) return;
      stop();
      const own = { at, sleeper: new AbortController() };
      next = own;
      const wakes = (): void => {
        if (next === own) next = undefined;
        wake();
      };
      clock.sleep(Math.max(0, at - clock.monotonic()), own.sleeper.signal).then(wakes, () => undefined);
    },
    stop,
  };
}
