import type { CallRecord } from '../../../contract/routes/calls.js';
import { isFailedRequest } from '../../../protocol/failed-request.js';
import { repeatsReason } from './repeats-reason.js';
import { belowEndpoint } from '../../../base/text/below-endpoint.js';

type RowKind = 'script' | 'log' | 'outbound' | 'waitUntil' | 'task' | 'delivery' | 'response';

/** A row in the timeline. Times are in milliseconds since the start of the call. */
export interface TimelineRow {
  kind: RowKind;
  label: string;
  start: number;
  /** Undefined for a single point in time, such as a log line. */
  length?: number;
  /** Set if the work has not ended yet. */
  open?: true;
  failed?: true;
  /** Why the work failed, or the time until it is due. */
  note?: string;
  outbound?: number;
}

export interface Timeline {
  rows: TimelineRow[];
  /** The end of the time axis. */
  end: number;
  /** The number of log lines without a row. */
  hiddenLogs: number;
}

/**
 * If there are more log lines than this, the timeline leaves them out, because they are easier to read in the list of logs.
 */
const mostLogs = 40;

/** Collects everything that happened during a call or because of it. The timeline of a running call ends at `now`. */
export function timelineOf(entry: CallRecord, now: number): Timeline {
  const rows = [
    scriptRow(entry),
    ...[
      ...logRows(entry),
      ...outboundRows(entry),
      ...backgroundRows(entry),
      ...effectRows(entry),
      ...responseRow(entry),
    ].sort((a, b) => a.start - b.start),
  ];
  const elapsed = entry.outcome === 'running' ? now - entry.time : 0;
  const known = Math.max(1, elapsed, ...rows.map(({ start, length = 0 }) => start + length));
  return {
    rows: rows.map((row) => (row.open ? { ...row, length: known - row.start } : row)),
    end: known,
    hiddenLogs: Math.max(0, entry.logs.length - mostLogs),
  };
}

function scriptRow({ durationMs, outcome, event, request }: CallRecord): TimelineRow {
  const label = request ? `${request.method} ${belowEndpoint(request.url)}` : (event?.type ?? 'The script');
  return {
    kind: 'script',
    label,
    start: 0,
    length: durationMs ?? 0,
    ...(outcome === 'running' && { open: true }),
    ...(outcome === 'failed' && { failed: true }),
  };
}

const logRows = (entry: CallRecord): TimelineRow[] =>
  entry.logs.slice(0, mostLogs).map((line) => ({
    kind: 'log',
    label: line.level === 'error' ? onceIn(entry, line.text) : firstLine(line.text),
    start: Math.max(0, line.time - entry.time),
    ...(line.level === 'error' && { failed: true }),
  }));

/** Leaves out the message if the top of the call's details already shows it. */
const onceIn = (entry: CallRecord, message: string): string =>
  repeatsReason(entry, message) ? 'see above' : firstLine(message);

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

const outboundRows = (entry: CallRecord): TimelineRow[] =>
  entry.outbound.map((request, number) => ({
    kind: 'outbound',
    label: `${request.method} ${hostAndPath(request.url)}`,
    start: Math.max(0, request.time - entry.time),
    length: request.durationMs,
    outbound: number,
    note: request.error === undefined ? String(request.status) : onceIn(entry, request.error),
    ...(isFailedRequest(request) && { failed: true }),
  }));

const backgroundRows = (entry: CallRecord): TimelineRow[] =>
  (entry.background ?? []).map(({ time: began, durationMs, error }) => ({
    kind: 'waitUntil',
    label: 'Background work',
    start: Math.max(0, began - entry.time),
    length: durationMs ?? 0,
    ...(durationMs === undefined && { open: true, note: 'not settled' }),
    ...(error !== undefined && { failed: true, note: onceIn(entry, error) }),
  }));

/** The effects of the call, except for replays and the next action, which are started by a user. */
const effectRows = ({ effects = [], time }: CallRecord): TimelineRow[] =>
  effects.flatMap(({ type, id = '', time: at, title, dueAt }): TimelineRow[] => {
    if (type !== 'task' && type !== 'delivery') return [];
    const label = type === 'task' ? `Task ${title ?? id}` : `Webhook delivery ${id}`;
    const due = dueAt === undefined ? 0 : dueAt - at;
    return [
      {
        kind: type,
        label,
        start: Math.max(0, at - time),
        ...(due > 0 && { note: `due in ${Math.round(due / 1000)} s` }),
      },
    ];
  });

function responseRow({ response, headMs, durationMs, outcome }: CallRecord): TimelineRow[] {
  if (!response) return [];
  const start = headMs ?? durationMs ?? 0;
  const length = Math.max(0, (durationMs ?? start) - start);
  return [
    {
      kind: 'response',
      label: `Response ${response.status}`,
      start,
      ...(length > 0 && { length }),
      ...(outcome === 'running' && { open: true }),
      ...(response.status >= 500 && { failed: true }),
    },
  ];
}

function hostAndPath(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return `${host}${pathname === '/' ? '' : pathname}`;
}
