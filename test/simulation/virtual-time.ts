import { createDueQueue, type DueEntry } from '../../src/webhooks/queue/due-heap.js';
import type { Clock, SystemClock } from '../../src/base/clock.js';

interface Sleeper extends DueEntry {
  wake: (() => void) | undefined;
}

export interface VirtualTime {
  now(): number;
  /** A clock whose sleepers are forgotten once its owner has died. */
  clockOf(owner: { dead: boolean }): SystemClock;
  /** Wakes between two milliseconds, when everything else rests: for what ends owners. */
  betweenTicks: Clock['sleep'];
  /** Runs everything that is due up to this time, in order. */
  runUntil(end: number): Promise<void>;
}

/**
 * Virtual time for millions of sleepers: a heap, in steps of a millisecond. The clock for tests looks for its
 * next sleeper in a list, which is too slow for this many.
 */
export function createVirtualTime(): VirtualTime {
  const sleepers = createDueQueue<Sleeper>(({ wake }) => wake !== undefined);
  let now = 0;
  let count = 0;

  const sleepOf =
    (owner: { dead: boolean }, fraction: number): Clock['sleep'] =>
    (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = (): void => {
          sleeper.wake = undefined;
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          due: Math.ceil(now + ms) + fraction,
          order: ++count,
          wake() {
            signal?.removeEventListener('abort', abort);
            if (!owner.dead) resolve();
          },
        };
        signal?.addEventListener('abort', abort, { once: true });
        sleepers.push(sleeper);
      });

  const clockOf = (owner: { dead: boolean }): SystemClock => {
    const sleep = sleepOf(owner, 0);
    return {
      now: () => now,
      monotonic: () => now,
      sleep,
      sleepUntil: (at, signal) => sleep(Math.max(0, at - now), signal),
    };
  };

  return {
    now: () => now,
    clockOf,
    betweenTicks: sleepOf({ dead: false }, 0.5),
    async runUntil(end) {
      await allTurns();
      for (let next = sleepers.peek(); next && next.due <= end; next = sleepers.peek()) {
        now = next.due;
        for (; next && next.due <= now; next = sleepers.peek()) {
          sleepers.pop();
          next.wake?.();
        }
        await allTurns();
      }
      now = end;
    },
  };
}

/** Everything that follows without waiting has happened after this. */
const allTurns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
