import { InvalidValue } from '../../../context/command.js';
import { parseDuration } from '../worker/durations.js';

/** A time in milliseconds since the epoch, which may depend on the current one. */
export interface TimeArgument {
  at(now: number): number;
}

/** `2h` (ago), or a date and time. */
export function parseTime(text: string): TimeArgument {
  if (/^\d+[a-z]+$/.test(text)) {
    const ago = parseDuration(text);
    return { at: (now) => now - ago };
  }
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidValue('It must be a time such as 2h (ago) or 2026-01-31T10:00Z.');
  return { at: () => time };
}
