import { seededRandom } from '../../support/random.js';

const answers = ['200', '500', '429', '404', 'reset', 'slow', 'hang'] as const;
export type Answer = (typeof answers)[number];

/** What happens at a time. `n` selects an endpoint, an installation or a delivery, and `ms` is a duration. */
export interface Step {
  at: number;
  act: (typeof acts)[number][0];
  n: number;
  ms: number;
  answer: Answer;
}

export interface Plan {
  seed: number;
  endpoints: number;
  concurrency: number;
  perSecond?: number | undefined;
  /** How many events the store holds, and how many ended deliveries it keeps. Default: all. */
  entries?: number | undefined;
  steps: Step[];
}

/** How often each of them happens. */
const acts = [
  ['event', 40],
  ['burst', 6],
  ['repeat', 2],
  ['answer', 24],
  ['crash', 3],
  ['crash while preparing', 3],
  ['close', 3],
  ['lose', 2],
  ['store fails', 4],
  ['store is slow', 4],
  ['clock jumps', 4],
  ['pause', 4],
  ['resume', 6],
  ['disable', 3],
  ['enable', 5],
  ['remove', 2],
  ['resend', 3],
  ['skip', 4],
  ['deadly event', 1],
  ['signing fails', 2],
] as const;

const total = acts.reduce((sum, [, weight]) => sum + weight, 0);
const gaps = [0, 0, 0, 1, 7, 150, 1000, 2500];
const durations = [0, 1, 40, 900, 1000, 3000, 12_000];
/** Otherwise an innocent delivery is set aside rightly. */
const mostCrashes = 3;

export function planOf(seed: number): Plan {
  const random = seededRandom(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  let at = 0;
  let crashes = 0;
  let deadly = 0;
  const steps = Array.from({ length: 10 + Math.floor(random() * 40) }, (): Step => {
    at += pick(gaps);
    let left = random() * total;
    let act: Step['act'] = acts.find(([, weight]) => (left -= weight) < 0)?.[0] ?? 'event';
    if (act.startsWith('crash') && (crashes += 1) > mostCrashes) act = 'event';
    if (act === 'deadly event' && (deadly += 1) > 1) act = 'event';
    return { at, act, n: Math.floor(random() * 60), ms: pick(durations), answer: pick(answers) };
  });
  const [endpoints, concurrency] = [1 + Math.floor(random() * 5), pick([1, 2, 3, 8])];
  const perSecond = pick([undefined, undefined, undefined, 4]);
  const entries = pick([undefined, undefined, undefined, 6]);
  return { seed, endpoints, concurrency, perSecond, entries, steps };
}

/** Random numbers by what they decide, so that other decisions stay the same if a step is left out. */
export function createDraws(seed: number): (name: string) => number {
  const streams = new Map<string, () => number>();
  return (name) => {
    let stream = streams.get(name);
    if (!stream) {
      let hash = seed;
      for (const char of name) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
      streams.set(name, (stream = seededRandom(hash)));
    }
    return stream();
  };
}

/** Leaves out as many steps as possible while the plan still fails. */
export async function shrink(plan: Plan, fails: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let best = plan;
  for (let size = Math.ceil(plan.steps.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.steps.length;) {
      const steps = best.steps.toSpliced(from, size);
      if (await fails({ ...best, steps })) best = { ...best, steps };
      else from += size;
    }
  }
  return best;
}
