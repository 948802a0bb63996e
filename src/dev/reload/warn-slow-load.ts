import type { Clock } from '../../base/clock.js';

/** After this time, the user gets a reason for the wait. */
const LONG_S = 3;

/** What the load gives; `notice` is called where it takes its time. */
export async function warnSlowLoad<T>(
  clock: Clock,
  load: Promise<T>,
  notice: (seconds: number) => void,
): Promise<T> {
  const over = new AbortController();
  clock.sleep(LONG_S * 1000, over.signal).then(
    () => notice(LONG_S),
    () => {},
  );
  try {
    return await load;
  } finally {
    over.abort();
  }
}
