import type { Timers } from '../../base/clock.js';

/** After this many seconds, a notice explains the delay. */
const LONG_S = 3;

/** Resolves to the result of the load. Calls `notice` if loading takes long. */
export async function warnSlowLoad<T>(
  timers: Timers,
  load: Promise<T>,
  notice: (seconds: number) => void,
): Promise<T> {
  const over = new AbortController();
  timers.sleep(LONG_S * 1000, over.signal).then(
    () => notice(LONG_S),
    () => {},
  );
  try {
    return await load;
  } finally {
    over.abort();
  }
}
