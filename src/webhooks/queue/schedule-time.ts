import type { Clock } from '../../base/clock.js';
import { longestDelayMs } from '../send/retry-schedule.js';

/**
 * The time scale that a store uses for its schedule. Starts at the clock's time and then advances steadily even if
 * the clock is set, so that a retry delay of 2 s stays 2 s.
 */
export interface ScheduleTime {
  now(): number;
  /** Deliveries scheduled up to this time are due. Slightly in the future, to allow for rounding. */
  dueBy(): number;
  /** Converts a scheduled time to the clock's time. */
  shown(at: number): number;
  /** Returns the time remaining until a scheduled time. */
  until(at: number): number;
}

const roundingMs = 0.001;

/**
 * `latest` is the latest time scheduled by an earlier process. Scheduled times are never further away than one retry
 * delay.
 */
export function createScheduleTime(clock: Clock, latest = -Infinity): ScheduleTime {
  const began = clock.monotonic();
  const start = Math.max(clock.now(), latest - longestDelayMs);
  const now = (): number => start + (clock.monotonic() - began);
  const dueBy = (): number => now() + roundingMs;
  return {
    now,
    dueBy,
    // Rounded to seconds, because the clock and the elapsed time drift apart slightly even if the clock is never set.
    shown: (at) => at + 1000 * Math.round((clock.now() - now()) / 1000),
    until: (at) => (at <= dueBy() ? 0 : at - now()),
  };
}
