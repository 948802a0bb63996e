import { deliveryId } from '../../../webhooks/queue/delivery-states.js';
import type { Delivery } from '../../../webhooks/queue/delivery.js';
import type { Row, Statement, WorkerSession } from '../connection/worker-session.js';
import { milliseconds } from '../rows.js';
import type { Tables } from '../tables.js';

/** A delivery that was read and not checked yet. */
export interface DueDelivery {
  /** The number in its id. */
  order: number;
  lane: number;
  /** Number of requests with a known outcome. The next outcome is written only if it still matches. */
  attempt: number;
  delivery: Delivery;
  body: Uint8Array;
}

export interface DueReader {
  /** First requests, the oldest `most` of each endpoint. `more`: there were too many for one read. */
  fresh(
    lanes: readonly number[],
    full: string[],
    most: number,
  ): Promise<{ due: DueDelivery[]; more: boolean }>;
  /** Retries that are due. */
  retries(lanes: readonly number[], full: string[]): Promise<{ due: DueDelivery[]; more: boolean }>;
  /** Forgets the reading position in a lane. */
  forget(lane: number): void;
  /** Makes the next reads smaller, after one took too long. */
  shrink(): void;
}

/**
 * The maximum of one read. If Postgres sends a stopped process more than the system buffers, it is late to
 * notice that the process is gone.
 */
const maxBytes = 1024 * 1024;
const maxRows = 2000;
const minRows = 50;

/**
 * Reads due deliveries and writes nothing: which deliveries are in flight is known only in memory. A large
 * backlog is read in rounds. Each round continues after the previous one, so that no endpoint waits for the
 * backlog of another.
 */
export function createDueReader(session: WorkerSession, tables: Tables): DueReader {
  const statements = statementsOf(tables);
  const lastEndpoint = new Map<number, string>();
  const lastRetry = new Map<number, { due: string; order: string }>();
  let rows = maxRows;
  let turn = 0;

  const isCut = (due: DueDelivery[], found: Row[], limit: number): boolean =>
    found.length >= limit || due.reduce((sum, { body }) => sum + body.byteLength, 0) >= maxBytes;

  /** Starts with another lane each time, because the last ones may not fit. */
  const rotated = (lanes: readonly number[]): number[] => {
    turn += 1;
    const start = turn % Math.max(1, lanes.length);
    return [...lanes.slice(start), ...lanes.slice(0, start)];
  };

  const grow = (): void => {
    rows = Math.min(maxRows, Math.ceil(rows * 1.02));
  };

  return {
    async fresh(lanes, full, most) {
      const order = rotated(lanes);
      const from = order.map((lane) => lastEndpoint.get(lane) ?? '');
      // Each lane ends with a row without an endpoint.
      const limit = rows + lanes.length;
      const found = await session.query(statements.fresh, [order, from, most, full, limit, maxBytes]);
      for (const [lane, head] of found) {
        if (head === null) lastEndpoint.delete(Number(lane));
        else lastEndpoint.set(Number(lane), head as string);
      }
      const due = found.filter((row) => row[2] !== null).map((row) => toDue(row.slice(2)));
      const more = isCut(due, found, limit);
      if (!more) lastEndpoint.clear();
      grow();
      return { due, more };
    },
    async retries(lanes, full) {
      const order = rotated(lanes);
      const from = order.map((lane) => lastRetry.get(lane));
      const perLane = Math.max(4, Math.ceil(rows / Math.max(1, lanes.length)));
      const found = await session.query(statements.retries, [
        order,
        from.map((last) => last?.due ?? '-infinity'),
        from.map((last) => last?.order ?? '0'),
        full,
        perLane,
        rows,
        maxBytes,
      ]);
      const counts = new Map<number, number>();
      for (const [due, id, lane] of found) {
        counts.set(Number(lane), (counts.get(Number(lane)) ?? 0) + 1);
        lastRetry.set(Number(lane), { due: String(due), order: String(id) });
      }
      const due = found.map((row) => toDue(row.slice(1)));
      const cut = isCut(due, found, rows);
      for (const lane of lanes) {
        if (!cut && (counts.get(lane) ?? 0) < perLane) lastRetry.delete(lane);
      }
      return { due, more: cut || lastRetry.size > 0 };
    },
    forget(lane) {
      lastEndpoint.delete(lane);
      lastRetry.delete(lane);
    },
    shrink() {
      rows = Math.max(minRows, Math.floor(rows / 2));
    },
  };
}

/** Each column of each row costs time, so columns that can be derived from others are not read. */
const names = `id, lane, attempt, endpoint, starts, due, created_at, resent_from, installation, event_id, event_type, body`;
const columns = `p.id, p.lane, p.attempt, p.endpoint, p.starts, ${milliseconds('p.due')}, p.created_at, p.resent_from,
  p.installation, p.event_id, p.event_type, p.body`;

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
  const [installation, eventId, eventType, body] = bytes as Buffer[];
  const attempts = Number(attempt);
  return {
    order: Number(id),
    lane: Number(lane),
    attempt: attempts,
    body: new Uint8Array(body ?? []),
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

function statementsOf({ pending }: Tables): Record<'fresh' | 'retries', Statement> {
  const isFresh = 'p.attempt = 0 and not p.parked';
  const next = (lane: string, after: string): string =>
    `(select p.endpoint from ${pending} p where p.lane = ${lane} and ${isFresh} and p.endpoint > ${after}
      order by p.endpoint limit 1)`;
  // Adds up the sizes of the bodies in the order in which the rows are found.
  const before =
    'coalesce(sum(octet_length(body)) over (rows between unbounded preceding and 1 preceding), 0)';
  return {
    // Does not order by the id only, because the planner might then read the primary key from the wrong end
    // of a backlog. Starts with the first endpoint of each lane, then steps to the next endpoint of each lane:
    // an endpoint is one step, no matter how many deliveries it has.
    fresh: {
      name: 'fresh',
      text: `with recursive h(lane, endpoint) as (
          select s.lane, ${next('s.lane', 's.after')} from unnest($1::smallint[], $2::text[]) s(lane, after)
          union all
          select h.lane, ${next('h.lane', 'h.endpoint')} from h where h.endpoint is not null)
        select head_lane, head, ${names}
          from (select found.*, ${before} as bytes from (
            select h.lane as head_lane, h.endpoint as head, d.* from h left join lateral (
              select ${columns} from ${pending} p
                where p.lane = h.lane and p.endpoint = h.endpoint and ${isFresh} and h.endpoint <> all ($4::text[])
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
