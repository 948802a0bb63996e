import { failedStates } from '../protocol/delivery-states.js';
import type { DeliveryQuery, DeliveryStore } from '../webhooks/model/delivery-store.js';
import type { Delivery } from '../webhooks/model/delivery.js';
import type { Queries } from './connection/query-client.js';
import {
  doneColumns,
  orderOf,
  pendingColumns,
  pendingState,
  toAttempt,
  toBytes,
  toDelivery,
} from './model/rows.js';
import { laneOf, type Tables } from './model/tables.js';

type Reads = Pick<DeliveryStore, 'get' | 'body' | 'attempts' | 'list' | 'backlog' | 'expedite'>;

/** Queries for the command and the library. Workers use their own queries. */
export function createDeliveryQueries({ query, patient }: Queries, tables: Tables): Reads {
  const { pending, done } = tables;
  const columns = { pending: pendingColumns(tables), done: doneColumns(tables) };
  const fromBoth = async (column: string, id: string): Promise<unknown> => {
    const { rows } = await query(
      `select ${column} as found from ${pending} where id = $1 union all select ${column} from ${done} where id = $1`,
      [orderOf(id) ?? 0],
    );
    return rows[0]?.['found'];
  };

  const deliveries = async (sql: string, values: unknown[]): Promise<Delivery[]> =>
    (await patient.query(sql, values)).rows.map((row) => toDelivery(Object.values(row)));

  return {
    async get(id) {
      const [delivery] = await deliveries(
        `select ${columns.pending} from ${pending} where id = $1 union all select ${columns.done} from ${done} where id = $1`,
        [orderOf(id) ?? 0],
      );
      return delivery;
    },
    async body(id) {
      const body = await fromBoth('body', id);
      return body instanceof Uint8Array ? new Uint8Array(body) : undefined;
    },
    async attempts(id) {
      const history = (await fromBoth('history', id)) as Parameters<typeof toAttempt>[0][] | undefined;
      return (history ?? []).map(toAttempt);
    },
    async list(filter = {}) {
      const values: unknown[] = [filter.limit ?? 100];
      const place = (value: unknown): string => `$${values.push(value)}`;
      const part = (table: string, selected: string, state: string): string =>
        `(select ${selected} from ${table} ${where(filter, state, place)} order by id desc limit $1)`;
      return deliveries(
        `${part(pending, columns.pending, pendingState)} union all ${part(done, columns.done, 'state')}
         order by id desc limit $1`,
        values,
      );
    },
    async backlog(endpointId) {
      const ofEndpoint = endpointId === undefined ? '' : 'where lane = $1 and endpoint = $2';
      const { rows } = await patient.query(
        `select count(*) filter (where attempt = 0 and not parked) as pending,
           count(*) filter (where attempt > 0 and not parked) as retrying, count(*) filter (where parked) as held,
           min(created_at) filter (where not parked) as oldest from ${pending} ${ofEndpoint}`,
        endpointId === undefined ? [] : [laneOf(endpointId), endpointId],
      );
      const { pending: waiting, retrying, held, oldest } = rows[0] ?? {};
      return {
        pending: Number(waiting ?? 0),
        retrying: Number(retrying ?? 0),
        held: Number(held ?? 0),
        inFlight: 0,
        ...(oldest !== null && { oldestAt: Number(oldest) }),
      };
    },
    async expedite(id) {
      // A delivery's first request is due as soon as the delivery is queued. Deliveries in flight also count as due.
      const [delivery] = await deliveries(
        `update ${pending} set due = now() where id = $1 and due > now() returning ${columns.pending}`,
        [orderOf(id) ?? 0],
      );
      if (delivery) return delivery;
      const [due] = await deliveries(`select ${columns.pending} from ${pending} where id = $1`, [
        orderOf(id) ?? 0,
      ]);
      return due;
    },
  };
}

function where(filter: DeliveryQuery, state: string, place: (value: unknown) => string): string {
  const { endpointId, installationId, before, failed } = filter;
  const conditions: string[] = [];
  if (endpointId !== undefined) conditions.push(`endpoint = ${place(endpointId)}`);
  if (installationId !== undefined) conditions.push(`installation = ${place(toBytes(installationId))}`);
  if (filter.state !== undefined) conditions.push(`${state} = ${place(filter.state)}`);
  if (before !== undefined) conditions.push(`id < ${place(orderOf(before) ?? 0)}`);
  if (failed !== undefined) conditions.push(`(${state} = any (${place(failedStates)})) = ${failed}`);
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
}
