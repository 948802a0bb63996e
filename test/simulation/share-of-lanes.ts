import type { Clock } from '../../src/base/clock.js';
import type { DeliveryScheduler } from '../../src/webhooks/queue/delivery-scheduler.js';
import type { Database, Lane, Session } from './database.js';
import { laneCount } from './endpoints.js';
import type { OwnedRows } from './owned-rows.js';
import type { Requests } from './requests.js';

/** Gives away the lanes above this worker's share, and takes free ones up to it. */
export function createShareOfLanes(options: {
  database: Database;
  session: Session;
  rows: OwnedRows;
  scheduler: DeliveryScheduler;
  requests: Requests;
  clock: Clock;
  shedMs: number;
}): () => void {
  const { database, session, rows, scheduler, requests, clock, shedMs } = options;
  const leaving = new Set<number>();

  const giveAway = async (number: number): Promise<void> => {
    leaving.add(number);
    for (const { id } of (database.lanes[number] as Lane).endpoints) scheduler.close(id);
    rows.whenEmpty(number, () => {
      leaving.delete(number);
      database.give(session, number);
    });
    await clock.sleep(shedMs);
    if (leaving.has(number)) requests.cutOff(number);
  };

  const take = (number: number): void => {
    database.take(session, number, clock.now());
    for (const { id } of (database.lanes[number] as Lane).endpoints) scheduler.open(id);
    rows.opened(number);
  };

  return () => {
    const members = [...database.sessions];
    const rest = members.indexOf(session) < laneCount % members.length ? 1 : 0;
    const share = Math.floor(laneCount / members.length) + rest;

    const tooMany = session.lanes.size - leaving.size - share;
    const quietFirst = [...session.lanes]
      .filter((lane) => !leaving.has(lane))
      .sort((a, b) => rows.busy(a) - rows.busy(b));
    for (const lane of quietFirst.slice(0, Math.max(0, tooMany))) void giveAway(lane);

    for (const [number, lane] of database.lanes.entries()) {
      if (session.lanes.size >= share) return;
      if (!lane.owner) take(number);
    }
  };
}
