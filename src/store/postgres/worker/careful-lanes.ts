import type { Statement, WorkerSession } from '../connection/worker-session.js';
import type { Tables } from '../tables.js';
import type { DueDelivery } from './due-reader.js';
import type { HeldDelivery } from './held-deliveries.js';

export interface CarefulLanes {
  /**
   * Call this for lanes that were taken over from an owner that died: deliveries that it may have been
   * preparing are prepared one at a time, from the next `begin` on.
   */
  add(lanes: readonly number[]): void;
  /** Finds out which deliveries those are. Call this before the lanes are read. */
  begin(): Promise<void>;
  isCareful(due: DueDelivery): boolean;
  has(lane: number): boolean;
  any(): boolean;
  /** Records in Postgres that this delivery is being prepared, before it might crash this worker. */
  suspect(held: HeldDelivery): Promise<void>;
  /** Preparing the delivery did not crash the worker. */
  clear(held: HeldDelivery): void;
  /** Writes the last `clear` to Postgres, unless a `suspect` already has. */
  flush(): Promise<void>;
  end(lane: number): void;
}

interface Care {
  /** The newest delivery that the dead owner may have seen. */
  newest: number;
  /**
   * The deliveries that are prepared one at a time; first requests and retries of each endpoint are counted
   * separately.
   */
  suspects: Map<string, Set<number>>;
}

/**
 * An owner has several requests to an endpoint in flight and begins with the oldest deliveries. A
 * delivery that crashed the owner and is beyond this number moves closer to the front with each takeover.
 */
const maxPerEndpoint = 8;

/** After an owner died, finds out if a delivery caused it, without blaming other deliveries. */
export function createCarefulLanes(session: WorkerSession, tables: Tables): CarefulLanes {
  const { newest, suspect, clear } = statementsOf(tables);
  const orphaned = new Set<number>();
  const lanes = new Map<number, Care>();
  let cleared: number | undefined;

  /** If the write fails, the next one has to clear the lane. */
  const clearing = async (write: (lane: number | undefined) => Promise<unknown>): Promise<void> => {
    const lane = cleared;
    cleared = undefined;
    try {
      await write(lane);
    } catch (error) {
      cleared ??= lane;
      throw error;
    }
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
    async suspect({ lane, order }) {
      await clearing((other = lane) => session.query(suspect, [lane, order, other]));
    },
    clear({ lane }) {
      cleared = lane;
    },
    async flush() {
      if (cleared === undefined) return;
      await clearing((lane) => session.query(clear, [lane]));
    },
    end(lane) {
      lanes.delete(lane);
      orphaned.delete(lane);
    },
  };
}

function statementsOf({ lanes, pending }: Tables): Record<'newest' | 'suspect' | 'clear', Statement> {
  // The write has to survive a crash of this process, but not of the database server.
  const unsynced = "from (select set_config('synchronous_commit', 'off', true)) unsynced";
  return {
    newest: { name: 'newest', text: `select coalesce(max(id), 0) from ${pending}` },
    suspect: {
      name: 'suspect',
      text: `update ${lanes} set suspect = case when lane = $1 then $2::bigint end ${unsynced}
             where lane in ($1::smallint, $3::smallint)`,
    },
    clear: { name: 'clear suspect', text: `update ${lanes} set suspect = null ${unsynced} where lane = $1` },
  };
}
