import type { Statement, WorkerSession } from '../connection/worker-session.js';
import type { Tables } from '../model/tables.js';
import type { DueDelivery } from './due-reader.js';
import type { HeldDelivery } from './held-deliveries.js';

export interface CarefulLanes {
  /**
   * Must be called for lanes that were taken over from an owner that died. After the next `begin`, any delivery that
   * the dead owner may have been preparing is prepared on its own.
   */
  add(lanes: readonly number[]): void;
  /** Finds the deliveries that must be prepared one at a time. Must be called before the lanes are read. */
  begin(): Promise<void>;
  isCareful(due: DueDelivery): boolean;
  has(lane: number): boolean;
  any(): boolean;
  /**
   * Records in Postgres that these deliveries are about to be prepared, because preparing them might crash this
   * worker. Each record replaces the previous one.
   */
  suspect(held: readonly HeldDelivery[]): Promise<void>;
  /** Must be called when a delivery has been prepared without a crash. */
  prepared(held: HeldDelivery): void;
  /** Removes the record once all of its deliveries have been prepared. */
  clear(): Promise<void>;
  end(lane: number): void;
  /** Must be called when the lane belongs to a different worker. */
  released(lane: number): void;
}

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
export function createCarefulLanes(session: WorkerSession, tables: Tables): CarefulLanes {
  const { newest, suspect } = statementsOf(tables);
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
    add(taken) {
      for (const lane of taken) orphaned.add(lane);
    },
    async begin() {
      if (orphaned.size === 0) return;
      const [row] = await session.query(newest);
      for (const lane of orphaned) lanes.set(lane, { newest: Number(row?.[0]), suspects: new Map() });
      orphaned.clear();
    },
    isCareful({ lane, order, attempt, delivery }) {
      if (delivery.crashes > 0) return true;
      const care = lanes.get(lane);
      if (!care || order > care.newest) return false;
      const key = `${attempt > 0 ? 'retry' : 'first'} ${delivery.endpointId}`;
      const suspects = care.suspects.get(key) ?? new Set();
      if (suspects.size < maxPerEndpoint) care.suspects.set(key, suspects.add(order));
      return suspects.has(order);
    },
    has: (lane) => lanes.has(lane) || orphaned.has(lane),
    any: () => lanes.size > 0,
    async suspect(held) {
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
    prepared: (held) => void preparing.delete(held),
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
    released(lane) {
      end(lane);
      recorded.delete(lane);
    },
  };
}

function statementsOf({ lanes, pending }: Tables): Record<'newest' | 'suspect', Statement> {
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
