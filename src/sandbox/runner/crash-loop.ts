const IMMEDIATE = 3;
const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** Returns how long to wait before restarting a script whose process has ended `crashes` times in a row. */
export const restartDelay = (crashes: number): number =>
  crashes <= IMMEDIATE ? 0 : Math.min(FIRST_MS * 2 ** (crashes - IMMEDIATE - 1), LONGEST_MS);

/**
 * Returns a message for the log. If `delay` is missing, a check is running the script, so the author does not see it
 * restart.
 */
export const crashNotice = (why: string, delay: number | undefined): string => {
  const next =
    delay === undefined
      ? ''
      : delay === 0
        ? ' Starting it again.'
        : ` Starting it again in ${delay / 1000} s.`;
  return `The script's process ended unexpectedly: ${why}.${next}`;
};

/** Returns the reason that calls receive until the script has restarted. */
export const crashReason = (why: string, crashes: number, delay: number): string =>
  `The script's process ended ${crashes} times in a row (${why}). It restarts ${delay / 1000} s after the last exit, or when its code changes.`;
