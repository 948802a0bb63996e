import { systemClock, type Clock } from '../base/clock.js';
import { withTimeout } from '../base/with-timeout.js';
import { createCallDeadlines } from './process/call-deadlines.js';
import type { ProcessSupervisor } from './process/process-supervisor.js';
import type { ScriptProcess } from './process/script-process.js';
import type { Lease } from './process/unfinished-calls.js';
import type { CallRequest, PendingResponse } from './wire/send-call.js';

export interface CallsWithDeadline {
  /** Resolves to the script's response, or to the platform's own if there is none in time. */
  send(call: CallRequest): Promise<Response>;
  close(): void;
}

interface Options {
  clock: Clock;
  supervisor: Pick<ProcessSupervisor, 'seat' | 'proven'>;
  timeoutMs: number;
  /** Calls have no time limit. */
  unlimited: boolean;
}

/** How long the event loop of a process may take to show itself before it counts as stuck. */
const STUCK_AFTER_MS = 1000;
/** How long the end of a process may take to be known once its connections have broken. */
const EXIT_KNOWN_MS = 500;
const READ_MS = 10;

export function createCallsWithDeadline({
  clock,
  supervisor,
  timeoutMs,
  unlimited,
}: Options): CallsWithDeadline {
  const deadlines = createCallDeadlines(clock, timeoutMs);
  let verdict: Promise<void> | undefined;

  const send = async (call: CallRequest): Promise<Response> => {
    let seat: Lease | undefined;
    let answer: PendingResponse | undefined;
    let overdue = false;
    const pass = (): void => {
      overdue = true;
      answer?.abandon(new Error('late'));
      if (seat) verdict ??= endIfStuck(seat.process, clock).finally(() => (verdict = undefined));
    };
    const begin = (): (() => void) => (unlimited ? () => {} : deadlines.begin(pass));
    let cancel = begin();
    // A body that is slow to come is not the script's fault.
    let progress = (): void => {
      cancel();
      cancel = begin();
    };
    try {
      await verdict;
      const offered = await supervisor.seat();
      if (typeof offered === 'string') return refusal(502, offered);
      seat = offered;
      if (overdue) throw new Error('late');
      answer = seat.process.request({ ...call, progress: () => progress() });
      const response = await answer.response;
      supervisor.proven();
      return response;
    } catch (error) {
      if (overdue) return late(timeoutMs);
      if (call.signal?.aborted) throw error;
      // Connections break a moment before the end of a process is known: the next call should find its successor.
      if (seat) await withTimeout(systemClock, EXIT_KNOWN_MS, seat.process.exited, 'alive');
      return refusal(502, 'The script ended while it was handling this request. Its log says why.');
    } finally {
      cancel();
      progress = () => {};
      if (seat && answer) answer.whenOver(seat.release);
      else seat?.release();
    }
  };

  return { send, close: deadlines.close };
}

/** Slow work leaves the event loop free to answer; an endless loop has to be ended. */
async function endIfStuck(process: ScriptProcess, clock: Clock): Promise<void> {
  const ping = process.ping();
  const first = await withTimeout(clock, STUCK_AFTER_MS, ping, 'late');
  // Where the platform itself stood still, the answer has come meanwhile, but not been read.
  if (first !== 'late' || (await withTimeout(systemClock, READ_MS, ping, 'late')) !== 'late') return;
  process.kill('it stood still, so the platform stopped it');
  await process.exited;
}

const late = (timeoutMs: number): Response =>
  refusal(
    504,
    `The script gave no answer within ${timeoutMs / 1000} s. Look for an endless loop or a promise that never settles, or raise the limit with --timeout.`,
  );

/** The platform's own answer in place of the script's. */
const refusal = (status: number, error: string): Response => Response.json({ error }, { status });
