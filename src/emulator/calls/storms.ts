import type { Clock } from '../../base/clock.js';

/** How many calls may cause each other, one right after the other. */
const longestChain = 8;
/** How often a call may lead to the same one again within this time. */
const mostRepeats = 200;
const windowMs = 10_000;
/** Chains of older calls are forgotten. */
const remembered = 10_000;

/** What led to a call. */
interface Chain {
  length: number;
  /** The latest calls. The call itself is last. */
  names: string[];
}

export interface CausedCall {
  id: string;
  /** The call that caused this one without a delay. */
  from: string;
  name: string;
  installation: string | undefined;
}

/**
 * Finds calls that cause themselves over and over, also through other integrations of the session. Tasks that queue the next
 * one are usual, for example for the next page, so only their number within a time is limited.
 */
export function createStorms() {
  const chains = new Map<string, Chain>();
  const repeats = new Map<string, number[]>();
  return {
    /** Returns why a call must not run, if it is part of a storm. */
    check(
      { id, from, name, installation }: CausedCall,
      isTask: boolean,
      clock: Pick<Clock, 'monotonic'>,
    ): string | undefined {
      const before = chains.get(from) ?? { length: 0, names: [] };
      const isRepeated = before.names.includes(name);
      const length = before.length + (isTask ? 0 : 1);
      const names = [...before.names, name].slice(-longestChain);
      const cycle = names.slice(Math.max(0, names.lastIndexOf(name, -2))).join(' → ');
      if (length > longestChain)
        return `This call was not run, because ${longestChain} calls had caused each other one after another: ${cycle}.`;
      if (isRepeated) {
        const key = JSON.stringify([name, installation]);
        const now = clock.monotonic();
        const times = (repeats.get(key) ?? []).filter((time) => time > now - windowMs);
        repeats.set(key, times);
        if (times.length >= mostRepeats)
          return `This call was not run, because it has caused itself more than ${mostRepeats} times within ${windowMs / 1000} s: ${cycle}.`;
        times.push(now);
      }
      chains.set(id, { length, names });
      const [oldest] = chains.keys();
      if (chains.size > remembered && oldest !== undefined) chains.delete(oldest);
      return undefined;
    },
  };
}

export type Storms = ReturnType<typeof createStorms>;
