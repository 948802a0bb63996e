import { readDuration } from '../../base/text/duration.js';
import type { PlatformBase } from '../state/platform-base.js';
import { severityNames, type CallRecord, type CallQuery, type Severity } from '../../store/calls/call-log.js';
import { parseTime, type Clock } from '../../base/clock.js';
import { callFilters } from '../../contract/basics/call-filters.js';
import type { Handlers, Input } from '../../contract/console-api.js';
import type { OutboundDetails } from '../../contract/basics/outbound.js';
import type { callRoutes as contract } from '../../contract/routes/calls.js';
import { invalid, notFound, unknownCall } from '../http/http-error.js';
import { failureOf } from './call-failure.js';
import type { CallRecorder } from './call-recorder.js';
import type { Signatures } from './signatures.js';
import type { MarkupProblem } from '../../protocol/markup/check-markup.js';
import { headroomOf } from './headroom.js';
import { markupProblems } from './script-calls.js';
import type { Registry } from '../state/registry.js';
import { callLine, callWithLogs, problemGroupView, verdictView } from './call-views.js';

const mostGroups = 100;

export function callRoutes(
  deps: Pick<PlatformBase, 'callLog' | 'limits'> & {
    recorder: CallRecorder;
    signatures: Signatures;
    registry: Pick<Registry, 'record'>;
    clock: Pick<Clock, 'now'>;
  },
): Handlers<keyof typeof contract> {
  const { callLog, recorder, signatures, registry, limits, clock } = deps;
  const now = (): QueryContext => ({ time: clock.now(), version: registry.record().version });
  const body =
    (which: 'request' | 'response') =>
    ({ call }: { call: string }): Uint8Array => {
      callLog.flush();
      const bytes = callLog.body(call, which);
      if (!bytes) throw notFound(`The ${which} body of ${call} was not recorded.`);
      return bytes;
    };

  const warningsOf = ({ id, event, response }: CallRecord): MarkupProblem[] =>
    event?.type === 'ui_render' && response?.status === 200
      ? markupProblems(callLog.body(id, 'response'))
      : [];

  return {
    'GET /calls'({ lines, ...query }) {
      callLog.flush();
      const line = lines ? callWithLogs : callLine;
      return callLog
        .list(readCallQuery(query, now()))
        .map(({ position, call }) => ({ position, ...line(recorder.current(call)) }));
    },
    'GET /calls/count'(query) {
      const all = callLog.count();
      const filter = readCallQuery(query, now());
      return { matching: Object.keys(filter).length === 0 ? all : callLog.count(filter), all };
    },
    'GET /calls/problems'() {
      const { version } = registry.record();
      const { groups, ...totals } = callLog.problems({ version, limit: mostGroups });
      return { version, ...totals, groups: groups.map(problemGroupView) };
    },
    'GET /calls/{call}'({ call }) {
      callLog.flush();
      const entry = callLog.get(call);
      if (!entry) throw unknownCall(call);
      const warnings = warningsOf(entry);
      const current = recorder.current(entry);
      const { verdict: _, ...recorded } = current;
      const failure = failureOf(current);
      const headroom = headroomOf(current, limits);
      return {
        ...recorded,
        ...verdictView(current),
        ...(headroom && { headroom }),
        ...(warnings.length > 0 && { warnings }),
        ...(failure && { failure }),
      };
    },
    'GET /calls/{call}/outbound/{number}'({ call, number }) {
      const details = callLog.body(call, `outbound-${number}`);
      if (!details) throw notFound(`No details were recorded for outbound request ${number} of ${call}.`);
      return JSON.parse(new TextDecoder().decode(details)) as OutboundDetails;
    },
    async 'GET /calls/{call}/signature'({ call }) {
      callLog.flush();
      const entry = callLog.get(call);
      if (!entry) throw unknownCall(call);
      const report = await signatures.explain(recorder.current(entry));
      return report ?? { valid: false, explanation: 'The request has no header with a signature.' };
    },
    'GET /calls/{call}/request-body': body('request'),
    'GET /calls/{call}/response-body': body('response'),
  };
}

/** The current time and version, which a query can refer to. */
interface QueryContext {
  time: number;
  version: number;
}

/** Converts a query from the console or `platform logs` to a call log query. Ignores empty values. */
function readCallQuery(
  { ids, slower, failed, warnings, current, ...rest }: Input<'GET /calls'>,
  { time, version }: QueryContext,
): CallQuery {
  const filters: Record<string, { kind: string } | undefined> = callFilters;
  const read = (name: string, value: unknown): unknown => {
    if (typeof value !== 'string' || value === '') return value;
    const kind = filters[name]?.kind;
    if (kind === 'statuses') return value.split(',').map(readStatuses);
    return kind === 'time' ? readTime(name, value, time) : value;
  };
  const query = Object.entries({
    ...rest,
    ids: ids && ids.split(','),
    slowerThanMs: slower,
    severity: severities(failed, warnings),
    version: current ? version : undefined,
  }).map(([name, value]) => [name, read(name, value)] as const);
  return Object.fromEntries(query.filter(([, value]) => value !== undefined && value !== '')) as CallQuery;
}

/**
 * If both `failed` and `warnings` are true, lists calls with errors and calls with warnings. If either is false, excludes
 * those calls.
 */
function severities(failed?: boolean, warnings?: boolean): Severity[] | undefined {
  const chosen = { error: failed, warning: warnings };
  if (failed === undefined && warnings === undefined) return undefined;
  if (failed || warnings) return severityNames.filter((name) => name !== 'none' && chosen[name]);
  return severityNames.filter((name) => name === 'none' || chosen[name] === undefined);
}

/** Reads `404`, `5xx` or `400-499`. */
function readStatuses(text: string): [least: number, most: number] {
  const [, digit, least, most = least] = /^\s*(?:([1-5])xx|(\d{3})(?:-(\d{3}))?)\s*$/i.exec(text) ?? [];
  if (digit !== undefined) return [Number(digit) * 100, Number(digit) * 100 + 99];
  if (least !== undefined && most !== undefined) return [Number(least), Number(most)];
  throw invalid(`"${text}" is not a valid status.`, {
    path: 'status',
    hint: 'Use a status such as 404, 5xx or 400-499.',
  });
}

/** Parses a date and time, or a duration before now, such as `15m`. */
function readTime(path: string, text: string, now: number): number {
  const ago = readDuration(text);
  if (ago !== undefined) return now - ago;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? parseTime(text) : NaN;
  if (!Number.isNaN(time)) return time;
  throw invalid(`"${text}" is not a valid time.`, {
    path,
    hint: 'Use a time such as 15m, 2h, 1d or 2026-01-31T12:00.',
  });
}
