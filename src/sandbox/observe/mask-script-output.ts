import type { Timers } from '../../base/clock.js';
import { LONGEST_SENT } from '../wire/control-channel.js';
import { createLineRateLimit, droppedNotice } from './line-rate-limit.js';
import type { ScriptBackground, ScriptOutbound, ScriptLog, ScriptObserver } from '../script/script-host.js';

const LONGEST_TEXT = 16 * 1024;
/**
 * Truncated text may end with part of a secret, which the mask does not recognize, so this many characters are
 * removed from the end.
 */
const UNSAFE_END = 16 * 1024;

/** Passes the script's output to the observer after masking its secrets and truncating very long text. */
export type MaskedOutput = ReturnType<typeof createMaskedOutput>;

export function createMaskedOutput(observer: ScriptObserver, timers: Timers, now: () => number) {
  const budget = createLineRateLimit({ refillPerSecond: 100, now: () => timers.monotonic() });

  /** The text is masked before it is truncated, because a partial secret would not be recognized. */
  const mask = (text: string): { masked: string; safe: number } => {
    const masked = observer.mask(text);
    return {
      masked,
      safe: text.length < LONGEST_SENT ? masked.length : Math.max(0, masked.length - UNSAFE_END),
    };
  };
  const log = (entry: ScriptLog): void => {
    const { masked, safe } = mask(entry.text);
    const shown = Math.min(safe, LONGEST_TEXT);
    const rest = masked.length - shown;
    const { frame } = entry;
    observer.log({
      ...entry,
      text: rest > 0 ? `${masked.slice(0, shown)}… (${rest.toLocaleString('en')} more characters)` : masked,
      ...(frame && { frame: { ...frame, lines: frame.lines.map(observer.mask) } }),
    });
  };
  const maskWhole = (text: string): string => {
    const { masked, safe } = mask(text);
    return masked.slice(0, safe);
  };

  return {
    log,
    blocked: observer.blocked,
    memory: observer.memory,
    outbound(entry: ScriptOutbound) {
      const masked = { ...entry };
      for (const name of ['url', 'error', 'code', 'finalUrl', 'refused'] as const) {
        const text = entry[name];
        if (text !== undefined) masked[name] = maskWhole(text);
      }
      observer.outbound(masked);
    },
    background: (entry: ScriptBackground) =>
      observer.background({
        ...entry,
        ...(entry.error !== undefined && { error: maskWhole(entry.error).slice(0, LONGEST_TEXT) }),
      }),
    /** Passes on a line that was written without the console, so it is not known which call wrote it. */
    line(level: ScriptLog['level'], text: string) {
      const dropped = budget.dropped();
      if (!budget.take(text.length, true)) return;
      const time = now();
      if (dropped > 0) log({ callId: undefined, level: 'warn', text: droppedNotice(dropped), time });
      log({ callId: undefined, level, text, time });
    },
  };
}
