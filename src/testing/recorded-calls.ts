import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mapFramePaths } from '../base/text/stack-frame.js';
import { failureOf, headroomOf } from '../emulator/index.js';
import { limitNames, type CallLimits } from '../protocol/call-limits.js';
import { callType, type CallRecord, type CallLog } from '../store/calls/call-log.js';
import type { TestCall } from './test-platform.js';

/** The maximum number of recorded calls. No test reaches it. */
const MOST_CALLS = 10_000;

interface CallsOf {
  limits: CallLimits;
  /** The project's folder. */
  folder: string;
}

export const listCalls = (callLog: CallLog, of: CallsOf): TestCall[] =>
  callLog.list({ limit: MOST_CALLS }).flatMap(({ call }) => describeCall(call, of));

function describeCall(call: CallRecord, { limits, folder }: CallsOf): TestCall[] {
  const { outcome, response } = call;
  const headroom = headroomOf(call, limits);
  if (!headroom || outcome === 'running' || outcome === 'withheld') return [];
  const near = limitNames.filter((name) => headroom[name]?.near);
  const error = errorOfEntry(call, folder);
  return [
    {
      type: callType(call),
      outcome,
      status: response?.status ?? 0,
      ...(error !== undefined && { error }),
      headroom,
      near,
    },
  ];
}

/** Why a call failed, with the author's file and line: `TypeError: … (src/index.ts:12:3)`. */
export function errorOfEntry(call: CallRecord | undefined, folder: string): string | undefined {
  if (!call) return undefined;
  const logs = call.logs.map((line) => ({
    ...line,
    text: mapFramePaths(line.text, (path) => inFolder(path, folder)),
  }));
  const failure = failureOf({ ...call, logs });
  if (!failure) return undefined;
  const { message, file, line, column } = failure;
  return file === undefined ? message : `${message} (${file}:${line}:${column})`;
}

/** In the test's process, stack frames contain absolute paths or URLs. */
function inFolder(frame: string, folder: string): string {
  const path = frame.startsWith('file://') ? pathOf(frame) : frame;
  return isAbsolute(path) ? relative(folder, path).split(sep).join('/') : path;
}

/** A script may log text that looks like a stack frame. */
function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}
