import type { ScriptBackground, ScriptLog, ScriptOutbound } from '../script/script-host.js';
import { createLineRateLimit, type LineRateLimit } from '../observe/line-rate-limit.js';

/**
 * The number of calls that have their own limit. Older calls, and reports that do not belong to a call, count toward
 * a shared limit.
 */
const REMEMBERED = 1000;
/** Twice the child's own limit, to leave room for the child's notices. Only forged reports exceed it. */
const scale = 2;

interface Output {
  log(entry: ScriptLog): void;
  outbound(entry: ScriptOutbound): void;
  background(entry: ScriptBackground): void;
}

/** Limits each call's reports on the platform side, because a script can write directly to its process's pipe. */
export function limitOutput(output: Output, now: () => number): Output & { begin(callId: string): void } {
  const warn = ({ callId, time }: ScriptLog | ScriptOutbound, what: string): void =>
    output.log({
      callId,
      time,
      level: 'warn',
      text: `… more ${what} dropped: too much output in a short time`,
    });
  const logs = limitReports<ScriptLog>(
    { emit: output.log, length: ({ text }) => text.length, dropped: (entry) => warn(entry, 'lines') },
    now,
  );
  const requests = limitReports<ScriptOutbound>(
    {
      emit: output.outbound,
      length: ({ method, url, error = '', code = '', finalUrl = '' }) =>
        method.length + url.length + error.length + code.length + finalUrl.length,
      dropped: (entry) => warn(entry, 'outbound requests'),
    },
    now,
  );
  const spans = limitReports<ScriptBackground>(
    { emit: output.background, length: ({ error = '' }) => error.length, dropped: () => {} },
    now,
  );
  return {
    log: logs.take,
    outbound: requests.take,
    background: spans.take,
    begin(callId) {
      logs.begin(callId);
      spans.begin(callId);
      requests.begin(callId);
    },
  };
}

interface ReportKind<Entry> {
  emit(entry: Entry): void;
  /** Returns the length of the entry's text. */
  length(entry: Entry): number;
  /** Called for the first of a series of dropped reports. */
  dropped(entry: Entry): void;
}

function limitReports<Entry extends { callId: string | undefined }>(
  { emit, length, dropped }: ReportKind<Entry>,
  now: () => number,
): { begin(callId: string): void; take(entry: Entry): void } {
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
      const isFirst = limit.dropped() === 0;
      if (limit.take(length(entry), true)) emit(entry);
      else if (isFirst) dropped(entry);
    },
  };
}
