import { systemClock, type Timers } from '../base/clock.js';
import { createDeadlines, withTimeout } from '../base/deadlines.js';
import { createDeferred } from './deferred.js';
import type { ProcessSupervisor } from './process/process-supervisor.js';
import type { ScriptProcess } from './process/script-process.js';
import type { Lease } from './process/unfinished-calls.js';
import type { CallRequest, PendingResponse } from './wire/send-call.js';

export interface CallsWithDeadline {
  /**
   * Resolves to the script's response, or to an error response from the platform if the script fails or is
   * too slow.
   */
  send(call: CallRequest): Promise<Response>;
  /** The number of calls whose response is not complete. */
  unfinished(): number;
  /** Ends these calls, and a process that is stuck in one of them. */
  cut(): void;
  close(): void;
}

interface Options {
  timers: Timers;
  supervisor: Pick<ProcessSupervisor, 'lease' | 'proven'>;
  timeoutMs: number;
  /** The option of the command that sets `timeoutMs`, if it has one. */
  timeoutOption: string | undefined;
  /** Calls have no time limit. */
  unlimited: boolean;
}

/** If the event loop of a process does not respond within this time, the process is stuck. */
const STUCK_AFTER_MS = 1000;
/** How long to wait for the exit of a process after its connections were lost. */
const EXIT_KNOWN_MS = 500;
const READ_MS = 10;

export function createCallsWithDeadline({
  timers,
  supervisor,
  timeoutMs,
  timeoutOption,
  unlimited,
}: Options): CallsWithDeadline {
  const deadlines = createDeadlines(timers, timeoutMs);
  const unfinished = new Set<() => void>();
  let verdict: Promise<void> | undefined;
  const judge = (process: ScriptProcess): void =>
    void (verdict ??= endIfStuck(process, timers).finally(() => (verdict = undefined)));

  /** A process that may be stuck gets no further call. */
  const nextLease = async (): Promise<Lease | string> => {
    await verdict;
    return supervisor.lease();
  };

  const send = async (call: CallRequest): Promise<Response> => {
    let lease: Lease | undefined;
    let pending: PendingResponse | undefined;
    let overdue = false;
    let stopped = false;
    const late = createDeferred<'late'>();
    const pass = (): void => {
      overdue = true;
      late.resolve('late');
      pending?.abandon(new Error('late'));
      if (lease) judge(lease.process);
    };
    const stop = (): void => {
      stopped = true;
      pending?.abandon(new Error('The platform stopped before the script finished.'));
      if (lease) judge(lease.process);
    };
    const begin = (): (() => void) => (unlimited ? () => {} : deadlines.start(pass));
    let cancel = begin();
    // A slow request body is not the script's fault, so each chunk restarts the timer.
    let progress = (): void => {
      cancel();
      cancel = begin();
    };
    try {
      const leasing = nextLease();
      const offered = await Promise.race([leasing, late.promise]);
      if (offered === 'late') {
        releaseUnused(leasing);
        return noProcess(timeoutMs);
      }
      if (typeof offered === 'string') return refusal(502, offered);
      lease = offered;
      pending = lease.process.request({ ...call, progress: () => progress() });
      unfinished.add(stop);
      const response = await pending.response;
      supervisor.proven();
      return response;
    } catch (error) {
      if (overdue) return tooLate(timeoutMs, timeoutOption);
      if (stopped) return refusal(503, 'The platform stopped before the script responded.');
      if (call.signal?.aborted) throw error;
      // A process loses its connections shortly before its exit is noticed. Waiting for the exit lets the
      // next call find the new process.
      if (lease) await withTimeout(systemClock, EXIT_KNOWN_MS, lease.process.exited, 'alive');
      return refusal(
        502,
        "The script's process ended while it was handling this request. The script's log shows the reason.",
      );
    } finally {
      cancel();
      progress = () => {};
      const { release } = lease ?? {};
      if (release && pending)
        pending.whenOver(() => {
          unfinished.delete(stop);
          release();
        });
      else release?.();
    }
  };

  return {
    send,
    unfinished: () => unfinished.size,
    cut() {
      for (const stop of unfinished) stop();
    },
    close: deadlines.clear,
  };
}

/**
 * Ends the process if its event loop is blocked, for example by an endless loop. Slow asynchronous work
 * does not block it.
 */
async function endIfStuck(process: ScriptProcess, timers: Timers): Promise<void> {
  const ping = process.ping();
  const first = await withTimeout(timers, STUCK_AFTER_MS, ping, 'late');
  // If the platform itself was blocked, the response has arrived but has not been read yet.
  if (first !== 'late' || (await withTimeout(systemClock, READ_MS, ping, 'late')) !== 'late') return;
  process.kill('its event loop was blocked, so the platform stopped it');
  await process.exited;
}

/** The caller no longer waits for it. */
function releaseUnused(leasing: Promise<Lease | string>): void {
  void leasing.then((lease) => typeof lease !== 'string' && lease.release());
}

const noProcess = (timeoutMs: number): Response =>
  refusal(
    504,
    `No process of the script was ready for this request within ${timeoutMs / 1000} s: it is still being started or stopped.`,
  );

const tooLate = (timeoutMs: number, option: string | undefined): Response => {
  const raise = option === undefined ? '' : `, or raise the limit with ${option}`;
  return refusal(
    504,
    `The script did not respond within ${timeoutMs / 1000} s. Look for an endless loop or a promise that never settles${raise}.`,
  );
};

/** The platform's own response, sent instead of the script's. */
const refusal = (status: number, error: string): Response => Response.json({ error }, { status });
