/** How much of what is over and done with is kept. What is not delivered yet always is. */
export interface StoreLimits {
  /** The newest so many entries of the traffic log, and finished deliveries. */
  entries: number;
  /** Bodies in the traffic log, in bytes: those of the oldest entries go first. */
  bodyBytes: number;
}

export const defaultLimits: StoreLimits = { entries: 10_000, bodyBytes: 256 * 1024 * 1024 };
