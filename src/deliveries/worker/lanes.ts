import type { Statement, WorkerSession } from '../connection/worker-session.js';
import type { OpenRequest, HeldDeliveries, HeldDelivery } from './held-deliveries.js';
import { laneCount, type Tables } from '../model/tables.js';
import type { Clock } from '../../base/clock.js';
import type { DueDelivery } from './due-reader.js';

export interface TakenLane {
  lane: number;
  /** Whether the previous owner ended without releasing the lane. */
  orphaned: boolean;
  /** Requests that were in flight when the previous owner released the lane, and may still be. */
  open: OpenRequest[];
}

export type Lanes = ReturnType<typeof createLanes>;

/**
 * Manages the lanes that this worker delivers. Membership and lane ownership are session-level advisory locks, so
 * Postgres releases them when the session ends, even after a crash.
 */
export function createLanes(session: WorkerSession, tables: Tables, owner: string) {
  const statements = statementsOf(tables);
  const reading = new Set<number>();
  const shedding = new Set<number>();
  let keys = { lanes: 0, members: 0 };

  const lock = async (free: number[], most: number): Promise<number[]> => {
    if (most <= 0 || free.length === 0) return [];
    // Each worker starts at a random lane, so that the workers do not all try the same lanes.
    const start = Math.floor(Math.random() * free.length);
    const tried = [...free.slice(start), ...free.slice(0, start)].slice(0, most);
    const locked = await session.query(statements.lock, [tried, keys.lanes]);
    return locked.map(([lane]) => Number(lane));
  };

  const name = async (locked: number[]): Promise<TakenLane[]> => {
    if (locked.length === 0) return [];
    const named = await session.query(statements.name, [locked, owner]);
    for (const lane of locked) reading.add(lane);
    return named.map(([lane, orphaned, open]) => ({
      lane: Number(lane),
      orphaned: orphaned === true,
      open: (open as OpenRequest[] | null) ?? [],
    }));
  };

  const shed = (count: number, openOf: (lane: number) => number): number[] => {
    if (count <= 0) return [];
    const lanes = [...reading].sort((a, b) => openOf(a) - openOf(b)).slice(0, count);
    for (const lane of lanes) {
      reading.delete(lane);
      shedding.add(lane);
    }
    return lanes;
  };

  return {
    /** The lanes that this worker reads. */
    reading: () => [...reading],
    owns: (lane: number) => reading.has(lane) || shedding.has(lane),
    /**
     * Joins as a member of the workers. `alone` means that this process has no other worker. If so, no earlier session
     * of this process was lost in a crash.
     */
    async join(alone: boolean) {
      const [row] = await session.query(statements.keys, [tables.lanes, tables.endpoints]);
      keys = { lanes: Number(row?.[0]), members: Number(row?.[1]) };
      if (alone) await session.query(statements.survive, [owner]);
      await session.query(statements.join, [keys.members]);
    },
    /**
     * Takes free lanes, up to this worker's share. If the worker has too many lanes, stops reading some of them,
     * starting with those that have the fewest requests in flight.
     */
    async balance(openOf: (lane: number) => number) {
      const rows = await session.query(statements.locks, [keys.lanes, keys.members]);
      const members = rows.filter(([lane]) => lane === null).map(([, pid]) => Number(pid));
      const held = new Map(
        rows.filter(([lane]) => lane !== null).map(([lane, pid]) => [Number(lane), Number(pid)]),
      );
      const aim = shareOf(session.pid, members);
      const free = allLanes.filter((lane) => !held.has(lane));
      // Lanes that an earlier run locked without recording the owner, because the recording statement failed.
      const unnamed = [...held]
        .filter(([lane, pid]) => pid === session.pid && !reading.has(lane) && !shedding.has(lane))
        .map(([lane]) => lane);
      const locked = await lock(free, aim - reading.size - shedding.size - unnamed.length);
      const taken = await name([...unnamed, ...locked]);
      return { taken, shed: shed(reading.size - aim, openOf) };
    },
    /**
     * Releases lanes that are no longer read. A lane for which `kept` is true looks orphaned to its next owner, which
     * sends the deliveries in flight only after they have an outcome or have timed out.
     */
    async release(lanes: number[], kept: (lane: number) => boolean, openIn: (lane: number) => OpenRequest[]) {
      if (lanes.length === 0) return;
      const open = lanes.map(openIn);
      await session.query(statements.clear, [
        lanes,
        open.map((requests) => (requests.length === 0 ? null : JSON.stringify(requests))),
        owner,
        lanes.map(kept),
      ]);
      await session.query(statements.unlock, [lanes, keys.lanes]);
      for (const lane of lanes) {
        reading.delete(lane);
        shedding.delete(lane);
      }
    },
    /** Ends the membership, so that the other workers take over the lanes released by this worker. */
    async quit() {
      await session.query(statements.quit, [keys.members]);
    },
  };
}

const allLanes = Array.from({ length: laneCount }, (_, lane) => lane);

/** Returns this member's share of the lanes. The shares of all members add up to the total. */
export function shareOf(pid: number, members: readonly number[]): number {
  const rank = members.toSorted((a, b) => a - b).indexOf(pid);
  if (rank < 0) return 0;
  return Math.floor(laneCount / members.length) + (rank < laneCount % members.length ? 1 : 0);
}

const statementsOf = ({ lanes, pending }: Tables): Statements => ({
  // The OIDs of two tables, so that two schemas in the same database do not affect each other.
  keys: { name: 'lane keys', text: 'select $1::regclass::oid::int, $2::regclass::oid::int' },
  join: { name: 'join', text: 'select pg_advisory_lock_shared($1::int, 0)' },
  locks: {
    name: 'locks',
    text: `select case when classid = $1::int::oid then objid::int end, pid from pg_locks
           where locktype = 'advisory' and objsubid = 2 and granted and classid in ($1::int::oid, $2::int::oid)
             and database = (select oid from pg_database where datname = current_database())`,
  },
  lock: {
    name: 'lock lanes',
    text: 'select l from unnest($1::int[]) l where pg_try_advisory_lock($2::int, l)',
  },
  // Records the owner of a lane, so that if the owner dies, the delivery that it was preparing can be identified as
  // the cause.
  name: {
    name: 'name owner',
    text: `with old as (select lane, owner, suspect, suspects, open from ${lanes} where lane = any ($1::smallint[]) for update),
             blamed as (update ${pending} p set starts = p.starts + 1
               where p.id in (select s.id from ${pending} s
                 where s.id in (select unnest(suspects || suspect) from old) for update skip locked)),
             named as (update ${lanes} l set owner = $2, suspect = null, suspects = '{}', open = null
               from old where l.lane = old.lane)
           select lane, owner is not null, open from old`,
  },
  survive: {
    name: 'clear lost lanes',
    text: `update ${lanes} set owner = null, suspect = null, suspects = '{}' where owner = $1`,
  },
  clear: {
    name: 'clear owner',
    text: `update ${lanes} l
           set owner = case when r.kept then l.owner end, suspect = null, suspects = '{}', open = r.open
           from unnest($1::smallint[], $2::json[], $4::boolean[]) r(lane, open, kept)
           where l.lane = r.lane and l.owner = $3`,
  },
  unlock: { name: 'unlock lanes', text: 'select pg_advisory_unlock($2::int, l) from unnest($1::int[]) l' },
  quit: { name: 'quit', text: 'select pg_advisory_unlock_shared($1::int, 0)' },
});

type Statements = Record<
  'keys' | 'join' | 'locks' | 'lock' | 'name' | 'survive' | 'clear' | 'unlock' | 'quit',
  Statement
>;

/**
 * Waiting longer for an unresponsive endpoint would block all other endpoints in its lane for 10 s. The next owner
 * does not touch requests in flight until they must have ended.
 */
const longestOpenMs = 1000;

/** Adjusts this worker's share of the lanes as workers join and leave. */
export function createLaneBalance(options: {
  clock: Clock;
  lanes: Lanes;
  careful: CarefulLanes;
  held: HeldDeliveries;
  onShed(lane: number): void;
}) {
  const { clock, lanes, careful, held, onShed } = options;
  /** When each lane was given up, on the monotonic clock. */
  const shedding = new Map<number, number>();

  const release = async (given: number[]): Promise<void> => {
    // If a lane still has suspects that have not been prepared, its next owner must also prepare each of them on its own.
    await lanes.release(given, careful.has, held.openInLane);
    for (const lane of given) {
      shedding.delete(lane);
      careful.released(lane);
    }
  };

  return {
    /** Takes lanes, or gives up surplus lanes. Resolves to the lanes that were taken. */
    async balance() {
      const { taken, shed } = await lanes.balance(held.inFlightOfLane);
      for (const lane of shed) {
        shedding.set(lane, clock.monotonic());
        held.dropLane(lane);
        onShed(lane);
      }
      careful.add(taken.filter(({ orphaned }) => orphaned).map(({ lane }) => lane));
      for (const { open } of taken) held.leaveAlone(open, clock.monotonic());
      return taken.map(({ lane }) => lane);
    },
    /** Releases each lane that was given up once its last request in flight has ended, but after one second at the latest. */
    releaseShed() {
      const now = clock.monotonic();
      const isClosed = ([lane, since]: [number, number]): boolean =>
        held.inFlightOfLane(lane) === 0 || now - since > longestOpenMs;
      return release([...shedding].filter(isClosed).map(([lane]) => lane));
    },
    /** Drops the unsent deliveries, and releases all lanes and the membership. */
    async leave() {
      held.dropWaiting();
      await release([...lanes.reading(), ...shedding.keys()]);
      await lanes.quit();
    },
  };
}

export type CarefulLanes = ReturnType<typeof createCarefulLanes>;

interface Care {
  /** The newest delivery that the dead owner may have read. */
  newest: number;
  /** The deliveries that must be prepared one at a time. Counts first requests and retries of each endpoint separately. */
  suspects: Map<string, Set<number>>;
}

/**
 * The maximum number of suspects per endpoint. An owner starts with the oldest deliveries and can have several
 * requests to an endpoint in flight. If the delivery that caused the crash is not yet among these suspects, it moves
 * closer to the front each time the lane is taken over.
 */
const maxPerEndpoint = 8;

/** After an owner has died, finds out whether a delivery caused the crash, without blaming other deliveries. */
export function createCarefulLanes(session: WorkerSession, tables: Tables) {
  const { newest, suspect } = carefulStatements(tables);
  const orphaned = new Set<number>();
  const lanes = new Map<number, Care>();
  /** The lanes that may have recorded suspects. */
  const recorded = new Set<number>();
  const preparing = new Set<HeldDelivery>();

  const end = (lane: number): void => {
    lanes.delete(lane);
    orphaned.delete(lane);
  };

  return {
    /**
     * Must be called for lanes that were taken over from an owner that died. After the next `begin`, any delivery that
     * the dead owner may have been preparing is prepared on its own.
     */
    add(taken: readonly number[]) {
      for (const lane of taken) orphaned.add(lane);
    },
    /** Finds the deliveries that must be prepared one at a time. Must be called before the lanes are read. */
    async begin() {
      if (orphaned.size === 0) return;
      const [row] = await session.query(newest);
      for (const lane of orphaned) lanes.set(lane, { newest: Number(row?.[0]), suspects: new Map() });
      orphaned.clear();
    },
    isCareful({ lane, order, attempt, delivery }: DueDelivery) {
      if (delivery.crashes > 0) return true;
      const care = lanes.get(lane);
      if (!care || order > care.newest) return false;
      const key = `${attempt > 0 ? 'retry' : 'first'} ${delivery.endpointId}`;
      const suspects = care.suspects.get(key) ?? new Set();
      if (suspects.size < maxPerEndpoint) care.suspects.set(key, suspects.add(order));
      return suspects.has(order);
    },
    has: (lane: number) => lanes.has(lane) || orphaned.has(lane),
    any: () => lanes.size > 0,
    /**
     * Records in Postgres that these deliveries are about to be prepared, because preparing them might crash this
     * worker. Each record replaces the previous one.
     */
    async suspect(held: readonly HeldDelivery[]) {
      const before = [...recorded];
      for (const one of held) {
        recorded.add(one.lane);
        preparing.add(one);
      }
      try {
        await session.query(suspect, [
          held.map(({ lane }) => lane),
          held.map(({ order }) => order),
          [...recorded],
        ]);
      } catch (error) {
        for (const one of held) preparing.delete(one);
        throw error;
      }
      const now = new Set(held.map(({ lane }) => lane));
      for (const lane of before) if (!now.has(lane)) recorded.delete(lane);
    },
    /** Must be called when a delivery has been prepared without a crash. */
    prepared: (held: HeldDelivery) => void preparing.delete(held),
    /** Removes the record once all of its deliveries have been prepared. */
    async clear() {
      // A record must not be replaced while it is being written.
      if (recorded.size === 0 || preparing.size > 0) return;
      const cleared = [...recorded];
      recorded.clear();
      try {
        await session.query(suspect, [[], [], cleared]);
      } catch (error) {
        for (const lane of cleared) recorded.add(lane);
        throw error;
      }
    },
    end,
    /** Must be called when the lane belongs to a different worker. */
    released(lane: number) {
      end(lane);
      recorded.delete(lane);
    },
  };
}

function carefulStatements({ lanes, pending }: Tables): Record<'newest' | 'suspect', Statement> {
  return {
    newest: { name: 'newest', text: `select coalesce(max(id), 0) from ${pending}` },
    // The record must survive a crash of this process, but it need not survive a crash of the database server.
    suspect: {
      name: 'suspect',
      text: `update ${lanes} l set suspects = array(
               select s.id from unnest($1::smallint[], $2::bigint[]) s(lane, id) where s.lane = l.lane)
             from (select set_config('synchronous_commit', 'off', true)) unsynced
             where l.lane = any ($3::smallint[])`,
    },
  };
}
