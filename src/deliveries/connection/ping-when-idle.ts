import type { Clock } from '../../base/clock.js';

/** Short enough to send a ping well before the server would end an idle session. */
const idleMs = 3000;
/** The delay before the next ping if one failed but the session has not ended. */
const leastPauseMs = 100;

/**
 * Keeps a session alive while its owner is waiting, for example after an error or between infrequent polls. Resolves when the
 * session is lost.
 */
export async function pingWhenIdle(options: {
  clock: Clock;
  lost: AbortSignal;
  /** How long ago the last successful query was sent. */
  ageMs(): number;
  ping(): Promise<unknown>;
}): Promise<void> {
  const { clock, lost, ageMs, ping } = options;
  while (!lost.aborted) {
    await clock.sleep(Math.max(leastPauseMs, idleMs - ageMs()), lost).catch(() => undefined);
    if (!lost.aborted && ageMs() >= idleMs) await ping().catch(() => undefined);
  }
}
