import type { CallLine } from '../../contract/routes/calls.js';

export type CountedCall = Pick<CallLine, 'time' | 'source' | 'type' | 'component' | 'outcome' | 'durationMs'>;

export interface Minute {
  /** When it began. */
  time: number;
  calls: number;
  failures: number;
}

export interface HandlerLatency {
  handler: string;
  calls: number;
  failures: number;
  p50: number;
  p95: number;
}

export interface CallStatistics {
  calls: number;
  failures: number;
  /** Every minute up to the current one, including minutes without calls. */
  minutes: Minute[];
  /** The handler with the most calls first. */
  handlers: HandlerLatency[];
}

const minuteMs = 60_000;
const mostMinutes = 60;
const fewestMinutes = 10;

/**
 * The calls of the last hour, from the newest calls that are known. If there were more (`complete` is false), it starts
 * at the oldest of them, because a minute without known calls is not a minute without calls.
 */
export function callStatistics(
  newest: readonly CountedCall[],
  now: number,
  complete: boolean,
): CallStatistics {
  const minuteOf = (time: number): number => Math.floor(time / minuteMs);
  const last = minuteOf(now);
  const oldest = minuteOf(newest.at(-1)?.time ?? now);
  const first = Math.max(
    last - mostMinutes + 1,
    complete ? Math.min(oldest, last - fewestMinutes + 1) : oldest,
  );
  const calls = newest.filter(({ source, time }) => source !== 'script' && minuteOf(time) >= first);
  const minutes = Array.from({ length: last - first + 1 }, (_, index) => {
    const minute = first + index;
    return { time: minute * minuteMs, ...count(calls.filter(({ time }) => minuteOf(time) === minute)) };
  });
  return { ...count(calls), minutes, handlers: handlersOf(calls) };
}

const count = (calls: readonly CountedCall[]): { calls: number; failures: number } => ({
  calls: calls.length,
  failures: calls.filter(({ outcome }) => outcome === 'failed').length,
});

function handlersOf(calls: readonly CountedCall[]): HandlerLatency[] {
  const byHandler = new Map<string, CountedCall[]>();
  for (const call of calls) {
    // No handler ran, or the handler is still running.
    if (call.durationMs === undefined || call.outcome === 'no-handler' || call.outcome === 'withheld')
      continue;
    const handler = call.component === undefined ? call.type : `${call.component} (render)`;
    byHandler.set(handler, [...(byHandler.get(handler) ?? []), call]);
  }
  return [...byHandler]
    .map(([handler, own]) => {
      const times = own.map(({ durationMs = 0 }) => durationMs).toSorted((a, b) => a - b);
      return { handler, ...count(own), p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
    })
    .toSorted((a, b) => b.calls - a.calls || a.handler.localeCompare(b.handler));
}

/** The smallest of the sorted values that is at least as large as this part of them. */
const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
