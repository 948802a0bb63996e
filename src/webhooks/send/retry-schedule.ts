import type { AttemptResult } from '../queue/delivery.js';

const baseDelaysMs: readonly number[] = [1000, 2000, 4000];
const jitter = 0.1;

export const longestDelayMs = Math.max(...baseDelaysMs) * (1 + jitter);

export type Decision =
  | { state: 'delivered' | 'failed' | 'exhausted' | 'poisoned' }
  | { state: 'retrying'; delayMs: number };

type Verdict = 'delivered' | 'failed' | 'again';

function verdict(result: Exclude<AttemptResult, { kind: 'interrupted' }>): Verdict {
  if (result.kind === 'error') return 'again';
  const { status } = result;
  if (status >= 200 && status < 300) return 'delivered';
  return status === 429 || (status >= 500 && status < 600) ? 'again' : 'failed';
}

/**
 * Decides what follows from the outcome of a request. `before` is the number of earlier requests with a known
 * outcome.
 */
export function decide(
  result: Exclude<AttemptResult, { kind: 'interrupted' }>,
  before: number,
  random: () => number,
): Decision {
  const answer = verdict(result);
  if (answer !== 'again') return { state: answer };
  const base = baseDelaysMs[before];
  if (base === undefined) return { state: cannotBeMade(result) ? 'poisoned' : 'exhausted' };
  return { state: 'retrying', delayMs: base * (1 + jitter * random()) };
}

const cannotBeMade = (result: AttemptResult): boolean =>
  result.kind === 'error' && result.error === 'preparation';
