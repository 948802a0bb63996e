import { randomBytes, randomInt } from 'node:crypto';
import { systemClock } from '../../base/clock.js';

/**
 * Short enough to type after `platform inspect`. Ids increase over time, so that an index grows at its end:
 * the millisecond, and a counter for ids of the same millisecond.
 */
export function newId(kind: string): string {
  const now = systemClock.now();
  if (now > at || next > mostInOne) {
    at = Math.max(now, at + 1);
    next = randomInt(mostInOne / 2);
    prefix = at.toString(32);
  }
  next += 1;
  return `${kind}_${prefix}${next.toString(32).padStart(3, '0')}`;
}

const mostInOne = 32 ** 3 - 2;
let at = 0;
let next = 0;
let prefix = '';

/** 192 random bits, which cannot be guessed. */
export const newSecret = (kind: string): string => `${kind}_${randomBytes(24).toString('base64url')}`;
