import type { NextDue } from '../../webhooks/model/delivery-store.js';
import type { DueDelivery } from './due-reader.js';

/** A delivery that has been read. It stays in memory until its outcome has been written or the delivery is dropped unsent. */
export interface HeldDelivery extends DueDelivery {
  body: Uint8Array;
  /**
   * Whether this delivery may have crashed a worker. If so, it is not prepared together with deliveries that cannot
   * have crashed a worker.
   */
  careful: boolean;
  phase: 'waiting' | 'preparing' | 'sending';
}

/** A delivery that is being sent, and the number of requests already sent for it. */
export interface OpenRequest {
  order: number;
  attempt: number;
}

interface EndpointDeliveries {
  normal: HeldDelivery[];
  careful: HeldDelivery[];
  inFlight: number;
}

export type HeldDeliveries = ReturnType<typeof createHeldDeliveries>;

/** An endpoint with this many waiting deliveries is not read. */
const enough = 16;
/** The query compares each endpoint with this list, so a longer list slows it down. */
const maxFull = 1000;
/** If there are more than this, deliveries of other endpoints are dropped and read again later. */
const maxHeld = 20_000;
const maxBytes = 64 * 1024 * 1024;
const mostElsewhere = 32;
/** The request timeout, plus some time to write the outcome. */
const mostOpenMs = 12_000;

/** Keeps a worker's deliveries in memory. */
export function createHeldDeliveries() {
  const byId = new Map<string, HeldDelivery>();
  const endpoints = createEndpointCounts();
  const lanes = new Map<number, number>();
  const elsewhere = new Map<number, { attempt: number; until: number }>();
  let bytes = 0;

  const forget = ({ delivery, body }: HeldDelivery): void => {
    if (byId.delete(delivery.id)) bytes -= body.byteLength;
  };

  const dropEndpoint = (id: string): void => endpoints.empty(id).forEach(forget);

  const leave = (held: HeldDelivery): void => {
    lanes.set(held.lane, (lanes.get(held.lane) ?? 1) - 1);
    endpoints.change(held.delivery.endpointId, (endpoint) => (endpoint.inFlight -= 1));
  };

  const makeRoom = (): void => {
    for (const id of endpoints.ids()) {
      if (byId.size <= maxHeld && bytes <= maxBytes) return;
      dropEndpoint(id);
    }
  };

  const all = (isMeant: (held: HeldDelivery) => boolean): HeldDelivery[] =>
    [...byId.values()].filter(isMeant);

  return {
    get: (id: string) => byId.get(id),
    /** Adds deliveries that are not in memory yet. Returns the endpoints with new deliveries. */
    add(deliveries: HeldDelivery[]) {
      if (byId.size > maxHeld || bytes > maxBytes) makeRoom();
      const added = new Set<string>();
      for (const held of deliveries) {
        const { id, endpointId } = held.delivery;
        if (byId.has(id)) continue;
        byId.set(id, held);
        bytes += held.body.byteLength;
        endpoints.change(endpointId, (endpoint) => listOf(endpoint, held.careful).push(held));
        added.add(endpointId);
      }
      return added;
    },
    /** Claims waiting deliveries. */
    take(endpointId: string, limit: number, careful: boolean) {
      const taken = endpoints.change(endpointId, (endpoint) => {
        const first = listOf(endpoint, careful).splice(0, limit);
        endpoint.inFlight += first.length;
        return first;
      });
      for (const held of taken) {
        held.phase = 'preparing';
        lanes.set(held.lane, (lanes.get(held.lane) ?? 0) + 1);
      }
      return taken;
    },
    /** Puts back a delivery that was claimed but not sent. */
    putBack(held: HeldDelivery) {
      endpoints.change(held.delivery.endpointId, (endpoint) => listOf(endpoint, held.careful).unshift(held));
      leave(held);
      held.phase = 'waiting';
    },
    /** The number of deliveries that could be sent now. */
    waiting: (id: string) => endpoints.of(id)?.normal.length ?? 0,
    nextDue: (id: string) => nextDueOf(endpoints.of(id)),
    /** The due time of the oldest delivery that could be sent now. */
    oldestDue: endpoints.oldestDue,
    /** Must be called when the delivery's outcome has been written. */
    finish(held: HeldDelivery) {
      forget(held);
      leave(held);
    },
    /** Drops a lane's waiting deliveries from memory but not from the database. */
    dropLane: (lane: number) =>
      all((held) => held.lane === lane).forEach(({ delivery }) => dropEndpoint(delivery.endpointId)),
    dropEndpoint,
    dropWaiting: () => [...endpoints.ids()].forEach(dropEndpoint),
    inFlight: (endpointId: string) =>
      all(({ delivery, phase }) => delivery.endpointId === endpointId && phase !== 'waiting').map(
        ({ order }) => order,
      ),
    inFlightOfLane: (lane: number) => lanes.get(lane) ?? 0,
    openInLane: (lane: number) =>
      all((held) => held.lane === lane && held.phase !== 'waiting').map(({ order, attempt }) => ({
        order,
        attempt,
      })),
    /** Marks deliveries that another worker is sending. They are skipped until their requests are certain to have ended. */
    leaveAlone(open: readonly OpenRequest[], now: number) {
      for (const [order, { until }] of elsewhere) if (until <= now) elsewhere.delete(order);
      for (const { order, attempt } of open) elsewhere.set(order, { attempt, until: now + mostOpenMs });
    },
    /** Whether another worker is sending this delivery. */
    isElsewhere({ order, attempt }: DueDelivery, now: number) {
      const sender = elsewhere.get(order);
      if (sender && sender.attempt === attempt && sender.until > now) return true;
      elsewhere.delete(order);
      return false;
    },
    /** The highest number of deliveries in flight to a single endpoint, in this worker and others. */
    maxInFlight: () => endpoints.maxInFlight() + Math.min(elsewhere.size, mostElsewhere),
    /** The lanes that still have deliveries to prepare one at a time. */
    carefulLanes: () =>
      new Set(all((held) => held.careful && held.phase !== 'sending').map(({ lane }) => lane)),
    /** At most 1,000 endpoints that have enough deliveries for now. */
    full: () =>
      new Map(
        endpoints
          .full()
          .slice(0, maxFull)
          .map((id) => [id, laneOf(endpoints.of(id))]),
      ),
    size: () => byId.size,
  };
}

const listOf = (endpoint: EndpointDeliveries, careful: boolean): HeldDelivery[] =>
  careful ? endpoint.careful : endpoint.normal;

const nextDueOf = ({ normal, careful }: EndpointDeliveries = noDeliveries): NextDue => ({
  ...(normal.length > 0 && { inMs: 0 }),
  ...(careful.length > 0 && { suspectInMs: 0 }),
});

const laneOf = ({ normal, careful }: EndpointDeliveries = noDeliveries): number =>
  (normal[0] ?? careful[0])?.lane ?? -1;

const noDeliveries: EndpointDeliveries = { normal: [], careful: [], inFlight: 0 };

/** Counts items per endpoint. Removes endpoints whose count reaches 0. */
function createEndpointCounts() {
  const byEndpoint = new Map<string, EndpointDeliveries>();
  const full = new Set<string>();

  const change = <T>(id: string, work: (endpoint: EndpointDeliveries) => T): T => {
    const endpoint = byEndpoint.get(id) ?? { normal: [], careful: [], inFlight: 0 };
    const result = work(endpoint);
    const waiting = endpoint.normal.length + endpoint.careful.length;
    if (waiting + endpoint.inFlight > 0) byEndpoint.set(id, endpoint);
    else byEndpoint.delete(id);
    if (waiting >= enough) full.add(id);
    else full.delete(id);
    return result;
  };

  return {
    change,
    of: (id: string) => byEndpoint.get(id),
    ids: () => byEndpoint.keys(),
    full: () => [...full],
    /** Removes and returns all waiting deliveries. */
    empty: (id: string) =>
      change(id, (endpoint) => [...endpoint.normal.splice(0), ...endpoint.careful.splice(0)]),
    oldestDue() {
      let oldest: number | undefined;
      for (const { normal, careful } of byEndpoint.values()) {
        for (const held of [normal[0], careful[0]]) {
          if (held) oldest = Math.min(oldest ?? Infinity, held.delivery.dueAt ?? Infinity);
        }
      }
      return oldest;
    },
    maxInFlight() {
      let most = 0;
      for (const { inFlight } of byEndpoint.values()) most = Math.max(most, inFlight);
      return most;
    },
  };
}
