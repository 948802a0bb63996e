import { defaultRetryDelaysMs } from '../../protocol/default-retry-delays.js';
import type { AttemptResult } from '../model/delivery.js';
import type { KnownResult } from './send-request.js';

const jitter = 0.1;

export const longestDelayMs = Math.max(...defaultRetryDelaysMs) * (1 + jitter);

/** How to retry. The default schedule guarantees its times, so it ignores `Retry-After`. */
export interface RetrySchedule {
  delaysMs: readonly number[];
  /** The delay requested by the receiver. */
  retryAfterMs?: number | undefined;
}

export type Decision =
  | { state: 'delivered' | 'failed' | 'exhausted' | 'poisoned' }
  | { state: 'retrying'; delayMs: number };

type Verdict = 'delivered' | 'failed' | 'again';

function verdict(result: KnownResult): Verdict {
  if (result.kind === 'error') return 'again';
  const { status } = result;
  if (status >= 200 && status < 300) return 'delivered';
  return status === 429 || (status >= 500 && status < 600) ? 'again' : 'failed';
}

export const isDelivered = (result: KnownResult): boolean => verdict(result) === 'delivered';

/** Decides what happens after the outcome of a request. `before` is the number of earlier requests with a known outcome. */
export function decide(
  result: KnownResult,
  before: number,
  random: () => number,
  { delaysMs, retryAfterMs = 0 }: RetrySchedule = { delaysMs: defaultRetryDelaysMs },
): Decision {
  const answer = verdict(result);
  if (answer !== 'again') return { state: answer };
  const base = delaysMs[before];
  if (base === undefined) return { state: cannotBeMade(result) ? 'poisoned' : 'exhausted' };
  // Limited to the longest delay, so that a receiver cannot postpone deliveries forever.
  const asked = Math.min(retryAfterMs, Math.max(...delaysMs));
  return { state: 'retrying', delayMs: Math.max(base, asked) * (1 + jitter * random()) };
}

/** Parses `Retry-After`, which contains either a number of seconds or a date. */
export function parseRetryAfter(value: string, now: number): number | undefined {
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  // oxlint-disable-next-line no-restricted-globals -- reads a text, not the clock
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const cannotBeMade = (result: AttemptResult): boolean =>
  result.kind === 'error' && result.error === 'preparation';
