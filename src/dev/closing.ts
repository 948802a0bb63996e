import type { Timers } from '../base/clock.js';
import { count } from '../diagnostics/index.js';
import type { ScriptRunner } from '../sandbox/index.js';
import type { SessionEvent } from './events/session-event.js';

type Close = () => void | Promise<void>;

export type Closing = ReturnType<typeof createClosing>;

export function createClosing() {
  const parts: Close[] = [];
  return {
    add: (close: Close) => void parts.push(close),
    /** Closes the parts in reverse order. If one part fails to close, the others are still closed. */
    async close() {
      const failures: unknown[] = [];
      for (let part = parts.pop(); part; part = parts.pop()) {
        try {
          await part();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** After this time, the platform explains why it is still running. */
const quietMs = 1_000;
/** How long calls in progress may continue. It takes another second to detect that a process is stuck in a call. */
const callsMs = 2_000;

interface Parts {
  runner: Pick<ScriptRunner, 'unfinishedCalls' | 'hasBackgroundWork' | 'cutCalls'>;
  timers: Timers;
  tell(event: SessionEvent): void;
}

/** Closes everything. Aborts calls that do not finish soon, but lets their `waitUntil` work finish. */
export async function closePatiently(
  { close }: Pick<Closing, 'close'>,
  { runner, timers, tell }: Parts,
): Promise<void> {
  const closed = new AbortController();
  const after = (ms: number, run: () => void): void =>
    void timers.sleep(ms, closed.signal).then(run, () => {});
  // On a busy machine, closing alone can take longer than this.
  const explain = (): void => {
    const calls = runner.unfinishedCalls();
    if (calls === 0 && !runner.hasBackgroundWork()) after(quietMs, explain);
    else tell({ type: 'warning', code: 'stopping', message: waitingFor(calls) });
  };
  after(quietMs, explain);
  after(callsMs, () => runner.cutCalls());
  try {
    await close();
  } finally {
    closed.abort();
  }
}

const waitingFor = (calls: number): string => {
  const what = calls > 0 ? count(calls, 'call') : 'background work';
  const most = calls > 0 ? callsMs / 1000 : 10;
  return `Waiting up to ${most} s for ${what} to finish. Press Ctrl-C again to stop now.`;
};
