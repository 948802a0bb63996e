import { createLineRateLimit, type LineRateLimit } from '../observe/line-rate-limit.js';
import type { ScriptLog } from '../script-host.js';

/** Calls with a limit of their own. The lines of older ones share a limit with those of no call. */
const REMEMBERED = 1000;
/** The process keeps to the usual limit, with notices beside it: only lines that it did not write itself reach this. */
const scale = 2;

/** Limits the lines of each call on the platform's side: a script can write to the same pipe as its process. */
export function limitLogs(
  log: (entry: ScriptLog) => void,
  now: () => number,
): { begin(callId: string): void; take(entry: ScriptLog): void } {
  const calls = new Map<string, LineRateLimit | undefined>();
  const others = createLineRateLimit({ refillPerSecond: 100, now, scale });

  const limitOf = (callId: string | undefined): LineRateLimit => {
    if (callId === undefined || !calls.has(callId)) return others;
    const limit = calls.get(callId) ?? createLineRateLimit({ refillPerSecond: 0, now, scale });
    calls.set(callId, limit);
    return limit;
  };

  return {
    begin(callId) {
      calls.set(callId, undefined);
      const [oldest] = calls.keys();
      if (calls.size > REMEMBERED && oldest !== undefined) calls.delete(oldest);
    },
    take(entry) {
      const limit = limitOf(entry.callId);
      const dropped = limit.dropped();
      if (limit.take(entry.text.length, true)) log(entry);
      else if (dropped === 0)
        log({ ...entry, level: 'warn', text: '… more lines dropped: too much output at once' });
    },
  };
}
