import { problemKey, severityOf } from './match-call.js';
import type { CallRecord, CallVerdict, ProblemGroup, ProblemSummary } from './call-log.js';

/** The fields needed to group a call without reading it again. */
export interface KnownProblem extends Pick<CallRecord, 'time' | 'version'> {
  severity: CallVerdict['severity'];
  key: string;
}

export function knownProblem(call: CallRecord): KnownProblem | undefined {
  const severity = severityOf(call);
  const key = problemKey(call);
  if (severity === 'none' || key === undefined) return undefined;
  const { time, version } = call;
  return { time, version, severity, key: `${severity}\n${key}` };
}

type Group<Call> = Omit<ProblemGroup, 'newest'> & { newest: Call };

interface KnownCall {
  position: number;
  problem: KnownProblem | undefined;
}

/**
 * Groups the problems of calls in the same way as the SQLite implementation. Pass the calls in order from oldest to
 * newest.
 */
export function groupProblems<Call extends KnownCall>(
  calls: Iterable<Call>,
  { version: wanted, limit }: { version: number; limit: number },
  read: (call: Call) => CallRecord,
): ProblemSummary {
  const groups = new Map<string, Group<Call>>();
  const totals = { error: { current: 0, all: 0 }, warning: { current: 0, all: 0 } };
  for (const call of calls) {
    if (!call.problem) continue;
    const { severity, key, time, version } = call.problem;
    const group = groups.get(key) ?? {
      severity,
      calls: 0,
      current: 0,
      first: time,
      last: time,
      newest: call,
    };
    groups.set(key, group);
    const current = version === wanted ? 1 : 0;
    group.calls += 1;
    group.current += current;
    group.first = Math.min(group.first, time);
    group.last = Math.max(group.last, time);
    group.newest = call;
    totals[severity].all += 1;
    totals[severity].current += current;
  }
  const sorted = [...groups.values()].toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      b.current - a.current ||
      b.calls - a.calls ||
      b.newest.position - a.newest.position,
  );
  return {
    errors: totals.error,
    warnings: totals.warning,
    groups: sorted.slice(0, limit).map((group) => ({ ...group, newest: read(group.newest) })),
  };
}

const rank = ({ current, severity }: Pick<ProblemGroup, 'current' | 'severity'>): number =>
  (current > 0 ? 0 : 2) + (severity === 'error' ? 0 : 1);
