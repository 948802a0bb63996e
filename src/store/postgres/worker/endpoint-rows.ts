import type { Statement, WorkerSession } from '../connection/worker-session.js';
import type { Tables } from '../model/tables.js';

/**
 * Changes many deliveries of one endpoint, some at a time. Each method resolves to whether it is finished.
 */
export interface EndpointRows {
  /** Parks the waiting deliveries of a paused or disabled endpoint, so that reads skip them. */
  park(endpointId: string, lane: number): Promise<boolean>;
  unpark(endpointId: string, lane: number): Promise<boolean>;
  /** Fails the waiting deliveries of a removed endpoint. Those in flight end with their request. */
  fail(endpointId: string, lane: number, inFlight: number[]): Promise<boolean>;
  /** Endpoints in these lanes that have parked deliveries. */
  parked(lanes: readonly number[]): Promise<{ lane: number; endpointId: string }[]>;
  /** Sets aside deliveries that repeatedly crashed their workers. */
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
  // Copying a very large body takes longer than a statement may, so these deliveries end without it.
  const body = `case when octet_length(body) <= ${maxBodyBytes} then body else '' end`;
  const move = (where: string, state: string): string =>
    `with gone as (delete from ${pending} where ${where} returning *),
       log as (insert into ${done} (id, finished_at, created_at, resent_from, starts, state, endpoint, installation,
           event_id, event_type, history, body, keyed)
         select id, now(), created_at, resent_from, starts, '${state}', endpoint, installation, event_id, event_type,
           history, ${body}, keyed from gone)
     select count(*) from gone`;
  const named = (name: string, text: string): Statement => ({ name, text });
  const [fresh, retries, parked] = kinds;

  const park = [fresh, retries].map((kind, at) =>
    named(
      `park ${at}`,
      `with set as (update ${pending} set parked = true where id in (${some(kind)}) returning 1) select count(*) from set`,
    ),
  );
  const unpark = named(
    'unpark',
    `with set as (update ${pending} set parked = false where id in (${some(parked)}) returning 1) select count(*) from set`,
  );
  const fail = kinds.map((kind, at) =>
    named(`fail ${at}`, move(`id in (${some(`${kind} and id <> all ($3::bigint[])`)})`, 'failed')),
  );
  const poison = named('poison', move('id = any ($1::bigint[])', 'poisoned'));
  const nextParked = (lane: string, after: string): string =>
    `(select p.endpoint from ${pending} p where p.lane = ${lane} and p.parked and p.endpoint > ${after}
      order by p.endpoint limit 1)`;
  const parkedHeads = named(
    'parked',
    `with recursive h(lane, endpoint) as (
       select l, ${nextParked('l', "''")} from unnest($1::smallint[]) l
       union all
       select h.lane, ${nextParked('h.lane', 'h.endpoint')} from h where h.endpoint is not null)
     select lane, endpoint from h where endpoint is not null`,
  );

  const isThrough = async (statement: Statement, values: unknown[]): Promise<boolean> => {
    const [row] = await session.query(statement, values);
    return Number(row?.[0]) < batchSize;
  };

  const allThrough = async (statements: Statement[], values: unknown[]): Promise<boolean> => {
    let through = true;
    for (const statement of statements) through = (await isThrough(statement, values)) && through;
    return through;
  };

  return {
    park: (endpointId, lane) => allThrough(park, [lane, endpointId]),
    unpark: (endpointId, lane) => isThrough(unpark, [lane, endpointId]),
    fail: (endpointId, lane, inFlight) => allThrough(fail, [lane, endpointId, inFlight]),
    async parked(lanes) {
      const rows = await session.query(parkedHeads, [lanes]);
      return rows.map(([lane, endpointId]) => ({ lane: Number(lane), endpointId: String(endpointId) }));
    },
    async poison(orders) {
      await session.query(poison, [orders]);
    },
  };
}
