import type { Timers } from '../../base/clock.js';
import { withTimeout } from '../../base/deadlines.js';
import type { ScriptProcess } from './script-process.js';
import {
  createActiveProcess,
  retire,
  WAIT_UNTIL_MS,
  type ActiveProcess,
  type Lease,
} from './unfinished-calls.js';

/** The process that serves calls. Previous processes finish the calls that they have. */
export interface ServingProcess {
  /** Undefined before the first process, and after a process has ended unexpectedly. */
  current(): ActiveProcess | undefined;
  /**
   * Keeps the process alive for one call. Waits while a process is loading; resolves to the text of
   * `refusal` if there is no process.
   */
  lease(loading: () => Promise<void> | undefined, refusal: () => string): Promise<Lease | string>;
  replace(process: ScriptProcess): void;
  /** Lets all processes finish their work. */
  close(): Promise<void>;
}

interface Options {
  timers: Timers;
  /** How long the calls of a replaced process may take to finish. */
  patienceMs: number;
  /** The port of a debugger. */
  inspect: number | undefined;
  /** Called when the process that serves calls has ended by itself. */
  onCrash(why: string): void;
}

export function createServingProcess({ timers, patienceMs, inspect, onCrash }: Options): ServingProcess {
  const retiring = new Set<Promise<void>>();
  let current: ActiveProcess | undefined;

  const lease: ServingProcess['lease'] = async (loading, refusal) => {
    const again = (): Promise<Lease | string> => lease(loading, refusal);
    // Waits for its exit: after that, the next process is loading.
    if (current?.process.isLost()) return current.process.exited.then(again);
    if (current) return current.lease();
    return loading()?.then(again) ?? refusal();
  };

  return {
    current: () => current,
    lease,
    replace(process) {
      const previous = current;
      const next = createActiveProcess(process);
      current = next;
      void process.exited.then((why) => {
        if (current !== next) return;
        current = undefined;
        onCrash(why);
      });
      if (inspect !== undefined) void passInspector(previous?.process, process, inspect);
      if (!previous) return;
      const retired = retire(previous, { timers, patienceMs }).finally(() => retiring.delete(retired));
      retiring.add(retired);
    },
    async close() {
      const last = current;
      current = undefined;
      if (last) retiring.add(retire(last, { timers, patienceMs }));
      await withTimeout(timers, WAIT_UNTIL_MS, Promise.all(retiring), 'late');
    },
  };
}

/** Gives the debugger's port to the next process, after the previous one has released it. */
async function passInspector(
  from: ScriptProcess | undefined,
  to: ScriptProcess,
  port: number,
): Promise<void> {
  await from?.closeInspector();
  to.openInspector(port);
}
