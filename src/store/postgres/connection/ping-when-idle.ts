import type { Clock } from '../../../base/clock.js';

/** Short enough to ping well before the server would end an idle session. */
const idleMs = 3000;
/** The pause between pings that fail without ending the session. */
const leastPauseMs = 100;

/**
 * Keeps a session alive while its owner waits, for example after an error or between infrequent polls.
 * Resolves when the session is lost.
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
