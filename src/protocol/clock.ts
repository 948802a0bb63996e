export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface VirtualClock extends Clock {
  /** Moves time on by `ms`, waking sleepers in the order in which they are due. */
  advance(ms: number): Promise<void>;
  /** How many sleepers wait, and when the first of them is due. */
  waiting(): { count: number; next: number | undefined };
}

/** Apart from the rest of the clock, for scripts that need no more of it. */
export const nowOn = (clock?: Pick<Clock, 'now'>): number => clock?.now() ?? Date.now();

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', abort, { once: true });
    }),
};

interface Sleeper {
  due: number;
  wake(): void;
}

export function createVirtualClock(start = 0): VirtualClock {
  let time = start;
  let sleepers: Sleeper[] = [];
  const first = (): Sleeper | undefined =>
    sleepers.reduce<Sleeper | undefined>((best, s) => (!best || s.due < best.due ? s : best), undefined);

  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const remove = (): void => {
          sleepers = sleepers.filter((s) => s !== sleeper);
          signal?.removeEventListener('abort', abort);
        };
        const abort = (): void => {
          remove();
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          due: time + ms,
          wake() {
            remove();
            resolve();
          },
        };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', abort, { once: true });
      }),
    async advance(ms) {
      const end = time + ms;
      await settle();
      for (let next = first(); next && next.due <= end; next = first()) {
        time = Math.max(time, next.due);
        next.wake();
        await settle();
      }
      time = end;
    },
    waiting: () => ({ count: sleepers.length, next: first()?.due }),
  };
}

/** One turn of the event loop: what a woken sleeper starts may sleep again before time moves on. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** `2023-11-14T22:13:20.000Z`, for showing a time that came from a clock. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Milliseconds since the epoch of a date written as text or as such a number, NaN where it is none. */
export const parseTime = (date: string | number): number => new Date(date).getTime();
