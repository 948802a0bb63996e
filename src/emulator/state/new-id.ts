import { randomBytes, randomInt } from 'node:crypto';
import { systemClock } from '../../base/clock.js';

/**
 * Returns an id that is short enough to type after `platform inspect`. An id contains the time in milliseconds and a counter,
 * so each id is greater than the previous one, and a database index on ids grows only at its end.
 */
export function newId(kind: string): string {
  const now = systemClock.now();
  if (now > at || next > maxPerMillisecond) {
    at = Math.max(now, at + 1);
    next = randomInt(maxPerMillisecond / 2);
    prefix = at.toString(32);
  }
  next += 1;
  return `${kind}_${prefix}${next.toString(32).padStart(3, '0')}`;
}

/** The event id and the call id can be derived from each other. */
export const eventOfCall = (call: string): string => call.replace(/^call/, 'evt');
export const callOfEvent = (event: string): string => event.replace(/^evt/, 'call');

const maxPerMillisecond = 32 ** 3 - 2;
let at = 0;
let next = 0;
let prefix = '';

/** Contains 192 random bits, so that it cannot be guessed. */
export const newSecret = (kind: string): string => `${kind}_${randomBytes(24).toString('base64url')}`;
