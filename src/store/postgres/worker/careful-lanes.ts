import type { Statement, WorkerSession } from '../connection/worker-session.js';
import type { Tables } from '../tables.js';
import type { DueDelivery } from './due-reader.js';
import type { HeldDelivery } from './held-deliveries.js';

export interface CarefulLanes {
  /** A lane was taken over from an owner that died: what it may have been preparing is prepared alone. */
  begin(lanes: number[]): Promise<void>;
  isCareful(due: DueDelivery): boolean;
  has(lane: number): boolean;
  any(): boolean;
  /** It may be the last thing that this worker does: Postgres knows of it when this resolves. */
  suspect(held: HeldDelivery): Promise<void>;
  /** Its preparation ended nothing. */
  clear(held: HeldDelivery): void;
  end(lane: number): void;
}

interface Care {
  /** The newest delivery that the dead owner can have known. */
  newest: number;
  /** First requests that were prepared, by endpoint. */
  prepared: Map<string, number>;
  /** Retries that were prepared. */
  retries: Set<number>;
}

/** More than an owner holds of one endpoint: it reads the oldest ones first. */
const mostHeldBefore = 128;

/** After the death of an owner, finds out whether a delivery ended it, without blaming the others. */
export function createCarefulLanes(session: WorkerSession, tables: Tables): CarefulLanes {
  const { newest, suspect, clear } = statementsOf(tables);
  const lanes = new Map<number, Care>();

  return {
    async begin(orphaned) {
      if (orphaned.length === 0) return;
      const [row] = await session.query(newest);
      for (const lane of orphaned)
        lanes.set(lane, { newest: Number(row?.[0]), prepared: new Map(), retries: new Set() });
    },
    isCareful({ lane, order, attempt, delivery }) {
      if (delivery.crashes > 0) return true;
      const care = lanes.get(lane);
      if (!care || order > care.newest) return false;
      return attempt > 0
        ? !care.retries.has(order)
        : (care.prepared.get(delivery.endpointId) ?? 0) < mostHeldBefore;
    },
    has: (lane) => lanes.has(lane),
    any: () => lanes.size > 0,
    async suspect({ lane, order, attempt, delivery }) {
      await session.query(suspect, [lane, order]);
      const care = lanes.get(lane);
      if (attempt > 0) care?.retries.add(order);
      else care?.prepared.set(delivery.endpointId, (care.prepared.get(delivery.endpointId) ?? 0) + 1);
    },
    clear({ lane, order }) {
      // If this fails, the session is gone, and an innocent may be blamed once.
      session.query(clear, [lane, order]).catch(() => undefined);
    },
    end: (lane) => void lanes.delete(lane),
  };
}

function statementsOf({ lanes, pending }: Tables): Record<'newest' | 'suspect' | 'clear', Statement> {
  // It has to outlive this process, and not the machine of the database.
  const unsynced = "from (select set_config('synchronous_commit', 'off', true)) unsynced";
  return {
    newest: { name: 'newest', text: `select coalesce(max(id), 0) from ${pending}` },
    suspect: { name: 'suspect', text: `update ${lanes} set suspect = $2 ${unsynced} where lane = $1` },
    clear: {
      name: 'clear suspect',
      text: `update ${lanes} set suspect = null ${unsynced} where lane = $1 and suspect = $2`,
    },
  };
}
