import type { Clock } from '../../../base/clock.js';
import { laneCount } from '../model/tables.js';

/** Where a read of each lane begins. Times are the database's, in milliseconds. */
export type ReadPlan = readonly { lane: number; since: number }[];

export interface ReadStarts {
  /** The lanes to read now. `left`: there are others that were never read, which come next. */
  plan(lanes: readonly number[]): { plan: ReadPlan; left: boolean };
  /** Call this when the read succeeded. `rows`: how many deliveries it returned. */
  done(plan: ReadPlan, tookMs: number, rows: number): void;
  /** Call this when the read took longer than the server allows. */
  failed(plan: ReadPlan, databaseNow: number | undefined): void;
  /** Nothing in this lane was due earlier, and is still waiting. */
  advance(lane: number, oldest: number, databaseNow: number): void;
  forget(lane: number): void;
}

const slowMs = 50;
const fastMs = 15;
/** At least these are read from their beginning, unless that takes very long. */
const few = 8;
const verySlowMs = 500;
/** Reading and parsing one row, on a busy machine. */
const rowMs = 0.5;
/** Producers that commit later than this after they queued are found when the lane is read from its beginning. */
const lateMs = 5000;
/** A lane that takes long is read from its beginning less often. */
const restFactor = 50;
const restAfterFailureMs = 300_000;

/**
 * While a long transaction elsewhere is open, Postgres keeps the rows that were deleted since, and a read passes
 * them again and again. As soon as that takes long, most lanes are read from the oldest delivery that is still
 * waiting, and in turn only a few from their beginning.
 */
export function createReadStarts(clock: Clock): ReadStarts {
  const oldest = new Map<number, number>();
  /** When lanes may be read from their beginning again. */
  const next = new Map<number, number>();
  /** How many lanes are read from their beginning in one read. */
  let whole = laneCount;
  let turn = 0;

  const isWhole = ({ since }: ReadPlan[number]): boolean => since === -Infinity;

  return {
    plan(lanes) {
      const now = clock.monotonic();
      const known = lanes.filter((lane) => oldest.has(lane));
      const unknown = lanes.filter((lane) => !oldest.has(lane));
      const rested = known.filter((lane) => (next.get(lane) ?? 0) <= now);
      const start = rested.length === 0 ? 0 : turn % rested.length;
      const inTurn = [...unknown, ...rested.slice(start), ...rested.slice(0, start)].slice(0, whole);
      turn += Math.max(0, inTurn.length - unknown.length);
      const fromBeginning = new Set(inTurn);
      const plan = lanes
        .filter((lane) => fromBeginning.has(lane) || oldest.has(lane))
        .map((lane) => ({
          lane,
          since: fromBeginning.has(lane) ? -Infinity : (oldest.get(lane) ?? -Infinity),
        }));
      return { plan, left: unknown.length > whole };
    },
    done(plan, tookMs, rows) {
      const read = plan.filter(isWhole);
      const excessMs = tookMs - rows * rowMs;
      if (excessMs > verySlowMs) {
        whole = Math.max(1, Math.floor(read.length / 2));
        if (read.length === 1 && read[0]) next.set(read[0].lane, clock.monotonic() + restFactor * tookMs);
      } else if (excessMs > slowMs) {
        whole = Math.max(Math.min(few, 2 * whole), Math.floor(read.length / 2));
      } else if (tookMs < fastMs) {
        whole = Math.min(laneCount, 2 * whole);
      }
    },
    failed(plan, databaseNow) {
      const read = plan.filter(isWhole);
      whole = Math.max(1, Math.floor(read.length / 2));
      const [only] = read;
      if (!only || read.length > 1 || databaseNow === undefined) return;
      // What is queued from now on does not wait for what was queued before.
      if (!oldest.has(only.lane)) oldest.set(only.lane, databaseNow - lateMs);
      next.set(only.lane, clock.monotonic() + restAfterFailureMs);
    },
    advance: (lane, due, databaseNow) => void oldest.set(lane, Math.min(due, databaseNow - lateMs)),
    forget(lane) {
      oldest.delete(lane);
      next.delete(lane);
    },
  };
}
