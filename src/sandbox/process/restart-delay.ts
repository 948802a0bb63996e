const AT_ONCE = 3;
const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** How long to wait before restarting a script that ended `crashes` times in a row. */
export const restartDelay = (crashes: number): number =>
  crashes <= AT_ONCE ? 0 : Math.min(FIRST_MS * 2 ** (crashes - AT_ONCE - 1), LONGEST_MS);
