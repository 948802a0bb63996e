import type { Clock, SystemClock } from '../../../src/base/clock.js';

interface Sleeper {
  due: number;
  order: number;
  life: Life;
  work(): void;
}

/** A process, whose sleepers never wake once it is dead. */
export interface Life {
  dead: boolean;
}

export type World = ReturnType<typeof createWorld>;

/** Virtual time in which one thing happens after another. `order` decides between those that are due at the same time. */
export function createWorld(
  start: number,
  order: () => number,
  settled: () => Promise<void>,
  passed: (elapsed: number) => Promise<void> | undefined,
) {
  const sleepers = new Set<Sleeper>();
  let elapsed = 0;
  let ahead = start;

  const first = (): Sleeper | undefined => {
    let best: Sleeper | undefined;
    for (const one of sleepers)
      if (one.life.dead) sleepers.delete(one);
      else if (!best || one.due < best.due || (one.due === best.due && one.order < best.order)) best = one;
    return best;
  };
  const after = (ms: number, life: Life, work: () => void): (() => void) => {
    const sleeper: Sleeper = { due: elapsed + ms, order: order(), life, work };
    sleepers.add(sleeper);
    return () => sleepers.delete(sleeper);
  };
  const sleepOf =
    (life: Life): Clock['sleep'] =>
    (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const cancel = after(ms, life, () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        });
        const abort = (): void => {
          cancel();
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', abort, { once: true });
      });

  return {
    elapsed: () => elapsed,
    waiting: () => (first() ? sleepers.size : 0),
    after,
    jump: (ms: number) => void (ahead += ms),
    clockOf(life: Life): SystemClock {
      const sleep = sleepOf(life);
      const now = (): number => Math.round(elapsed + ahead);
      return {
        now,
        monotonic: () => elapsed,
        sleep,
        sleepUntil: (at, signal) => sleep(Math.max(0, at - now()), signal),
      };
    },
    /** Runs everything that is due up to this time. `atRest` is called before time passes. */
    async runUntil(end: number, atRest: () => void): Promise<void> {
      for (;;) {
        await settled();
        const next = first();
        if (!next || next.due > end) break;
        if (next.due > elapsed) {
          atRest();
          elapsed = next.due;
          await passed(elapsed);
        }
        sleepers.delete(next);
        next.work();
      }
      atRest();
      elapsed = end;
    },
  };
}
