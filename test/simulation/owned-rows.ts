import type { Clock } from '../../src/base/clock.js';
import type {
  ClaimRequest,
  ClaimResult,
  DeliveryOwner,
  DeliveryRight,
} from '../../src/webhooks/model/delivery-store.js';
import type { Delivery } from '../../src/webhooks/model/delivery.js';
import type { Database, Lane, Session } from './database.js';
import { laneCount, type Row, type SimulatedEndpoint } from './endpoints.js';

/** What a worker knows of the rows in its lanes. */
export interface OwnedRows {
  own(owner: DeliveryOwner): DeliveryRight;
  get(id: string): Row;
  /** Reads the endpoints that have got new rows. */
  readNew(): void;
  /** The outcome is unknown: pending, as the database has it. */
  putBack(row: Row): void;
  /** Opens a lane that was taken. */
  opened(lane: number): void;
  /** Calls back once nothing of this lane is in memory. */
  whenEmpty(lane: number, callback: () => void): void;
  /** Deliveries of this lane in memory. */
  busy(lane: number): number;
}

const readMs = 2;
/** Gathering for 5 ms, and a commit. */
const writeMs = 8;

export function createOwnedRows(database: Database, session: Session, clock: Clock): OwnedRows {
  const busy = new Uint32Array(laneCount);
  const leaving = new Map<number, () => void>();
  const taken = new Map<string, Row>();
  const endpoints = new Map<string, SimulatedEndpoint>();
  let owner: DeliveryOwner | undefined;

  const inMs = ({ due }: Row): number => Math.max(0, due - clock.now());

  const tell = ({ id, pending }: SimulatedEndpoint): void => {
    const first = pending.peek();
    if (first) owner?.onDue(id, { inMs: inMs(first) });
  };

  const countBusy = (lane: number, change: number): void => {
    (busy[lane] as number) += change;
    if (busy[lane] !== 0) return;
    leaving.get(lane)?.();
    leaving.delete(lane);
  };

  const forget = (row: Row): void => {
    taken.delete(row.id);
    session.taken.delete(row);
  };

  const claim = ({ endpointId, limit }: ClaimRequest): ClaimResult => {
    const { pending, lane } = endpoints.get(endpointId) as SimulatedEndpoint;
    const rows: Row[] = [];
    for (let row = pending.peek(); row && inMs(row) === 0 && rows.length < limit; row = pending.peek()) {
      pending.pop();
      session.taken.add(row);
      taken.set(row.id, row);
      rows.push(row);
    }
    countBusy(lane, rows.length - 1);
    const next = pending.peek();
    return { endpointId, deliveries: rows.map(toDelivery), next: next ? { inMs: inMs(next) } : {} };
  };

  return {
    own(from) {
      owner = from;
      return {
        lost: new AbortController().signal,
        async claim(requests) {
          for (const { endpointId } of requests) countBusy(endpoints.get(endpointId)?.lane as number, 1);
          await clock.sleep(readMs);
          return requests.map(claim);
        },
        async markSent() {},
        async recordOutcome({ id, retryInMs }) {
          await clock.sleep(writeMs);
          const row = taken.get(id) as Row;
          const { endpoint } = row;
          forget(row);
          row.attempts += 1;
          if (retryInMs === undefined) endpoint.waiting -= 1;
          else {
            row.due = clock.now() + retryInMs;
            endpoint.pending.push(row);
          }
          if (!leaving.has(endpoint.lane)) tell(endpoint);
          countBusy(endpoint.lane, -1);
          return toDelivery(row);
        },
        async release() {},
      };
    },
    get: (id) => taken.get(id) as Row,
    readNew() {
      for (const number of session.lanes) {
        if (leaving.has(number)) continue;
        const { unread } = database.lanes[number] as Lane;
        for (const endpoint of unread) tell(endpoint);
        unread.clear();
      }
    },
    putBack(row) {
      forget(row);
      row.endpoint.pending.push(row);
      countBusy(row.endpoint.lane, -1);
    },
    opened(number) {
      const lane = database.lanes[number] as Lane;
      lane.unread.clear();
      for (const endpoint of lane.endpoints) {
        endpoints.set(endpoint.id, endpoint);
        tell(endpoint);
      }
    },
    whenEmpty(lane, callback) {
      if (busy[lane] === 0) callback();
      else leaving.set(lane, callback);
    },
    busy: (lane) => busy[lane] as number,
  };
}

const toDelivery = (row: Row): Delivery => ({
  id: row.id,
  endpointId: row.endpoint.id,
  installationId: 'ins_1',
  eventId: row.id,
  eventType: 'ping',
  state: row.attempts === 0 ? 'pending' : 'retrying',
  phase: 'preparing',
  createdAt: row.createdAt,
  attempts: row.attempts,
  requests: row.requests,
  crashes: 0,
  bodyBytes: 0,
});
