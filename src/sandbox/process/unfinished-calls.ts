import type { Timers } from '../../base/clock.js';
import type { ScriptProcess } from './script-process.js';
import { withTimeout } from '../../base/deadlines.js';

/** A process that serves calls, and the number of calls that it has not finished. */
export interface ActiveProcess {
  process: ScriptProcess;
  /** Keeps the process alive until the lease is released. */
  lease(): Lease;
  /** Resolves when no calls are left. */
  idle(): Promise<void>;
}

export interface Lease {
  process: ScriptProcess;
  release(): void;
}

export function createActiveProcess(process: ScriptProcess): ActiveProcess {
  let calls = 0;
  let waiting: (() => void)[] = [];
  const leave = (): void => {
    calls -= 1;
    if (calls > 0) return;
    for (const wake of waiting) wake();
    waiting = [];
  };
  return {
    process,
    lease() {
      calls += 1;
      return { process, release: leave };
    },
    idle: () => new Promise((resolve) => (calls === 0 ? resolve() : waiting.push(resolve))),
  };
}

export const WAIT_UNTIL_MS = 10_000;

/** Lets a process finish its calls and then its `waitUntil` work, and ends it. */
export async function retire(
  { process, idle }: ActiveProcess,
  { timers, patienceMs }: { timers: Timers; patienceMs: number },
): Promise<void> {
  await withTimeout(timers, patienceMs, Promise.race([idle(), process.exited]), 'late');
  await withTimeout(timers, WAIT_UNTIL_MS, process.drain(), 'late');
  await process.end();
}
