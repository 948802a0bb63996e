import { failedStates } from '../../protocol/delivery-states.js';
import { deliveryId, deliveryOf, deliveryOrder } from '../../webhooks/model/delivery-states.js';
import type {
  DeliveryQuery,
  LocalDeliveryStore,
  NewDelivery,
  NextDue,
} from '../../webhooks/model/delivery-store.js';
import type { Attempt, Delivery } from '../../webhooks/model/delivery.js';
import type { ScheduleTime } from '../../webhooks/queue/schedule-time.js';
import {
  attemptColumns,
  isHeld,
  shownColumns,
  shownState,
  stateColumns,
  toAttempt,
} from './delivery-rows.js';
import { toBlob, type Bindable, type Cell, type Sqlite } from '../sqlite/sqlite.js';

type Reads = Pick<
  LocalDeliveryStore,
  'body' | 'get' | 'attempts' | 'attemptsOf' | 'list' | 'backlog' | 'failures'
> & {
  read(order: number): Delivery | undefined;
  findExisting(delivery: NewDelivery): Delivery | undefined;
  nextDue(endpointId: string): NextDue;
};

const states = failedStates.map((state) => `'${state}'`).join(', ');

/** The conditions of a query and their values. A condition without a placeholder has no value. */
function where(query: DeliveryQuery): [sql: string, values: Bindable[]] {
  const conditions: [condition: string, ...values: Bindable[]][] = [];
  if (query.endpointId !== undefined) conditions.push(['endpoint = ?', query.endpointId]);
  if (query.installationId !== undefined) conditions.push(['installation = ?', toBlob(query.installationId)]);
  if (query.state !== undefined) conditions.push([`${shownState} = ?`, query.state]);
  if (query.failed !== undefined) conditions.push([`state ${query.failed ? 'IN' : 'NOT IN'} (${states})`]);
  if (query.before !== undefined) conditions.push(['id < ?', deliveryOrder(query.before)]);
  const sql = conditions.map(([condition]) => condition).join(' AND ');
  return [sql === '' ? '' : `WHERE ${sql}`, conditions.flatMap(([, ...values]) => values)];
}

export function createDeliveryReads(db: Sqlite, time: ScheduleTime): Reads {
  const toShown = (row: Cell[]): Delivery => deliveryOf(row, time.shown);
  const byId = db.prepare(`SELECT ${shownColumns} FROM delivery WHERE id = ?`);
  const ofEvent = db.prepare(
    `SELECT ${stateColumns} FROM delivery
     WHERE endpoint = ? AND event_id = ? AND resent_from IS NULL ORDER BY id DESC LIMIT 1`,
  );
  const body = db.prepare('SELECT body FROM delivery_body WHERE delivery = ?');
  const attempts = db.prepare(
    `SELECT ${attemptColumns} FROM delivery_attempt WHERE delivery = ? ORDER BY number`,
  );
  const attemptsOfAll = db.prepare(
    `SELECT ${attemptColumns}, delivery FROM delivery_attempt
     WHERE delivery IN (SELECT value FROM json_each(?)) ORDER BY delivery, number`,
  );
  const failures = db.prepare(
    `SELECT max(d.id), count(*), min(d.created_at), max(d.created_at), sum(count(*)) OVER ()
     FROM delivery d LEFT JOIN delivery_attempt a
       ON a.delivery = d.id AND a.number = (SELECT max(number) FROM delivery_attempt WHERE delivery = d.id)
     WHERE d.state IN (${states}) AND d.created_at >= ?
     GROUP BY d.endpoint, d.event_type, d.state, a.status, a.error, a.detail ORDER BY 1 DESC LIMIT ?`,
  );
  const firstDue = (suspects: 0 | 1) =>
    db.prepare(
      `SELECT min(due_at) FROM delivery WHERE endpoint = ? AND (crashes > 0) = ${suspects} AND due_at IS NOT NULL`,
    );
  const due = firstDue(0);
  const suspectDue = firstDue(1);

  const read = (order: number): Delivery | undefined => {
    const row = byId.first(order);
    return row && toShown(row);
  };

  const findExisting = ({ endpointId, eventId, resentFrom }: NewDelivery): Delivery | undefined => {
    if (resentFrom !== undefined) return undefined;
    const row = ofEvent.first(endpointId, toBlob(eventId));
    return row && toShown(row);
  };

  const nextDue = (endpointId: string): NextDue => {
    const at = due.first(endpointId)?.[0] ?? null;
    const suspectAt = suspectDue.first(endpointId)?.[0] ?? null;
    return {
      ...(at !== null && { inMs: time.until(Number(at)) }),
      ...(suspectAt !== null && { suspectInMs: time.until(Number(suspectAt)) }),
    };
  };

  return {
    read,
    findExisting,
    nextDue,
    async body(id) {
      const cell = body.first(deliveryOrder(id))?.[0];
      return cell instanceof Uint8Array ? cell : undefined;
    },
    get: async (id) => read(deliveryOrder(id)),
    attempts: async (id) => attempts.all(deliveryOrder(id)).map(toAttempt),
    async attemptsOf(ids) {
      const found = new Map<string, Attempt[]>();
      for (const row of attemptsOfAll.all(JSON.stringify(ids.map(deliveryOrder)))) {
        const id = deliveryId(Number(row.at(-1)));
        const attempts = found.get(id) ?? [];
        attempts.push(toAttempt(row));
        found.set(id, attempts);
      }
      return found;
    },
    async failures({ since, limit }) {
      const rows = failures.all(since, limit);
      return {
        failed: Number(rows[0]?.[4] ?? 0),
        groups: rows.flatMap(([order, count, first, last]) => {
          const newest = read(Number(order));
          return newest
            ? { newest, deliveries: Number(count), first: Number(first), last: Number(last) }
            : [];
        }),
      };
    },
    async list(query = {}) {
      const [sql, values] = where(query);
      return db
        .prepare(`SELECT ${shownColumns} FROM delivery ${sql} ORDER BY id DESC LIMIT ?`)
        .all(...values, query.limit ?? 100)
        .map(toShown);
    },
    async backlog(endpointId) {
      const [sql, values] = where(endpointId === undefined ? {} : { endpointId });
      const open = `${sql === '' ? 'WHERE' : `${sql} AND`} state IN ('pending', 'retrying')`;
      const [pending, retrying, held, inFlight, oldest] =
        db
          .prepare(
            `SELECT sum(state = 'pending' AND NOT held), sum(state = 'retrying' AND NOT held), sum(held),
               sum(phase <> 'waiting'), min(CASE WHEN NOT held THEN created_at END)
             FROM (SELECT state, phase, created_at, ${isHeld} AS held FROM delivery ${open})`,
          )
          .first(...values) ?? [];
      return {
        pending: Number(pending ?? 0),
        retrying: Number(retrying ?? 0),
        held: Number(held ?? 0),
        inFlight: Number(inFlight ?? 0),
        ...(typeof oldest === 'number' && { oldestAt: oldest }),
      };
    },
  };
}

export function readLatestDue(db: Sqlite): number | undefined {
  const latest = (suspects: 0 | 1): string =>
    `(SELECT max(due_at) FROM delivery
      WHERE endpoint = webhook_endpoint.id AND (crashes > 0) = ${suspects} AND due_at IS NOT NULL)`;
  const row = db
    .prepare(`SELECT max(max(ifnull(${latest(0)}, 0), ifnull(${latest(1)}, 0))) FROM webhook_endpoint`)
    .first();
  return typeof row?.[0] === 'number' ? row[0] : undefined;
}
