import type { Clock } from '../../../base/clock.js';

/** How many requests began how long after they were due. */
export interface SendDelays {
  /** Upper bounds, in milliseconds. */
  boundsMs: readonly number[];
  /** One more than the bounds: the last one counts everything above. */
  counts: readonly number[];
  sumMs: number;
}

export interface SendTimes {
  /** Call this when a read succeeded, with the time of the database if it returned it. */
  read(databaseNow?: number): void;
  /** Call this when a request begins. */
  sent(dueAt: number): void;
  /** How long ago this was, by the time of the database. Undefined before the first read. */
  age(dueAt: number): number | undefined;
  sinceReadMs(): number;
  /** How long something has been waiting without any request. */
  stalledMs(): number;
  delays(): SendDelays;
}

const boundsMs = [50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000, 3_600_000];
export const noDelays: SendDelays = { boundsMs, counts: [...boundsMs, Infinity].map(() => 0), sumMs: 0 };
/** How fast an estimate of the database's time may become older. */
const slackMs = 1;

/** Measures when requests begin. Due times are the database's, so its clock is estimated from its responses. */
export function createSendTimes(clock: Clock, isWaiting: () => boolean): SendTimes {
  const counts = [...noDelays.counts];
  let sumMs = 0;
  let offset: number | undefined;
  let readAt = clock.monotonic();
  /** When a request began, or nothing was waiting. */
  let goodAt = readAt;

  const age = (dueAt: number): number | undefined =>
    offset === undefined ? undefined : Math.max(0, clock.monotonic() + offset - dueAt);

  return {
    read(databaseNow) {
      readAt = clock.monotonic();
      // A response that took longer makes the database's clock look slower.
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
