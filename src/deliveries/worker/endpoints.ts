import type { Clock } from '../../base/clock.js';
import type { DeliveryOwner, EndpointChange } from '../../webhooks/model/delivery-store.js';
import { insertDone } from '../model/rows.js';
import { laneOf, type Tables } from '../model/tables.js';
import type { HeldDeliveries } from './held-deliveries.js';
import type { Lanes } from './lanes.js';
import type { Endpoint } from '../../webhooks/model/endpoint.js';
import type { Row, Statement, WorkerSession } from '../connection/worker-session.js';

export type SettleEndpoints = ReturnType<typeof createSettleEndpoints>;

const endpointsAtOnce = 20;
/** The delay before retrying a change to rows that another session has locked or that the database left unchanged. */
const tryAgainMs = 1000;

/** Updates an endpoint's rows to match its state: waiting, parked or failed. */
export function createSettleEndpoints(options: {
  clock: Clock;
  owner: DeliveryOwner;
  feed: EndpointFeed;
  rows: EndpointRows;
  held: HeldDeliveries;
  lanes: Lanes;
  /** Called when deliveries in this lane have been unparked. Their due times may be long past. */
  onUnparked(lane: number): void;
}) {
  const { clock, owner, feed, rows, held, lanes, onUnparked } = options;
  const unsettled = new Set<string>();
  const resting = new Set<string>();
  /** Lanes that have not yet been checked for parked deliveries. */
  const unchecked = new Set<number>();
  let followed = false;

  const settle = async (id: string, lane: number): Promise<Left> => {
    if (!lanes.owns(lane)) return 'none';
    const status = feed.statusOf(id);
    if (status === 'open') return rows.unpark(id, lane).finally(() => onUnparked(lane));
    held.dropEndpoint(id);
    return status === 'closed' ? rows.park(id, lane) : rows.fail(id, lane, held.inFlight(id));
  };

  const rest = async (id: string): Promise<void> => {
    resting.add(id);
    await clock.sleep(tryAgainMs);
    resting.delete(id);
    unsettled.add(id);
  };

  const checkParked = async (): Promise<void> => {
    if (unchecked.size === 0) return;
    const checked = [...unchecked];
    for (const { endpointId } of await rows.parked(checked)) {
      if (feed.statusOf(endpointId) !== 'closed') unsettled.add(endpointId);
    }
    for (const lane of checked) unchecked.delete(lane);
  };

  return {
    /** Reads changes made by other processes, and applies them. */
    follow: () =>
      feed.read(({ changes, touched }) => {
        if (changes.length > 0) owner.onChanged(changes);
        // Deliveries that were parked earlier are found when their lane is taken over.
        const mine = followed ? touched().filter((id) => lanes.owns(laneOf(id))) : [];
        for (const id of mine) unsettled.add(id);
        followed = true;
      }),
    /** Must be called if an endpoint's rows do not match its state. */
    add(id: string) {
      if (!resting.has(id)) unsettled.add(id);
    },
    /** Makes `run` look for parked deliveries in lanes that have just been taken over. */
    addParked(taken: readonly number[]) {
      for (const lane of taken) unchecked.add(lane);
    },
    /** Parks, unparks or fails rows in batches. Resolves to true if there is more to do. */
    async run() {
      await checkParked();
      for (const id of [...unsettled].slice(0, endpointsAtOnce)) {
        // An endpoint whose rows cannot be changed must not block the others.
        const left = await settle(id, laneOf(id)).catch((error: unknown) => {
          owner.onTrouble(error);
          return 'locked';
        });
        unsettled.delete(id);
        // Moves the endpoint to the end of the queue, so that other endpoints get their turn.
        if (left === 'more') unsettled.add(id);
        if (left === 'locked') void rest(id);
      }
      return unsettled.size > 0;
    },
  };
}

/** All endpoints as of one revision. */
export interface EndpointSnapshot {
  endpoints: readonly Endpoint[];
  revision: string;
}

/** The changes, and the endpoints that may have been opened, closed or removed by them. */
export interface FeedNews {
  changes: EndpointChange[];
  touched(): string[];
}

export type EndpointFeed = ReturnType<typeof createEndpointFeed>;

const page = 5000;

/**
 * Tracks changes to endpoints by revision. Reports only changes after `known`, because the caller has already read
 * earlier ones.
 */
export function createEndpointFeed(
  session: WorkerSession,
  tables: Tables,
  readEndpoint: (value: unknown) => Endpoint,
  known?: EndpointSnapshot,
) {
  const { readEndpoints, readInstallations } = statementsOf(tables);
  const endpoints = new Map<string, Endpoint>();
  const paused = new Set<string>();
  let seenEndpoints = known?.revision ?? '0';
  let seenInstallations = '0';

  for (const endpoint of known?.endpoints ?? []) endpoints.set(endpoint.id, endpoint);

  const readNewEndpoints = async (): Promise<Row[]> => {
    const found: Row[] = [];
    for (let full = true; full;) {
      const rows = await session.query(readEndpoints, [lastRevision(found) ?? seenEndpoints]);
      found.push(...rows);
      full = rows.length === page;
    }
    return found;
  };

  const noteInstallation = ([id, isPaused]: Row): EndpointChange => {
    const installationId = Buffer.from(id as Uint8Array).toString();
    if (isPaused === true) paused.add(installationId);
    else paused.delete(installationId);
    return { type: 'paused', installationId, paused: isPaused === true };
  };

  const noteEndpoint = ([id, value, removed]: Row): EndpointChange => {
    const endpointId = String(id);
    if (removed === true) {
      endpoints.delete(endpointId);
      return { type: 'removed', endpointId };
    }
    const endpoint = readEndpoint(value);
    endpoints.set(endpoint.id, endpoint);
    return { type: 'endpoint', endpoint };
  };

  const touchedBy = (changes: EndpointChange[]): string[] => {
    const installations = new Set<string>();
    const touched = new Set<string>();
    for (const change of changes) {
      if (change.type === 'paused') installations.add(change.installationId);
      else touched.add(change.type === 'removed' ? change.endpointId : change.endpoint.id);
    }
    if (installations.size > 0) {
      for (const [id, { installationId }] of endpoints) {
        if (installations.has(installationId)) touched.add(id);
      }
    }
    return [...touched];
  };

  return {
    /** Reads new changes. If reading them or calling `use` fails, the next call reads all of them again. */
    async read(use: (news: FeedNews) => void) {
      const installations = await session.query(readInstallations, [seenInstallations]);
      const rows = await readNewEndpoints();
      const changes = [...installations.map(noteInstallation), ...rows.map(noteEndpoint)];
      use({ changes, touched: () => touchedBy(changes) });
      seenInstallations = lastRevision(installations) ?? seenInstallations;
      seenEndpoints = lastRevision(rows) ?? seenEndpoints;
    },
    /** `closed` means that the endpoint is disabled or its installation is paused. */
    statusOf(endpointId: string) {
      const endpoint = endpoints.get(endpointId);
      if (!endpoint) return 'unknown';
      return endpoint.enabled && !paused.has(endpoint.installationId) ? 'open' : 'closed';
    },
  };
}

/** The revision is in the last column of each row. */
const lastRevision = (rows: Row[]): string | undefined => rows.at(-1)?.at(-1) as string | undefined;

const statementsOf = ({
  endpoints,
  installations,
}: Tables): Record<'readEndpoints' | 'readInstallations', Statement> => ({
  readEndpoints: {
    name: 'changed endpoints',
    text: `select id, value, removed_at is not null, revision from ${endpoints}
           where revision > $1::bigint order by revision limit ${page}`,
  },
  readInstallations: {
    name: 'changed installations',
    text: `select id, paused, revision from ${installations} where revision > $1::bigint order by revision`,
  },
});

/** What remains to be changed: nothing, more rows, or only rows that other sessions have locked. */
export type Left = 'none' | 'more' | 'locked';

/** Changes many of an endpoint's deliveries in batches. Skips rows that another session has locked. */
export type EndpointRows = ReturnType<typeof createEndpointRows>;

const batchSize = 2000;
const kinds = ['attempt = 0 and not parked', 'attempt > 0 and not parked', 'parked'] as const;

export function createEndpointRows(session: WorkerSession, tables: Tables, maxBodyBytes: number) {
  const { pending } = tables;
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
     log as (${insertDone(tables, { from: 'changed', state: `'${state}'`, body })})`;
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
    /** Parks the waiting deliveries of a paused or disabled endpoint, so that later reads skip them. */
    park: (endpointId: string, lane: number) => changeAll(park, [lane, endpointId]),
    unpark: (endpointId: string, lane: number) => change(unpark, [lane, endpointId]),
    /** Fails the waiting deliveries of a removed endpoint. A delivery in flight ends with its request. */
    fail: (endpointId: string, lane: number, inFlight: number[]) =>
      changeAll(fail, [lane, endpointId, inFlight]),
    async parked(lanes: readonly number[]) {
      const rows = await session.query(parkedHeads, [lanes]);
      return rows.map(([lane, endpointId]) => ({ lane: Number(lane), endpointId: String(endpointId) }));
    },
    /** Sets aside deliveries that have repeatedly crashed their workers. */
    async poison(orders: number[]) {
      await session.query(poison, [orders]);
    },
  };
}
