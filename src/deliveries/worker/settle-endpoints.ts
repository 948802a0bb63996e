import type { Clock } from '../../base/clock.js';
import type { DeliveryOwner } from '../../webhooks/model/delivery-store.js';
import { laneOf } from '../model/tables.js';
import type { EndpointFeed } from './endpoint-feed.js';
import type { EndpointRows, Left } from './endpoint-rows.js';
import type { HeldDeliveries } from './held-deliveries.js';
import type { Lanes } from './lane-ownership.js';

export interface SettleEndpoints {
  /** Reads changes made by other processes, and applies them. */
  follow(): Promise<void>;
  /** Must be called if an endpoint's rows do not match its state. */
  add(endpointId: string): void;
  /** Makes `run` look for parked deliveries in lanes that have just been taken over. */
  addParked(lanes: readonly number[]): void;
  /** Parks, unparks or fails rows in batches. Resolves to true if there is more to do. */
  run(): Promise<boolean>;
}

const batchSize = 20;
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
}): SettleEndpoints {
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
    follow: () =>
      feed.read(({ changes, touched }) => {
        if (changes.length > 0) owner.onChanged(changes);
        // Deliveries that were parked earlier are found when their lane is taken over.
        const mine = followed ? touched().filter((id) => lanes.owns(laneOf(id))) : [];
        for (const id of mine) unsettled.add(id);
        followed = true;
      }),
    add(id) {
      if (!resting.has(id)) unsettled.add(id);
    },
    addParked(taken) {
      for (const lane of taken) unchecked.add(lane);
    },
    async run() {
      await checkParked();
      for (const id of [...unsettled].slice(0, batchSize)) {
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
