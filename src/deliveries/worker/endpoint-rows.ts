import type { Statement, WorkerSession } from '../connection/worker-session.js';
import type { Tables } from '../model/tables.js';

/** What remains to be changed: nothing, more rows, or only rows that other sessions have locked. */
export type Left = 'none' | 'more' | 'locked';

/** Changes many of an endpoint's deliveries in batches. Skips rows that another session has locked. */
export interface EndpointRows {
  /** Parks the waiting deliveries of a paused or disabled endpoint, so that later reads skip them. */
  park(endpointId: string, lane: number): Promise<Left>;
  unpark(endpointId: string, lane: number): Promise<Left>;
  /** Fails the waiting deliveries of a removed endpoint. A delivery in flight ends with its request. */
  fail(endpointId: string, lane: number, inFlight: number[]): Promise<Left>;
  /** Returns the endpoints in these lanes that have parked deliveries. */
  parked(lanes: readonly number[]): Promise<{ lane: number; endpointId: string }[]>;
  /** Sets aside deliveries that have repeatedly crashed their workers. */
  poison(orders: number[]): Promise<void>;
}

const batchSize = 2000;
const kinds = ['attempt = 0 and not parked', 'attempt > 0 and not parked', 'parked'] as const;

export function createEndpointRows(
  session: WorkerSession,
  tables: Tables,
  maxBodyBytes: number,
): EndpointRows {
  const { pending, done } = tables;
  const some = (kind: string): string =>
    `select id from ${pending} where lane = $1 and endpoint = $2 and ${kind} order by due, id limit ${batchSize}`;
  /** Counts the rows that were changed and the rows that were selected. Locked rows are included only in the second number. */
  const counted = (name: string, changes: string, wanted: string): Statement => ({
    name,
    text: `with ${changes} select (select count(*) from changed), (select count(*) from (${wanted}) w)`,
  });
  const set = (parked: boolean, kind: string): string =>
    `changed as (update ${pending} set parked = ${parked}
       where id in (${some(kind)} for update skip locked) returning 1)`;
  // Copying a very large body takes longer than the statement timeout, so these deliveries are moved without their bodies.
  const body = `case when octet_length(body) <= ${maxBodyBytes} then body else '' end`;
  const move = (ids: string, state: string): string =>
    `changed as (delete from ${pending} where id in (${ids} for update skip locked) returning *),
     log as (insert into ${done} (id, finished_at, created_at, resent_from, starts, state, endpoint, installation,
         event_id, event_type, history, body, keyed)
       select id, now(), created_at, resent_from, starts, '${state}', endpoint, installation, event_id, event_type,
         history, ${body}, keyed from changed on conflict do nothing)`;
  const [fresh, retries, parked] = kinds;

  const park = [fresh, retries].map((kind, at) => counted(`park ${at}`, set(true, kind), some(kind)));
  const unpark = counted('unpark', set(false, parked), some(parked));
  const fail = kinds.map((kind, at) => {
    const wanted = some(`${kind} and id <> all ($3::bigint[])`);
    return counted(`fail ${at}`, move(wanted, 'failed'), wanted);
  });
  const suspects = `select id from ${pending} where id = any ($1::bigint[])`;
  const poison = counted('poison', move(suspects, 'poisoned'), suspects);
  const nextParked = (lane: string, after: string): string =>
    `(select p.endpoint from ${pending} p where p.lane = ${lane} and p.parked and p.endpoint > ${after}
      order by p.endpoint limit 1)`;
  const parkedHeads: Statement = {
    name: 'parked',
    text: `with recursive h(lane, endpoint) as (
       select l, ${nextParked('l', "''")} from unnest($1::smallint[]) l
       union all
       select h.lane, ${nextParked('h.lane', 'h.endpoint')} from h where h.endpoint is not null)
     select lane, endpoint from h where endpoint is not null`,
  };

  const change = async (statement: Statement, values: unknown[]): Promise<Left> => {
    const [row] = await session.query(statement, values);
    const [changed, wanted] = [Number(row?.[0]), Number(row?.[1])];
    if (changed === batchSize) return 'more';
    return changed < wanted ? 'locked' : 'none';
  };

  const changeAll = async (statements: Statement[], values: unknown[]): Promise<Left> => {
    const left = new Set<Left>();
    for (const statement of statements) left.add(await change(statement, values));
    return left.has('more') ? 'more' : left.has('locked') ? 'locked' : 'none';
  };

  return {
    park: (endpointId, lane) => changeAll(park, [lane, endpointId]),
    unpark: (endpointId, lane) => change(unpark, [lane, endpointId]),
    fail: (endpointId, lane, inFlight) => changeAll(fail, [lane, endpointId, inFlight]),
    async parked(lanes) {
      const rows = await session.query(parkedHeads, [lanes]);
      return rows.map(([lane, endpointId]) => ({ lane: Number(lane), endpointId: String(endpointId) }));
    },
    async poison(orders) {
      await session.query(poison, [orders]);
    },
  };
}
