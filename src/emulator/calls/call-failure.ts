import type { FailureResource } from '../../contract/basics/resources.js';
import { internalError } from '../../protocol/exposable-error.js';
import type { LogLine } from '../../protocol/log-and-outbound-types.js';
import type { ScriptObserver } from '../../sandbox/script/script-host.js';
import type { EmulatorEvent } from '../live/emulator-event.js';
import { errorLineOf, readThrownError } from '../../base/text/thrown-error.js';
import type { CallRecord, CallLog } from '../../store/calls/call-log.js';

type BlockedBy = Parameters<NonNullable<ScriptObserver['blocked']>>[0];
type Failed = Pick<CallRecord, 'source' | 'outcome' | 'error' | 'response' | 'logs'>;

/** The log line that the runtime prints for an `ExposableError`. */
const exposed = /^\[integrations\] Responded \d/;
const rejection = /^(?:A promise passed to waitUntil was rejected:|\[integrations\] waitUntil failed) /;

/** Returns why a call or its background work failed, or undefined if neither failed. */
export function failureOf(call: Failed): FailureResource | undefined {
  if (call.source === 'script') return undefined;
  return call.outcome === 'failed' ? findError(call) : findRejection(call);
}

function findRejection({ logs }: Failed): FailureResource | undefined {
  const line = logs.find(({ level, text }) => level === 'error' && rejection.test(text));
  if (!line) return undefined;
  const failure = failureIn({ ...line, text: line.text.replace(rejection, '') });
  return { ...failure, message: `waitUntil failed: ${failure.message}` };
}

function findError({ error, response, logs }: Failed): FailureResource {
  const line = logs.findLast(({ text }) => exposed.test(text)) ?? errorLineOf(logs);
  const logged = line && failureIn(line);
  if (error !== undefined && error !== internalError) return { ...logged, message: error };
  return logged ?? { message: error ?? `The script responded with ${response?.status}.` };
}

function failureIn({ text, frame }: LogLine): FailureResource {
  const { message, position } = readThrownError(text);
  if (!position) return { message };
  return {
    message,
    file: position.path,
    line: position.line,
    column: position.column,
    ...(frame && { frame }),
  };
}

export type Failures = ReturnType<typeof createFailures>;

export const createFailures = (callLog: CallLog) => ({
  /** Returns why a recorded call failed. */
  of(call: string) {
    callLog.flush();
    const entry = callLog.get(call);
    return entry && failureOf(entry);
  },
});

/** Returns the warning to report while a call blocks the script. */
export function blockedWarning({ callId, at }: BlockedBy): Extract<EmulatorEvent, { type: 'warning' }> {
  const busy = `keeps the script busy${at === undefined ? '' : ` at ${at}`}.`;
  if (callId === undefined)
    return { type: 'warning', code: 'blocked', message: `Work outside any call ${busy}` };
  const message = `${callId} ${busy} Stop it with: platform stop ${callId}`;
  return { type: 'warning', code: 'blocked', message, call: callId };
}
