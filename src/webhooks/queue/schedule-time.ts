import type { Clock } from '../../base/clock.js';
import { longestDelayMs } from '../send/retry-schedule.js';

/**
 * The time that a store schedules deliveries by. It begins with the clock's time and then passes as
 * time does, however the clock is set: a retry after 2 s comes after 2 s.
 */
export interface ScheduleTime {
  now(): number;
  /** What is scheduled by this time is due. A little later than now, because sums of times are rounded. */
  dueBy(): number;
  /** What the clock will show at a scheduled time. */
  shown(at: number): number;
  /** How long it is until a scheduled time. */
  until(at: number): number;
}

const roundingMs = 0.001;

/** `latest` is the last scheduled time that an earlier process left: none is further away than a retry. */
export function createScheduleTime(clock: Clock, latest = -Infinity): ScheduleTime {
  const began = clock.monotonic();
  const start = Math.max(clock.now(), latest - longestDelayMs);
  const now = (): number => start + (clock.monotonic() - began);
  const dueBy = (): number => now() + roundingMs;
  return {
    now,
    dueBy,
    // Whole seconds: the clock and the time that passes differ a little without being set.
    shown: (at) => at + 1000 * Math.round((clock.now() - now()) / 1000),
    until: (at) => (at <= dueBy() ? 0 : at - now()),
  };
}
