import type { Ping } from '../../dev/start-session.js';
import type { Clock } from '../../base/clock.js';

/** A slow request is fine as long as the platform responds to pings. */
const PAUSE_MS = 500;
export const PING_MS = 2500;

/** Runs the work, and aborts it with `failure()` if the platform stops responding to pings. */
export async function watchPlatform<T>(
  { clock, ping, failure }: { clock: Clock; ping(): Promise<Ping>; failure(): Error },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const silence = new AbortController();
  const done = new AbortController();
  const watch = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(PAUSE_MS, done.signal);
      if ((await ping()) === 'silent') return silence.abort(failure());
    }
  };
  watch().catch(() => {});
  try {
    return await work(silence.signal);
  } finally {
    done.abort();
  }
}
