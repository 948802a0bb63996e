import type { Clock } from '../protocol/clock.js';
import type { Environment } from '../protocol/environment.js';
import { createLineBudget, droppedNotice } from './line-budget.js';
import { createMask, secretsOf } from './mask.js';
import type { ScriptOutbound, ScriptLog, ScriptObserver } from './script-host.js';

const LONGEST_TEXT = 16 * 1024;
const MOST_SECRETS = 64;

/** What the script says, on its way to the observer: no secrets, no walls of text. */
export interface Output {
  /** Secrets of this environment are hidden from now on. */
  learn(environment: Environment): void;
  log(entry: ScriptLog): void;
  outbound(entry: ScriptOutbound): void;
  /** A line written past the console, which no call can be named for. */
  line(level: ScriptLog['level'], text: string): void;
}

export function createOutput(observer: ScriptObserver, clock: Clock): Output {
  const secrets = new Set<string>();
  let learned: Environment | undefined;
  let mask: ((text: string) => string) | undefined;
  const hide = (text: string): string => (mask ??= createMask(secrets))(text);
  const budget = createLineBudget({ refillPerSecond: 100, now: () => clock.monotonic() });

  const log = (entry: ScriptLog): void => {
    const text = hide(entry.text);
    const rest = text.length - LONGEST_TEXT;
    observer.log({
      ...entry,
      text:
        rest > 0 ? `${text.slice(0, LONGEST_TEXT)}… (${rest.toLocaleString('en')} more characters)` : text,
    });
  };

  return {
    learn(environment) {
      if (environment === learned) return;
      learned = environment;
      for (const secret of secretsOf(environment)) {
        if (secrets.has(secret)) continue;
        secrets.add(secret);
        mask = undefined;
        const [oldest] = secrets;
        if (secrets.size > MOST_SECRETS && oldest !== undefined) secrets.delete(oldest);
      }
    },
    log,
    outbound: (entry) =>
      observer.outbound({ ...entry, url: hide(entry.url), ...(entry.error && { error: hide(entry.error) }) }),
    line(level, text) {
      const dropped = budget.dropped();
      if (!budget.take(text.length, true)) return;
      const time = clock.now();
      if (dropped > 0) log({ callId: undefined, level: 'warn', text: droppedNotice(dropped), time });
      log({ callId: undefined, level, text, time });
    },
  };
}
