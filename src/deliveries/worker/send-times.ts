import type { Clock } from '../../base/clock.js';

/** Counts requests by how late they start after their due time. */
export interface SendDelays {
  /** Upper bounds, in milliseconds. */
  boundsMs: readonly number[];
  /** Has one more item than `boundsMs`. The last count is for all larger delays. */
  counts: readonly number[];
  sumMs: number;
}

export interface SendTimes {
  /** Must be called after each successful read, with the database time if the read returned one. */
  read(databaseNow?: number): void;
  sent(dueAt: number): void;
  /** How long ago this time was, according to the database's clock. Undefined before the first read. */
  age(dueAt: number): number | undefined;
  sinceReadMs(): number;
  /** How long deliveries have been due without any request starting. */
  stalledMs(): number;
  delays(): SendDelays;
}

const boundsMs = [50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000, 3_600_000];
export const noDelays: SendDelays = { boundsMs, counts: [...boundsMs, Infinity].map(() => 0), sumMs: 0 };
/** How far the estimated database time may drift. */
const slackMs = 1;

/** Measures when requests start. Due times are on the database's clock, whose time is estimated from its responses. */
export function createSendTimes(clock: Clock, isWaiting: () => boolean): SendTimes {
  const counts = [...noDelays.counts];
  let sumMs = 0;
  let offset: number | undefined;
  let readAt = clock.monotonic();
  /** The last time when a request started or nothing was waiting. */
  let goodAt = readAt;

  const age = (dueAt: number): number | undefined =>
    offset === undefined ? undefined : Math.max(0, clock.monotonic() + offset - dueAt);

  return {
    read(databaseNow) {
      readAt = clock.monotonic();
      // A slow response makes the database's clock appear to be behind.
      if (databaseNow !== undefined) {
        offset = Math.max(databaseNow - readAt, (offset ?? -Infinity) - slackMs);
      }
      if (!isWaiting()) goodAt = readAt;
    },
    sent(dueAt) {
      goodAt = clock.monotonic();
      const delay = age(dueAt) ?? 0;
      sumMs += delay;
      const found = boundsMs.findIndex((bound) => delay <= bound);
      const at = found < 0 ? boundsMs.length : found;
      counts[at] = (counts[at] ?? 0) + 1;
    },
    age,
    sinceReadMs: () => clock.monotonic() - readAt,
    stalledMs: () => (isWaiting() ? clock.monotonic() - goodAt : 0),
    delays: () => ({ boundsMs, counts: [...counts], sumMs }),
  };
}
