import type { Clock } from '../../base/clock.js';
import { createTurns } from '../../base/turns.js';
import type { DeliveryOwner } from '../../webhooks/model/delivery-store.js';
import type { CarefulLanes } from './careful-lanes.js';
import type { DueDelivery } from './due-reader.js';
import type { EndpointFeed } from './endpoint-feed.js';
import type { EndpointRows } from './endpoint-rows.js';
import type { HeldDeliveries } from './held-deliveries.js';
import type { SettleEndpoints } from './settle-endpoints.js';

const tryAgainMs = 10_000;

const isLoaded = (due: DueDelivery): due is DueDelivery & { body: Uint8Array } => due.body !== undefined;

/** Accepts the deliveries that can be sent now, and reports them as due. */
export function createAccept(options: {
  clock: Clock;
  owner: DeliveryOwner;
  poisonLarge(due: DueDelivery): Promise<unknown>;
  held: HeldDeliveries;
  careful: CarefulLanes;
  feed: EndpointFeed;
  rows: EndpointRows;
  endpoints: SettleEndpoints;
}): (due: DueDelivery[]) => Promise<void> {
  const { clock, owner, held, careful, feed, rows, endpoints, poisonLarge } = options;
  const inTurn = createTurns();
  const large = new Set<number>();
  const isPoison = ({ delivery }: DueDelivery): boolean => delivery.crashes >= owner.poisonAfter - 1;
  const statusOf = ({ delivery }: DueDelivery) => feed.statusOf(delivery.endpointId);

  /** Sets aside a delivery that is too large. The caller does not wait for this, so other deliveries are not delayed. */
  const setAside = async (one: DueDelivery): Promise<void> => {
    if (large.has(one.order)) return;
    large.add(one.order);
    try {
      await inTurn(() => poisonLarge(one));
    } catch (error) {
      owner.onTrouble(error);
      await clock.sleep(tryAgainMs);
    }
    large.delete(one.order);
  };

  return async (due) => {
    const now = clock.monotonic();
    const found = due.filter((one) => held.get(one.delivery.id) === undefined && !held.isElsewhere(one, now));
    for (const one of found) if (!isLoaded(one)) void setAside(one);
    const read = found.filter(isLoaded);
    // The endpoint may have just been added.
    if (read.some((one) => statusOf(one) === 'unknown')) await endpoints.follow();
    // `crashes` does not include a delivery's first crash, which left only the owner's name in the lane.
    const poison = read.filter(isPoison);
    if (poison.length > 0) await rows.poison(poison.map(({ order }) => order)).catch(owner.onTrouble);
    const healthy = read.filter((one) => !isPoison(one));
    for (const one of healthy) if (statusOf(one) !== 'open') endpoints.add(one.delivery.endpointId);
    const open = healthy.filter((one) => statusOf(one) === 'open');
    const added = held.add(
      open.map((one) => ({ ...one, careful: careful.isCareful(one), phase: 'waiting' as const })),
    );
    for (const id of added) owner.onDue(id, held.nextDue(id));
  };
}
