import { parseTime } from '../../../../base/clock.js';
import type { Input } from '../../../../contract/console-api.js';
import type { CallQuery } from '../../../../store/calls/call-log.js';
import { invalid } from '../../../http/http-error.js';

/**
 * Turns a query of the console or `platform logs` into a query of the call log. An empty value does not
 * filter.
 */
export function readCallQuery(
  { ids, status, since, until, slower, ...rest }: Input<'GET /calls'>,
  now: number,
): CallQuery {
  const query = {
    ...rest,
    ids: ids && ids.split(','),
    status: status && status.split(',').map(readStatuses),
    since: since && readTime('since', since, now),
    until: until && readTime('until', until, now),
    slowerThanMs: slower,
  };
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(given) as CallQuery;
}

/** Reads `404`, `5xx` or `400-499`. */
function readStatuses(text: string): [least: number, most: number] {
  const [, digit, least, most = least] = /^\s*(?:([1-5])xx|(\d{3})(?:-(\d{3}))?)\s*$/i.exec(text) ?? [];
  if (digit !== undefined) return [Number(digit) * 100, Number(digit) * 100 + 99];
  if (least !== undefined && most !== undefined) return [Number(least), Number(most)];
  throw invalid(`"${text}" is not a valid status.`, {
    path: 'status',
    hint: 'Write it as 404, 5xx or 400-499.',
  });
}

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a time before now, such as `15m`, or a date and time. */
function readTime(path: string, text: string, now: number): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined)
    return now - Number(count) * unitMs[unit as keyof typeof unitMs];
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? parseTime(text) : NaN;
  if (!Number.isNaN(time)) return time;
  throw invalid(`"${text}" is not a valid time.`, {
    path,
    hint: 'Write it as 15m, 2h, 1d or 2026-01-31T12:00.',
  });
}
