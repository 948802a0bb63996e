import type { NextDue } from '../model/delivery-store.js';

/** When an endpoint's next deliveries are due, on the monotonic clock. */
export interface DueTimes {
  at: number;
  suspectAt: number;
}

export const never = (): DueTimes => ({ at: Infinity, suspectAt: Infinity });

export const dueFrom = (now: number, { inMs = Infinity, suspectInMs = Infinity }: NextDue): DueTimes => ({
  at: now + inMs,
  suspectAt: now + suspectInMs,
});

export const earlier = (a: DueTimes, b: DueTimes): DueTimes => ({
  at: Math.min(a.at, b.at),
  suspectAt: Math.min(a.suspectAt, b.suspectAt),
});
