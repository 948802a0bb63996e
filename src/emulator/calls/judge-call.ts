import { readThrownError } from '../../base/text/thrown-error.js';
import { describeUse } from '../../protocol/call-limits.js';
import { missingScopeWarning } from '../../protocol/scopes.js';
import { isFailedRequest } from '../../protocol/failed-request.js';
import type { CallRecord, CallVerdict } from '../../store/calls/call-log.js';
import { failureOf } from './call-failure.js';
import { causeOfMovedClock, likelyCause, type Declared } from './likely-cause.js';

/**
 * Describes the most serious problem in a call in one line, regardless of the call's status. Returns undefined if there is no
 * problem or the call is still running.
 */
export function judgeCall(call: CallRecord, declared: Declared): CallVerdict | undefined {
  if (call.outcome === 'running') return undefined;
  const moved = causeOfMovedClock(call, declared);
  const errors = [...failures(call), ...exceededLimits(call), ...problems(call, 'error')];
  const warnings = [
    ...missingScope(call),
    ...problems(call, 'warning'),
    ...failedRequests(call),
    ...loggedErrors(call),
    ...(moved === undefined || call.outbound.some(isFailedRequest)
      ? []
      : [{ reason: `The script responded with ${call.response?.status}` }]),
  ];
  const [worst, ...rest] = errors.length > 0 ? errors : warnings;
  if (!worst) return undefined;
  const cause = moved ?? (errors.length > 0 ? likelyCause(call, worst.reason, declared) : undefined);
  return {
    severity: errors.length > 0 ? 'error' : 'warning',
    reason: rest.length > 0 ? `${worst.reason.replace(/\.$/, '')} (and ${rest.length} more)` : worst.reason,
    ...(worst.at && { at: worst.at }),
    ...(cause !== undefined && cause !== worst.reason && { likelyCause: cause }),
  };
}

type Reason = Pick<CallVerdict, 'reason' | 'at'>;

function failures(call: CallRecord): Reason[] {
  if (call.outcome === 'withheld') return [{ reason: call.error ?? 'The event was not sent to the script.' }];
  if (call.source === 'script') return call.outcome === 'failed' ? loggedErrors(call).slice(0, 1) : [];
  const failure = failureOf(call);
  if (failure) {
    const { message, file, line, column } = failure;
    const at = file !== undefined && line !== undefined && { at: { file, line, column: column ?? 1 } };
    return [{ reason: oneLine(message), ...at }];
  }
  // A rejected `waitUntil` promise that was not logged, for example because its reason is not an error.
  const rejected = call.background?.find((span) => span?.error !== undefined);
  return rejected ? [{ reason: `waitUntil failed: ${oneLine(rejected.error ?? '')}` }] : [];
}

const exceededLimits = ({ near = [] }: CallRecord): Reason[] =>
  near
    .filter(({ used, limit }) => used > limit)
    .map((use) => ({ reason: `Over the limit: ${describeUse(use)}` }));

const problems = ({ problems: found = [] }: CallRecord, severity: CallVerdict['severity']): Reason[] =>
  found.filter((problem) => problem.severity === severity).map(({ message }) => ({ reason: message }));

/** Without a handler, the script does not need the scope. */
const missingScope = ({ event, missingScope: scope, outcome }: CallRecord): Reason[] =>
  event && scope !== undefined && outcome !== 'no-handler'
    ? [{ reason: missingScopeWarning(event.type, scope) }]
    : [];

/** Returns requests that failed although the call itself succeeded. The script may have hidden the failure from the user. */
const failedRequests = ({ outbound }: CallRecord): Reason[] =>
  outbound.filter(isFailedRequest).map(({ method, url, status, error }) => ({
    reason:
      status === 0
        ? `${method} ${url} failed: ${oneLine(error ?? 'no response')}`
        : `${method} ${url} responded with ${status}`,
  }));

const loggedErrors = ({ logs }: CallRecord): Reason[] =>
  logs
    .filter(({ level }) => level === 'error')
    .map(({ text }) => {
      const { message, position } = readThrownError(text);
      return {
        reason: oneLine(message),
        ...(position && { at: { file: position.path, line: position.line, column: position.column } }),
      };
    });

const longest = 300;

const oneLine = (text: string): string => {
  const [first = ''] = text.trim().split('\n');
  return first.length > longest ? `${first.slice(0, longest - 1)}…` : first;
};
