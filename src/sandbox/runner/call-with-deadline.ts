import { systemClock } from '../../base/clock.js';
import { createDeferred } from '../../base/deferred.js';
import { withTimeout, type Deadlines } from '../../base/deadlines.js';
import type { Blocked } from '../process/script-process.js';
import type { CallRequest, PendingResponse } from '../wire/send-call.js';
import { createWholeResponse } from '../wire/whole-response.js';
import type { LoadedProcess } from './loaded-process.js';

/** How long a call may wait for response headers, unless `--timeout` sets a different limit. */
export const defaultTimeoutMs = 30_000;

/** Limits that apply to all calls of a script. */
export interface CallDeadlines {
  deadlines: Deadlines;
  timeoutMs: number;
  /** The command-line option that sets `timeoutMs`, if there is one. */
  timeoutOption: string | undefined;
  /** Whether calls are exempt from time limits. */
  unlimited: boolean;
  /** The calls whose response is not complete yet. */
  unfinished: Set<UnfinishedCall>;
}

export interface UnfinishedCall {
  id: string;
  /** Ends the call. The caller receives a response with the reason. */
  stop(why: string): void;
}

/** How long to wait for a process to exit after its connections have been lost. */
const EXIT_KNOWN_MS = 500;

/**
 * Passes a call to the process that `find` returns. Resolves to the script's response. If there is no process, the
 * script fails or the call takes too long, resolves to an error response from the platform. The time spent finding a
 * process counts toward the time limit.
 */
export async function callWithDeadline(
  call: CallRequest,
  finding: Promise<LoadedProcess | string>,
  { deadlines, timeoutMs, timeoutOption, unlimited, unfinished }: CallDeadlines,
): Promise<Response> {
  let serving: LoadedProcess | undefined;
  let pending: PendingResponse | undefined;
  /** The response to return if the call is abandoned. */
  let instead: Response | undefined;
  const late = createDeferred<'late'>();
  const giveUp = (status: number, error: string): void => {
    instead = errorResponse(status, error);
    pending?.abandon(new Error(error));
    serving?.endIfStuck();
  };
  const blockedBy = (): Blocked | undefined => serving?.process.blocked();
  const pass = (): void => {
    late.resolve('late');
    giveUp(504, tooLate(call.id, blockedBy(), { timeoutMs, timeoutOption }));
  };
  const unfinishedCall: UnfinishedCall = { id: call.id, stop: (why) => giveUp(503, why) };
  const begin = (): (() => void) => (unlimited ? () => {} : deadlines.start(pass));
  let cancel = begin();
  // A slow request body is not the script's fault, so each chunk that arrives restarts the timer.
  let progress = (): void => {
    cancel();
    cancel = begin();
  };
  try {
    const found = await Promise.race([finding, late.promise]);
    if (found === 'late') {
      void finding.then((unused) => typeof unused !== 'string' && unused.leave());
      return noProcess(timeoutMs);
    }
    if (typeof found === 'string') return errorResponse(502, found);
    serving = found;
    pending = serving.process.request({ ...call, progress: () => progress() });
    unfinished.add(unfinishedCall);
    const response = await pending.response;
    serving.hasServed = true;
    return response;
  } catch (error) {
    if (instead) return instead;
    if (call.signal?.aborted) throw error;
    // A process loses its connections shortly before its exit is noticed. Waiting for the exit ensures that the next
    // call goes to the new process. A process that keeps running without them is ended.
    if (!serving) throw error;
    const { process } = serving;
    let why = await withTimeout(systemClock, EXIT_KNOWN_MS, process.exited, 'alive');
    if (why === 'alive' && process.isLost()) why = await process.exited;
    return errorResponse(502, endedEarly(call.id, why, blockedBy()));
  } finally {
    cancel();
    progress = () => {};
    const left = serving;
    if (pending)
      pending.whenOver(() => {
        unfinished.delete(unfinishedCall);
        left?.leave();
      });
    else left?.leave();
  }
}

const noProcess = (timeoutMs: number): Response =>
  errorResponse(
    504,
    `No script process was ready for this request within ${timeoutMs / 1000} s. A process is still starting or stopping.`,
  );

function endedEarly(id: string, why: string, blocked: Blocked | undefined): string {
  if (blocked && blocked.callId !== id)
    return `This call ended because of an infinite loop in ${blocked.callId ?? 'the script'}. Both ran in the same process.`;
  if (why === 'alive') return "The script's response was cut short. The script's log shows the reason.";
  return `The script's process ended while it was handling this request: ${why}.`;
}

function tooLate(
  id: string,
  blocked: Blocked | undefined,
  { timeoutMs, timeoutOption }: Pick<CallDeadlines, 'timeoutMs' | 'timeoutOption'>,
): string {
  const raise = timeoutOption === undefined ? '' : `, or raise the limit with ${timeoutOption}`;
  const late = `The script did not respond within ${timeoutMs / 1000} s`;
  if (!blocked) return `${late}. Look for an infinite loop or a promise that never settles${raise}.`;
  if (blocked.callId !== id)
    return `${late}. An infinite loop in ${blocked.callId ?? 'the script'} blocked it.`;
  return blocked.at === undefined
    ? `${late}. Look for an infinite loop${raise}.`
    : `${late}. Look for an infinite loop at ${blocked.at}${raise}.`;
}

/** A response sent by the platform itself instead of the script. It is recorded even if the client has disconnected. */
export const errorResponse = (status: number, error: string): Response =>
  createWholeResponse(new TextEncoder().encode(JSON.stringify({ error })), {
    status,
    headers: { 'Content-Type': 'application/json' },
  });
