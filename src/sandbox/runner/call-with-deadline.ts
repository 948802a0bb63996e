import { systemClock } from '../../base/clock.js';
import { createDeferred } from '../../base/deferred.js';
import { withTimeout, type Deadlines } from '../../base/deadlines.js';
import type { CallRequest, PendingResponse } from '../wire/send-call.js';
import type { ActiveProcess } from './active-process.js';

/** What applies to all calls of a script. */
export interface CallLimits {
  deadlines: Deadlines;
  timeoutMs: number;
  /** The option of the command that sets `timeoutMs`, if it has one. */
  timeoutOption: string | undefined;
  /** Calls have no time limit. */
  unlimited: boolean;
  /** The calls that a process has, and whose response is not complete: each function ends its call. */
  unfinished: Set<() => void>;
}

/** How long to wait for the exit of a process after its connections were lost. */
const EXIT_KNOWN_MS = 500;

/**
 * Passes a call to the process that was found for it. Resolves to the script's response, or to an error response
 * from the platform: if there is no process, and why, if the script fails, or if it takes too long. The time limit
 * begins before a process is found.
 */
export async function callWithDeadline(
  call: CallRequest,
  finding: Promise<ActiveProcess | string>,
  { deadlines, timeoutMs, timeoutOption, unlimited, unfinished }: CallLimits,
): Promise<Response> {
  let serving: ActiveProcess | undefined;
  let pending: PendingResponse | undefined;
  let givenUp: 'late' | 'stopped' | undefined;
  const late = createDeferred<'late'>();
  const giveUp = (why: 'late' | 'stopped', error: string): void => {
    givenUp = why;
    pending?.abandon(new Error(error));
    serving?.endIfStuck();
  };
  const pass = (): void => {
    late.resolve('late');
    giveUp('late', 'late');
  };
  const stop = (): void => giveUp('stopped', 'The platform stopped before the script finished.');
  const begin = (): (() => void) => (unlimited ? () => {} : deadlines.start(pass));
  let cancel = begin();
  // A slow request body is not the script's fault, so each chunk restarts the timer.
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
    unfinished.add(stop);
    const response = await pending.response;
    serving.hasServed = true;
    return response;
  } catch (error) {
    if (givenUp === 'late') return tooLate(timeoutMs, timeoutOption);
    if (givenUp === 'stopped') return errorResponse(503, 'The platform stopped before the script responded.');
    if (call.signal?.aborted) throw error;
    // A process loses its connections shortly before its exit is noticed. Waiting for the exit lets the next call
    // find the new process.
    if (serving) await withTimeout(systemClock, EXIT_KNOWN_MS, serving.process.exited, 'alive');
    return errorResponse(
      502,
      "The script's process ended while it was handling this request. The script's log shows the reason.",
    );
  } finally {
    cancel();
    progress = () => {};
    const left = serving;
    if (pending)
      pending.whenOver(() => {
        unfinished.delete(stop);
        left?.leave();
      });
    else left?.leave();
  }
}

const noProcess = (timeoutMs: number): Response =>
  errorResponse(
    504,
    `No process of the script was ready for this request within ${timeoutMs / 1000} s: it is still being started or stopped.`,
  );

const tooLate = (timeoutMs: number, option: string | undefined): Response => {
  const raise = option === undefined ? '' : `, or raise the limit with ${option}`;
  return errorResponse(
    504,
    `The script did not respond within ${timeoutMs / 1000} s. Look for an endless loop or a promise that never settles${raise}.`,
  );
};

/** The platform's own response, sent instead of the script's. */
export const errorResponse = (status: number, error: string): Response =>
  Response.json({ error }, { status });
