/** How many calls and finished deliveries to keep. Unfinished deliveries are never deleted. */
export interface StoreLimits {
  /** The maximum number of logged calls and the maximum number of finished deliveries. The newest ones are kept. */
  entries: number;
  /** The maximum total size of the logged bodies, in bytes. The bodies of the oldest calls are deleted first. */
  bodyBytes: number;
}

export const defaultLimits: StoreLimits = { entries: 10_000, bodyBytes: 256 * 1024 * 1024 };
