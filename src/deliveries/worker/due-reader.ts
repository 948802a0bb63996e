import type { Clock } from '../../base/clock.js';
import { deliveryId } from '../../webhooks/model/delivery-states.js';
import type { Delivery } from '../../webhooks/model/delivery.js';
import type { Row, Statement, WorkerSession } from '../connection/worker-session.js';
import { milliseconds } from '../model/rows.js';
import type { Tables } from '../model/tables.js';
import { createReadStarts, type ReadPlan, type ReadStarts } from './read-starts.js';

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

export interface DueReader {
  /**
   * Reads first requests, oldest first, up to `most` per endpoint. `more` means that there were too many for a single
   * read.
   */
  fresh(
    lanes: readonly number[],
    full: FullEndpoints,
    most: number,
  ): Promise<{ due: DueDelivery[]; more: boolean; databaseNow: number | undefined }>;
  /** Reads the retries that are due. */
  retries(lanes: readonly number[], full: FullEndpoints): Promise<{ due: DueDelivery[]; more: boolean }>;
  /** Resets the read position of a lane. */
  forget(lane: number): void;
  /** Makes subsequent reads smaller, because a read took too long. */
  shrink(): void;
}

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
}): DueReader {
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
      kind.done(plan, clock.monotonic() - began, found.filter(isDue).length);
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
    async fresh(lanes, full, most) {
      const { plan, left } = starts.fresh.plan(lanes);
      const order = rotated(plan);
      const from = order.map(({ lane }) => lastEndpoint.get(lane) ?? '');
      const complete = new Set(order.filter((_, at) => from[at] === '').map(({ lane }) => lane));
      // Each lane ends with a row without an endpoint.
      const limit = rows + order.length;
      const values = [order.map(({ lane }) => lane), from, most, [...full.keys()], limit, maxBytes];
      const found = await read(
        starts.fresh,
        plan,
        () => session.query(statements.fresh, [...values, order.map(({ since }) => timeOf(since))]),
        (row) => row[2] !== null,
      );
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
    async retries(lanes, full) {
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
    forget(lane) {
      lastEndpoint.delete(lane);
      lastRetry.delete(lane);
      oldest.delete(lane);
      starts.fresh.forget(lane);
      starts.retries.forget(lane);
    },
    shrink() {
      rows = Math.max(minRows, Math.floor(rows / 2));
    },
  };
}

/** Whether the server canceled the statement. */
export const isTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === '57014';

const timeOf = (since: number): string =>
  since === -Infinity ? '-infinity' : new Date(Math.floor(since) - 1).toISOString();

/** In the last row of a lane, this column contains the database time. */
const dueColumn = 7;

/** Every column of every row costs time, so columns that can be derived from others are not read. */
const names = `id, lane, attempt, endpoint, starts, due, created_at, resent_from, installation, event_id, event_type, body`;
const columnsOf = (
  maxBodyBytes: number,
): string => `p.id, p.lane, p.attempt, p.endpoint, p.starts, ${milliseconds('p.due')}, p.created_at, p.resent_from,
  p.installation, p.event_id, p.event_type, case when octet_length(p.body) <= ${maxBodyBytes} then p.body end`;

function toDue([
  id,
  lane,
  attempt,
  endpoint,
  starts,
  due,
  createdAt,
  resentFrom,
  ...bytes
]: Row): DueDelivery {
  const [installation, eventId, eventType, body] = bytes as [Buffer, Buffer, Buffer, Buffer | null];
  const attempts = Number(attempt);
  return {
    order: Number(id),
    lane: Number(lane),
    attempt: attempts,
    body: body ? new Uint8Array(body) : undefined,
    delivery: {
      id: deliveryId(Number(id)),
      endpointId: endpoint as string,
      installationId: String(installation),
      eventId: String(eventId),
      eventType: String(eventType),
      state: attempts === 0 ? 'pending' : 'retrying',
      phase: 'waiting',
      createdAt: Number(createdAt),
      dueAt: Number(due),
      attempts,
      requests: attempts,
      crashes: Number(starts),
      bodyBytes: body?.byteLength ?? 0,
      ...(resentFrom !== null && { resentFrom: deliveryId(Number(resentFrom)) }),
    },
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
    // many deliveries it has.
    fresh: {
      name: 'fresh',
      text: `with recursive h(lane, endpoint, since) as (
          select s.lane, ${next('s.lane', 's.after', 's.since')}, s.since
            from unnest($1::smallint[], $2::text[], $7::timestamptz[]) s(lane, after, since)
          union all
          select h.lane, ${next('h.lane', 'h.endpoint', 'h.since')}, h.since from h where h.endpoint is not null)
        select head_lane, head, ${names.replace(' due,', ` coalesce(due, ${milliseconds('now()')}),`)}
          from (select found.*, ${before} as bytes from (
            select h.lane as head_lane, h.endpoint as head, d.* from h left join lateral (
              select ${columns} from ${pending} p
                where p.lane = h.lane and p.endpoint = h.endpoint and ${isFresh} and p.due >= h.since and h.endpoint <> all ($4::text[])
                order by p.due, p.id limit $3
            ) d(${names}) on true
            limit $5) found) counted
          where bytes < $6`,
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
