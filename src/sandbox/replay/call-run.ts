import { AsyncLocalStorage } from 'node:async_hooks';
import type { ReplayCall, ReplayOutcome } from './replay-types.js';

interface DueTimer {
  at: number;
  order: number;
  run(): void;
}

/** The state of a replayed call while it runs: its time, its timers and its activity. */
export interface CallRun {
  readonly call: ReplayCall;
  /** The script's time, which does not advance while code runs. */
  now: number;
  /** Calls `run` when nothing else is active and all earlier timers have run. Returns a function that cancels this. */
  schedule(ms: number, run: () => void): () => void;
  /** Advances to the next timer and runs it. Returns whether there was one. */
  next(limit: number): boolean;
  /** Tracks all of the script's activity, so that the driver knows when the script is idle. */
  activity: number;
  /** Number of operations that take real time, such as cryptography in another thread. */
  pending: number;
  /** Number of compression streams. They run in another thread and do not report when they finish. */
  packing: number;
  ended: boolean;
  readonly outcome: ReplayOutcome;
  /** Returns the next values from this call's sequences. */
  readonly random: { math(): number; fillBytes(bytes: Uint8Array): void; uuid(): string };
}

const runs = new AsyncLocalStorage<CallRun>();
let latest: CallRun | undefined;

/** Returns the call that is running now. Code that has lost its async context is attributed to the most recent call. */
export const currentRun = (): CallRun | undefined => runs.getStore() ?? latest;

export function inRun<Result>(run: CallRun, work: () => Result): Result {
  latest = run;
  return runs.run(run, work);
}

export function createCallRun(call: ReplayCall): CallRun {
  let timers: DueTimer[] = [];
  let order = 0;
  const run: CallRun = {
    call,
    now: call.now,
    activity: 0,
    pending: 0,
    packing: 0,
    ended: false,
    outcome: { outbound: [], logs: [], rejected: [], unrepeatable: [], durationMs: 0 },
    random: createRandom(call, () => (run.outcome.randoms = (run.outcome.randoms ?? 0) + 1)),
    schedule(ms, work) {
      run.activity += 1;
      const wait = Number.isFinite(ms) ? Math.max(0, Math.trunc(ms)) : 0;
      const inContext = AsyncLocalStorage.snapshot();
      const timer = { at: run.now + wait, order: order++, run: () => inContext(work) };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    next(limit) {
      const due = timers.reduce<DueTimer | undefined>(
        (first, timer) =>
          !first || timer.at < first.at || (timer.at === first.at && timer.order < first.order)
            ? timer
            : first,
        undefined,
      );
      if (!due || due.at > limit) return false;
      timers = timers.filter((other) => other !== due);
      run.now = Math.max(run.now, due.at);
      due.run();
      return true;
    },
  };
  return run;
}

/** The sequences are separate, so that an additional random number does not change the ids. */
function createRandom({ seed, spare }: ReplayCall, countOne: () => number): CallRun['random'] {
  const sequence = (kind: number): (() => number) => createSequence(seed * 8 + kind);
  const [math, bytes, ids, others] = [sequence(1), sequence(2), sequence(3), sequence(4)] as const;
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(ids() * 16).toString(16)).join('');
  return {
    math: () => (countOne() === spare ? others : math)(),
    fillBytes(array) {
      const next = countOne() === spare ? others : bytes;
      for (let at = 0; at < array.length; at += 1) array[at] = Math.floor(next() * 256);
    },
    // Must match `seededId`.
    uuid: () => `${hex(8)}-5eed-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  };
}

/** Mulberry32 is small, and its output is uniform enough for values that need not be secret. */
function createSequence(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
