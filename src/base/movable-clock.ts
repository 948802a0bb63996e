import { Sleepers, type Clock } from './clock.js';

/** A clock that follows the machine's time, but can be ahead of it or behind it. */
export interface MovableClock extends Clock {
  /** How many milliseconds the clock is ahead of the machine's time. Negative if it is behind. */
  ahead(): number;
  /** Sets the clock. The monotonic clock is not affected, so a pause of 2 s remains a pause of 2 s. */
  set(ahead: number): void;
  /** Stops time, so that it passes only with `pass`, until `release` is called. */
  hold(): void;
  release(): void;
  /** Lets held time pass until `at`, and wakes everyone who is due by then. */
  pass(at: number): void;
  /** When the first sleeper is due. */
  next(): number | undefined;
}

/** How long `sleepUntil` may take to notice that the machine's clock has been set. */
const lookAgainMs = 1000;
/** Sums of a time and a duration are less precise than this. */
const roundingMs = 0.001;

export function createMovableClock(machine: Clock): MovableClock {
  const sleepers = new Sleepers();
  let ahead = 0;
  /** How much longer the monotonic clock has run than the machine's. */
  let passed = 0;
  let held: { now: number; monotonic: number } | undefined;
  let alarm = new AbortController();
  /** Not rounded, because `sleep` ends between two milliseconds. */
  const exact = (): number => held?.now ?? machine.now() + ahead;
  const now = (): number => Math.round(exact());
  const monotonic = (): number => held?.monotonic ?? machine.monotonic() + passed;

  const ring = (): void => {
    const isDue = (due: number): boolean => due <= monotonic() + roundingMs;
    for (let next = sleepers.first(); next && isDue(next.due()); next = sleepers.first()) next.wake();
    arm();
  };
  const arm = (): void => {
    alarm.abort();
    const next = held ? undefined : sleepers.first();
    if (!next) return;
    alarm = new AbortController();
    const ms = Math.min(Math.max(0, next.due() - monotonic()), lookAgainMs);
    machine.sleep(ms, alarm.signal).then(ring, () => {});
  };
  const wait = async (due: () => number, signal?: AbortSignal): Promise<void> => {
    const woken = sleepers.wait(due, signal);
    arm();
    await woken;
  };

  return {
    now,
    monotonic,
    sleep(ms, signal) {
      const due = monotonic() + ms;
      return wait(() => due, signal);
    },
    sleepUntil: (at, signal) => wait(() => monotonic() + (at - exact()), signal),
    // Computed from two readings of the machine's time, it would change whenever a millisecond passes between them.
    ahead: () => Math.round(held ? held.now - machine.now() : ahead),
    set(ms) {
      ahead = ms;
      ring();
    },
    hold: () => void (held ??= { now: exact(), monotonic: monotonic() }),
    release() {
      if (!held) return;
      ahead = held.now - machine.now();
      passed = held.monotonic - machine.monotonic();
      held = undefined;
      ring();
    },
    pass(at) {
      if (!held) throw new Error('Time must be held before it can pass.');
      const ms = Math.max(0, at - held.now);
      held = { now: held.now + ms, monotonic: held.monotonic + ms };
      ring();
    },
    next() {
      const next = sleepers.first();
      return next && exact() + Math.max(0, next.due() - monotonic());
    },
  };
}
