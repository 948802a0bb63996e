import type { Clock } from '../protocol/clock.js';
import { createLineBudget, droppedNotice } from './line-budget.js';
import type { ScriptOutbound, ScriptLog, ScriptObserver } from './script-host.js';

const LONGEST_TEXT = 16 * 1024;

/** What the script says, on its way to the observer: no secrets, no walls of text. */
export interface Output {
  log(entry: ScriptLog): void;
  outbound(entry: ScriptOutbound): void;
  /** A line written past the console, which no call can be named for. */
  line(level: ScriptLog['level'], text: string): void;
}

export function createOutput(observer: ScriptObserver, clock: Clock): Output {
  const budget = createLineBudget({ refillPerSecond: 100, now: () => clock.monotonic() });

  const log = (entry: ScriptLog): void => {
    // First the mask: half a secret would not be found.
    const text = observer.mask(entry.text);
    const rest = text.length - LONGEST_TEXT;
    observer.log({
      ...entry,
      text:
        rest > 0 ? `${text.slice(0, LONGEST_TEXT)}… (${rest.toLocaleString('en')} more characters)` : text,
    });
  };

  return {
    log,
    outbound: (entry) =>
      observer.outbound({
        ...entry,
        url: observer.mask(entry.url),
        ...(entry.error !== undefined && { error: observer.mask(entry.error) }),
      }),
    line(level, text) {
      const dropped = budget.dropped();
      if (!budget.take(text.length, true)) return;
      const time = clock.now();
      if (dropped > 0) log({ callId: undefined, level: 'warn', text: droppedNotice(dropped), time });
      log({ callId: undefined, level, text, time });
    },
  };
}
