import type { Clock } from '../../base/clock.js';
import { longestDelayMs } from '../send/retry-schedule.js';

/**
 * The time scale that a store uses for its schedule. It starts at the clock's time and then advances steadily even if the clock
 * is set, so that a retry delay of 2 s stays 2 s.
 */
export interface ScheduleTime {
  now(): number;
  /** Deliveries that are scheduled up to this time are due. It is slightly in the future, to allow for rounding. */
  dueBy(): number;
  /** Converts a time on the schedule to the clock's time. */
  shown(at: number): number;
  /** Returns the time that remains until a time on the schedule. */
  until(at: number): number;
}

const roundingMs = 0.001;

/** `latest` is the latest time that an earlier process scheduled. No scheduled time is further away than one retry delay. */
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
