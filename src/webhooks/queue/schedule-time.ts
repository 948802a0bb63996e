import type { Clock } from '../../base/clock.js';
import { longestDelayMs } from '../send/retry-schedule.js';

/**
 * The time scale that a store uses for its schedule. Starts at the clock's time and then advances steadily even if
 * the clock is set, so that a retry delay of 2 s stays 2 s.
 */
export type ScheduleTime = ReturnType<typeof createScheduleTime>;

const roundingMs = 0.001;

/**
 * `latest` is the latest time scheduled by an earlier process. Scheduled times are never further away than one retry
 * delay.
 */
export function createScheduleTime(clock: Clock, latest = -Infinity) {
  const began = clock.monotonic();
  const start = Math.max(clock.now(), latest - longestDelayMs);
  const now = (): number => start + (clock.monotonic() - began);
  /** Deliveries scheduled up to this time are due. Slightly in the future, to allow for rounding. */
  const dueBy = (): number => now() + roundingMs;
  return {
    now,
    dueBy,
    // Rounded to seconds, because the clock and the elapsed time drift apart slightly even if the clock is never set.
    shown: (at: number) => at + 1000 * Math.round((clock.now() - now()) / 1000),
    until: (at: number) => (at <= dueBy() ? 0 : at - now()),
  };
}
