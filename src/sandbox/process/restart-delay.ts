const IMMEDIATE = 3;
const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** How long to wait before restarting a script that ended `crashes` times in a row. */
export const restartDelay = (crashes: number): number =>
  crashes <= IMMEDIATE ? 0 : Math.min(FIRST_MS * 2 ** (crashes - IMMEDIATE - 1), LONGEST_MS);
