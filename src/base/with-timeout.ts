import type { Clock } from './clock.js';

/** The value of the promise, or `late` if it takes longer. */
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
