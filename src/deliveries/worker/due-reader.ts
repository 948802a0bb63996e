import type { Clock } from '../../base/clock.js';
import { deliveryOf } from '../../webhooks/model/delivery-states.js';
import type { Delivery } from '../../webhooks/model/delivery.js';
import type { Row, Statement, WorkerSession } from '../connection/worker-session.js';
import { milliseconds } from '../model/rows.js';
import { type Tables, laneCount } from '../model/tables.js';

/** A delivery that has been read but not yet checked. */
export interface DueDelivery {
  /** The number in the delivery id. */
  order: number;
  lane: number;
  /** The number of requests whose outcome is known. The next outcome is written only if this number is still the same. */
  attempt: number;
  delivery: Delivery;
  /** Undefined if the body is larger than the limit. */
  body: Uint8Array | undefined;
}

/** Endpoints that already have enough deliveries in memory, with their lanes. */
export type FullEndpoints = ReadonlyMap<string, number>;

/**
 * The maximum size of one read. If Postgres sends more data to a suspended process than the system can buffer,
 * Postgres notices too late when the process has ended.
 */
const maxBytes = 1024 * 1024;
const maxRows = 2000;
const minRows = 50;

/**
 * Reads due deliveries without writing anything to the database. Only the worker's memory records which deliveries
 * are in flight. A large backlog is read in rounds. Each round continues where the previous one ended, so no endpoint
 * waits for another endpoint's backlog.
 */
export function createDueReader(options: {
  session: WorkerSession;
  tables: Tables;
  clock: Clock;
  maxBodyBytes: number;
}) {
  const { session, tables, clock } = options;
  const statements = statementsOf(tables, options.maxBodyBytes);
  const starts = { fresh: createReadStarts(clock), retries: createReadStarts(clock) };
  const lastEndpoint = new Map<number, string>();
  const lastRetry = new Map<number, { due: string; order: string }>();
  /** The due time of each endpoint's oldest delivery, by lane. */
  const oldest = new Map<number, Map<string, number>>();
  let databaseNow: number | undefined;
  let rows = maxRows;
  let turn = 0;

  const isCut = (due: DueDelivery[], found: Row[], limit: number): boolean =>
    found.length >= limit || due.reduce((sum, { delivery }) => sum + delivery.bodyBytes, 0) >= maxBytes;

  /** Rotates the lanes, so that each read starts with a different one. Otherwise, the last lanes might never be read. */
  const rotated = (plan: ReadPlan): ReadPlan => {
    turn += 1;
    const start = turn % Math.max(1, plan.length);
    return [...plan.slice(start), ...plan.slice(0, start)];
  };

  const grow = (): void => {
    rows = Math.min(maxRows, Math.ceil(rows * 1.02));
  };

  const read = async (
    kind: ReadStarts,
    plan: ReadPlan,
    query: () => Promise<Row[]>,
    isDue: (row: Row) => boolean,
  ): Promise<Row[]> => {
    const began = clock.monotonic();
    try {
      const found = await query();
      kind.done(plan, serverMs(found) ?? clock.monotonic() - began, found.filter(isDue).length);
      return found;
    } catch (error) {
      if (isTimeout(error)) kind.failed(plan, databaseNow);
      throw error;
    }
  };

  /** For each lane whose endpoints were all read, records the oldest remaining delivery. */
  const advanceFresh = (found: Row[], complete: ReadonlySet<number>): void => {
    if (databaseNow === undefined) return;
    const seen = new Map<number, Map<string, number>>();
    for (const row of found) {
      const lane = Number(row[0]);
      const [, head, id] = row;
      const endpoints = seen.get(lane) ?? new Map<string, number>();
      seen.set(lane, endpoints);
      if (head !== null && !endpoints.has(head as string)) {
        // Full endpoints were not read, so the due time of their oldest delivery is either unchanged or later.
        const before = oldest.get(lane)?.get(head as string) ?? -Infinity;
        endpoints.set(head as string, id === null ? before : Number(row[dueColumn]));
      }
      if (head !== null || !complete.has(lane)) continue;
      oldest.set(lane, endpoints);
      const due = Math.min(Infinity, ...endpoints.values());
      if (due > -Infinity) starts.fresh.advance(lane, due, databaseNow);
    }
  };

  return {
    /**
     * Reads first requests, oldest first, up to `most` per endpoint. `more` means that there were too many for a single
     * read.
     */
    async fresh(lanes: readonly number[], full: FullEndpoints, most: number) {
      const { plan, left } = starts.fresh.plan(lanes);
      const order = rotated(plan);
      const from = order.map(({ lane }) => lastEndpoint.get(lane) ?? '');
      const complete = new Set(order.filter((_, at) => from[at] === '').map(({ lane }) => lane));
      // Each lane ends with a row without an endpoint.
      const limit = rows + order.length;
      const values = [order.map(({ lane }) => lane), from, most, [...full.keys()], limit, maxBytes];
      // While deleted rows are kept, the query for any first request would be as slow as reading all lanes.
      const whole = complete.size === order.length && order.every(({ since }) => since === -Infinity);
      const found = await read(
        starts.fresh,
        plan,
        () => session.query(statements.fresh, [...values, order.map(({ since }) => timeOf(since)), whole]),
        (row) => row[2] !== null,
      );
      const [first] = found;
      if (first && first[0] === null) {
        // There are no first requests.
        databaseNow = Number(first[dueColumn]);
        advanceFresh(
          order.map(({ lane }) => [lane, null, null]),
          complete,
        );
        lastEndpoint.clear();
        grow();
        return { due: [], more: left, databaseNow };
      }
      for (const [lane, head] of found) {
        if (head === null) lastEndpoint.delete(Number(lane));
        else lastEndpoint.set(Number(lane), head as string);
      }
      const due = found.filter((row) => row[2] !== null).map((row) => toDue(row.slice(2)));
      const end = found.find((row) => row[1] === null);
      if (end) databaseNow = Number(end[dueColumn]);
      advanceFresh(found, complete);
      const cut = isCut(due, found, limit);
      if (!cut) lastEndpoint.clear();
      grow();
      return { due, more: cut || left, databaseNow: end && databaseNow };
    },
    async retries(lanes: readonly number[], full: FullEndpoints) {
      const { plan, left } = starts.retries.plan(lanes);
      const order = rotated(plan);
      const from = order.map(({ lane }) => lastRetry.get(lane));
      const perLane = Math.max(4, Math.ceil(rows / Math.max(1, order.length)));
      const found = await read(
        starts.retries,
        plan,
        () =>
          session.query(statements.retries, [
            order.map(({ lane }) => lane),
            order.map(({ since }, at) => from[at]?.due ?? timeOf(since)),
            from.map((last) => last?.order ?? '0'),
            [...full.keys()],
            perLane,
            rows,
            maxBytes,
          ]),
        () => true,
      );
      const counts = new Map<number, number>();
      const first = new Map<number, number>();
      for (const [due, id, lane, ...rest] of found) {
        counts.set(Number(lane), (counts.get(Number(lane)) ?? 0) + 1);
        if (!first.has(Number(lane))) first.set(Number(lane), Number(rest[3]));
        lastRetry.set(Number(lane), { due: String(due), order: String(id) });
      }
      const due = found.map((row) => toDue(row.slice(1)));
      const cut = isCut(due, found, rows);
      // The retries of full endpoints were not read.
      const partly = new Set(full.values());
      order.forEach(({ lane }, at) => {
        if (cut || (counts.get(lane) ?? 0) >= perLane) return;
        lastRetry.delete(lane);
        if (from[at] || partly.has(lane) || databaseNow === undefined) return;
        starts.retries.advance(lane, first.get(lane) ?? Infinity, databaseNow);
      });
      return { due, more: cut || left || lastRetry.size > 0 };
    },
    /** Resets the read position of a lane. */
    forget(lane: number) {
      lastEndpoint.delete(lane);
      lastRetry.delete(lane);
      oldest.delete(lane);
      starts.fresh.forget(lane);
      starts.retries.forget(lane);
    },
    /** Makes subsequent reads smaller, because a read took too long. */
    shrink() {
      rows = Math.max(minRows, Math.floor(rows / 2));
    },
  };
}

/** Whether the server canceled the statement. */
export const isTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === '57014';

const timeOf = (since: number): string =>
  since === -Infinity ? '-infinity' : new Date(Math.floor(since) - 1).toISOString();

/** In the last row of a lane, and in the only row if there are no first requests, this column contains the database time. */
const dueColumn = 7;

/** In these rows, this column contains how long the server has taken so far. It excludes the network and a busy worker. */
const startsColumn = 6;
const serverMs = (found: Row[]): number | undefined => {
  const end = found.findLast(([, head]) => head === null);
  return end && Number(end[startsColumn]);
};

/** Every column of every row costs time, so columns that can be derived from others are not read. */
const names = `id, lane, attempt, endpoint, starts, due, created_at, resent_from, installation, event_id, event_type, body, traceparent`;
const columnsOf = (
  maxBodyBytes: number,
): string => `p.id, p.lane, p.attempt, p.endpoint, p.starts, ${milliseconds('p.due')}, p.created_at, p.resent_from,
  p.installation, p.event_id, p.event_type, case when octet_length(p.body) <= ${maxBodyBytes} then p.body end, p.traceparent`;

function toDue(row: Row): DueDelivery {
  const [id, lane, attempt, endpoint, starts, due, createdAt, resentFrom, ...bytes] = row;
  const [installation, eventId, eventType, body] = bytes as [Buffer, Buffer, Buffer, Buffer | null];
  const traceparent = bytes[4] as string | null;
  const attempts = Number(attempt);
  const state = attempts === 0 ? 'pending' : 'retrying';
  const event = [id, endpoint, installation, eventId, eventType, state, 'waiting', createdAt, due, null];
  const counts = [attempts, attempts, starts, body?.byteLength ?? 0, resentFrom];
  return {
    order: Number(id),
    lane: Number(lane),
    attempt: attempts,
    body: body ? new Uint8Array(body) : undefined,
    delivery: { ...deliveryOf([...event, ...counts]), ...(traceparent && { traceparent }) },
  };
}

function statementsOf({ pending }: Tables, maxBodyBytes: number): Record<'fresh' | 'retries', Statement> {
  const columns = columnsOf(maxBodyBytes);
  const isFresh = 'p.attempt = 0 and not p.parked';
  // The index also contains `due`, so deleted rows that were due before `since` are skipped without a lookup.
  const next = (lane: string, after: string, since: string): string =>
    `(select p.endpoint from ${pending} p
      where p.lane = ${lane} and ${isFresh} and p.endpoint > ${after} and p.due >= ${since}
      order by p.endpoint limit 1)`;
  // Computes the total size of the bodies up to each row, in the order in which the rows are found.
  const before =
    'coalesce(sum(octet_length(body)) over (rows between unbounded preceding and 1 preceding), 0)';
  return {
    // If the rows were ordered only by id, the planner might read the primary key from the wrong end of a backlog. The query
    // starts with the first endpoint of each lane, then steps to the next one. Each endpoint takes a single step, no matter how
    // many deliveries it has. An idle worker reads only whether there is any first request, which takes a twentieth of the time.
    fresh: {
      name: 'fresh',
      text: `with recursive h(lane, endpoint, since) as (
          select s.lane, ${next('s.lane', 's.after', 's.since')}, s.since
            from unnest($1::smallint[], $2::text[], $7::timestamptz[]) s(lane, after, since)
            where not $8::boolean or exists (select from ${pending} p where ${isFresh})
          union all
          select h.lane, ${next('h.lane', 'h.endpoint', 'h.since')}, h.since from h where h.endpoint is not null)
        select head_lane, head, ${names
          .replace(' due,', ` coalesce(due, ${milliseconds('now()')}),`)
          .replace('starts,', `coalesce(starts, ${milliseconds('clock_timestamp() - now()')}),`)}
          from (select) one left join (select found.*, ${before} as bytes from (
            select h.lane as head_lane, h.endpoint as head, d.* from h left join lateral (
              select ${columns} from ${pending} p
                where p.lane = h.lane and p.endpoint = h.endpoint and ${isFresh} and p.due >= h.since and h.endpoint <> all ($4::text[])
                order by p.due, p.id limit $3
            ) d(${names}) on true
            limit $5) found) counted on true
          where bytes is null or bytes < $6`,
    },
    retries: {
      name: 'retries',
      text: `select due_at, ${names}
          from (select found.*, ${before} as bytes from (
            select d.* from unnest($1::smallint[], $2::timestamptz[], $3::bigint[]) s(lane, due, id)
              cross join lateral (
                select p.due::text, ${columns} from ${pending} p
                  where p.lane = s.lane and p.attempt > 0 and not p.parked and p.due <= now()
                    and (p.due, p.id) > (s.due, s.id) and p.endpoint <> all ($4::text[])
                  order by p.due, p.id limit $5
              ) d(due_at, ${names})
              limit $6) found) counted
          where bytes < $7`,
    },
  };
}

/** The due time at which the read of each lane starts, in milliseconds on the database's clock. */
export type ReadPlan = readonly { lane: number; since: number }[];

export type ReadStarts = ReturnType<typeof createReadStarts>;

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
export function createReadStarts(clock: Clock) {
  const oldest = new Map<number, number>();
  /** When each lane may be read from the beginning again. */
  const next = new Map<number, number>();
  /** How many lanes each read covers from the beginning. */
  let whole = laneCount;
  let turn = 0;

  const isWhole = ({ since }: ReadPlan[number]): boolean => since === -Infinity;

  return {
    /** Returns the lanes to read now. `left` means that other lanes remain, which come next. */
    plan(lanes: readonly number[]) {
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
    /** Must be called when the read has succeeded. `rows` is the number of deliveries that were read. */
    done(plan: ReadPlan, tookMs: number, rows: number) {
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
    /** Must be called when the read took longer than the server allows. */
    failed(plan: ReadPlan, databaseNow: number | undefined) {
      const read = plan.filter(isWhole);
      whole = Math.max(1, Math.floor(read.length / 2));
      const [only] = read;
      if (!only || read.length > 1 || databaseNow === undefined) return;
      // Deliveries queued from now on do not have to wait for older ones.
      if (!oldest.has(only.lane)) oldest.set(only.lane, databaseNow - lateMs);
      next.set(only.lane, clock.monotonic() + restAfterFailureMs);
    },
    /** Records that no delivery waiting in this lane is due before this time. */
    advance: (lane: number, due: number, databaseNow: number) =>
      void oldest.set(lane, Math.min(due, databaseNow - lateMs)),
    forget(lane: number) {
      oldest.delete(lane);
      next.delete(lane);
    },
  };
}
