import type { Clock } from './clock.js';

/** Resolves to the value of the promise, or to `late` if it takes longer than the timeout. */
export async function withTimeout<T, L>(
  clock: Clock,
  ms: number,
  promise: Promise<T>,
  late: L,
): Promise<T | L> {
  const over = new AbortController();
  try {
    return await Promise.race([promise, clock.sleep(ms, over.signal).then(() => late)]);
  } finally {
    over.abort();
  }
}
