/** What both kinds of time can do. */
interface Passing {
  /** Milliseconds since an arbitrary moment. Never jumps, so use it to measure durations and time limits. */
  monotonic(): number;
  /** Resolves after `ms` on the monotonic clock, or rejects with the signal's reason as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The machine's own time, used for everything that protects the machine, such as time limits, shutdown timeouts and
 * heartbeats. It keeps running when a test or a replay freezes the platform's `Clock`.
 */
export interface Timers extends Passing {
  /** Never set. Only makes TypeScript report a `Clock` that is passed as `Timers`. */
  readonly timeOf?: 'machine';
}

/**
 * The platform's clock, used for tasks, token expiry, retries and recorded times. Code that needs the time
 * receives this clock as an argument.
 *
 * @example
 * ```typescript
 * const time = (clock: Pick<Clock, 'now'>): string => new Date(clock.now()).toISOString();
 * expect(time(platform.clock)).toMatch(/^20/);
 * ```
 */
export interface Clock extends Passing {
  /** Never set. Only makes TypeScript report `Timers` that are passed as a `Clock`. */
  readonly timeOf?: 'platform';
  /** Milliseconds since the Unix epoch. May jump in both directions, for example when the clock is set or a laptop sleeps. */
  now(): number;
  /** Resolves when `now()` has reached `at`, even if the clock is set in the meantime. */
  sleepUntil(at: number, signal?: AbortSignal): Promise<void>;
}

/** A clock that is both, because the platform's time is the machine's. */
export type SystemClock = Clock & Timers;

/**
 * A clock that the test controls. Create one with `createVirtualClock`.
 * @example
 * ```typescript
 * const clock: VirtualClock = createVirtualClock();
 * await clock.advance(60_000);
 * expect(clock.now()).toBe(60_000);
 * ```
 */
export interface VirtualClock extends SystemClock {
  /**
   * Advances time by `ms` and wakes sleepers in the order in which they are due. Waits until earlier calls of this
   * method have finished.
   */
  advance(ms: number): Promise<void>;
  /** Moves the clock forward by `ms`, or back if `ms` is negative. The monotonic clock is not affected. */
  jump(ms: number): Promise<void>;
  /** Returns how many sleepers are waiting, and when the first one is due. */
  waiting(): { count: number; next: number | undefined };
}

/** Returns the current time. A separate function, for scripts that need nothing else from this module. */
export const nowOn = (clock?: Pick<Clock, 'now'>): number => clock?.now() ?? Date.now();

/** `setTimeout` fires immediately if the delay is longer than this. */
const longestTimerMs = 2 ** 31 - 1;
/** How long `sleepUntil` may take to notice that the clock has been set. */
const lookAgainMs = 1000;

const timer = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = (): void => {
      clearTimeout(id);
      reject(signal?.reason);
    };
    const id = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });

/** The machine's clock. */
export const systemClock: SystemClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    let left = ms;
    for (; left > longestTimerMs; left -= longestTimerMs) await timer(longestTimerMs, signal);
    await timer(left, signal);
  },
  async sleepUntil(at, signal) {
    do await timer(Math.min(Math.max(0, at - Date.now()), lookAgainMs), signal);
    while (Date.now() < at);
  },
};

interface Sleeper {
  /** When the sleeper wakes, on the monotonic clock. This time changes for `sleepUntil` when the clock is set. */
  due(): number;
  wake(): void;
}

/** The sleepers of a clock whose time does not simply pass. */
export class Sleepers {
  readonly #waiting = new Set<Sleeper>();

  get size(): number {
    return this.#waiting.size;
  }

  wait(due: () => number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const remove = (): void => {
        this.#waiting.delete(sleeper);
        signal?.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        remove();
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        due,
        wake() {
          remove();
          resolve();
        },
      };
      this.#waiting.add(sleeper);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  first(): Sleeper | undefined {
    let best: Sleeper | undefined;
    for (const sleeper of this.#waiting) if (!best || sleeper.due() < best.due()) best = sleeper;
    return best;
  }
}

/**
 * Creates a clock for tests. Time passes only when the test advances it.
 *
 * @example
 * ```typescript
 * const clock = createVirtualClock(Date.UTC(2030, 0, 1));
 * const platform = await createTestPlatform({ integration, clock });
 * await clock.advance(60_000);
 * ```
 */
export function createVirtualClock(start = 0): VirtualClock {
  let elapsed = start;
  let ahead = 0;
  const sleepers = new Sleepers();

  const pass = async (ms: number): Promise<void> => {
    const end = elapsed + ms;
    await settle();
    for (let next = sleepers.first(); next && next.due() <= end; next = sleepers.first()) {
      elapsed = Math.max(elapsed, next.due());
      next.wake();
      await settle();
    }
    elapsed = end;
  };

  let passing = Promise.resolve();
  const advance: VirtualClock['advance'] = async (ms) => {
    requireFinite('advance', ms);
    if (ms < 0)
      throw new RangeError(`advance(${ms}) would move time backward. To set the clock back, use jump().`);
    passing = passing.then(() => pass(ms));
    await passing;
  };

  return {
    now: () => elapsed + ahead,
    monotonic: () => elapsed,
    sleep(ms, signal) {
      const due = elapsed + ms;
      return sleepers.wait(() => due, signal);
    },
    sleepUntil: (at, signal) => sleepers.wait(() => at - ahead, signal),
    advance,
    async jump(ms) {
      requireFinite('jump', ms);
      ahead += ms;
      await advance(0);
    },
    waiting() {
      const next = sleepers.first();
      return { count: sleepers.size, next: next && next.due() + ahead };
    },
  };
}

function requireFinite(method: 'advance' | 'jump', ms: number): void {
  if (!Number.isFinite(ms))
    throw new RangeError(`${method}(${ms}) is not a time. Pass a number of milliseconds.`);
}

/** The original timer, saved because a test may replace the global timers after this module has loaded. */
const startTimer = setTimeout;

/** Waits for one turn of the event loop, because code that has just been woken may sleep again before time advances. */
const settle = (): Promise<void> => new Promise((resolve) => startTimer(resolve, 0));

/** Formats a time from a clock as an ISO 8601 string, such as `2023-11-14T22:13:20.000Z`. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Converts a date string or a number to milliseconds since the epoch. Returns NaN if the value is invalid. */
export const parseTime = (date: string | number): number => new Date(date).getTime();
