import type { Clock } from '../../protocol/clock.js';

export interface Alarm {
  /** Rings at this time at the latest; an earlier ring that is set stays. */
  set(at: number): void;
  stop(): void;
}

export function createAlarm(clock: Clock, ring: () => void): Alarm {
  let next: { at: number; sleeper: AbortController } | undefined;

  const stop = (): void => {
    next?.sleeper.abort('stopped');
    next = undefined;
  };

  return {
    set(at) {
      if (next && next.at <= at) return;
      stop();
      const own = { at, sleeper: new AbortController() };
      next = own;
      const rings = (): void => {
        if (next === own) next = undefined;
        ring();
      };
      clock.sleep(Math.max(0, at - clock.now()), own.sleeper.signal).then(rings, () => undefined);
    },
    stop,
  };
}
