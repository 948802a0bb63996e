/** How many calls and finished deliveries to keep. Unfinished deliveries are always kept. */
export interface StoreLimits {
  /** Maximum number of calls in the log, and of finished deliveries. The newest are kept. */
  entries: number;
  /** Maximum size of all bodies in the log, in bytes. The bodies of the oldest calls are deleted first. */
  bodyBytes: number;
}

export const defaultLimits: StoreLimits = { entries: 10_000, bodyBytes: 256 * 1024 * 1024 };
