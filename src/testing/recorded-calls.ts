import { headroomOf } from '../emulator/index.js';
import { limitNames, type CallLimits } from '../protocol/call-limits.js';
import { callType, type CallRecord, type CallLog } from '../store/calls/call-log.js';
import { errorOfEntry } from './call-error.js';
import type { TestCall } from './test-platform.js';

/** Maximum number of recorded calls, which no test reaches. */
const MOST_CALLS = 10_000;

interface CallsOf {
  limits: CallLimits;
  /** Of the project. */
  folder: string;
}

export const listCalls = (callLog: CallLog, of: CallsOf): TestCall[] =>
  callLog.list({ limit: MOST_CALLS }).flatMap(({ entry }) => describeCall(entry, of));

function describeCall(entry: CallRecord, { limits, folder }: CallsOf): TestCall[] {
  const { outcome, response } = entry;
  const headroom = headroomOf(entry, limits);
  if (!headroom || outcome === 'running' || outcome === 'withheld') return [];
  const near = limitNames.filter((name) => headroom[name]?.near);
  const error = errorOfEntry(entry, folder);
  return [
    {
      type: callType(entry),
      outcome,
      status: response?.status ?? 0,
      ...(error !== undefined && { error }),
      headroom,
      near,
    },
  ];
}
