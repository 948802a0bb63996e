import type { Clock } from '../../base/clock.js';
import { laneCount } from '../model/tables.js';

/** The due time at which the read of each lane starts, in milliseconds on the database's clock. */
export type ReadPlan = readonly { lane: number; since: number }[];

export interface ReadStarts {
  /** Returns the lanes to read now. `left` means that other lanes remain, which come next. */
  plan(lanes: readonly number[]): { plan: ReadPlan; left: boolean };
  /** Must be called when the read has succeeded. `rows` is the number of deliveries that were read. */
  done(plan: ReadPlan, tookMs: number, rows: number): void;
  /** Must be called when the read took longer than the server allows. */
  failed(plan: ReadPlan, databaseNow: number | undefined): void;
  /** Records that no delivery waiting in this lane is due before this time. */
  advance(lane: number, oldest: number, databaseNow: number): void;
  forget(lane: number): void;
}

const slowMs = 50;
const fastMs = 15;
/** Each read covers at least this many lanes from the beginning, unless that is very slow. */
const few = 8;
const verySlowMs = 500;
/** The estimated time to read and parse one row on a busy machine. */
const rowMs = 0.5;
/**
 * How late a producer may commit after queuing its deliveries. If it commits later, they are found only when the lane
 * is read from the beginning.
 */
const lateMs = 5000;
/** A slow lane is read from the beginning less often. */
const restFactor = 50;
const restAfterFailureMs = 300_000;

/**
 * While a long transaction is open elsewhere, Postgres keeps all rows deleted since it began, and every read scans
 * those rows again. When these scans become slow, most lanes are read from their oldest waiting delivery, and only a
 * few at a time from the beginning.
 */
export function createReadStarts(clock: Clock): ReadStarts {
  const oldest = new Map<number, number>();
  /** When each lane may be read from the beginning again. */
  const next = new Map<number, number>();
  /** How many lanes each read covers from the beginning. */
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
      // Deliveries queued from now on do not have to wait for older ones.
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
