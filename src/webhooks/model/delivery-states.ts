import { failedStates } from '../../protocol/delivery-states.js';
import type { Delivery, DeliveryState } from './delivery.js';
import type { DeliveryQuery } from './delivery-store.js';

/** Ids are sequential, so that they sort by age and are easy to type. */
export const deliveryId = (order: number): string => `dlv_${order}`;

/** Returns the number in an id, or 0 if the id is invalid. No delivery has the number 0. */
export const deliveryOrder = (id: string): number => Number(/^dlv_([1-9]\d{0,14})$/.exec(id)?.[1] ?? 0);

export const isFinal = (state: DeliveryState): boolean => state !== 'pending' && state !== 'retrying';

export const matchesQuery = (
  delivery: Delivery,
  { endpointId, installationId, state, failed }: DeliveryQuery,
): boolean =>
  (endpointId === undefined || delivery.endpointId === endpointId) &&
  (installationId === undefined || delivery.installationId === installationId) &&
  (state === undefined || delivery.state === state) &&
  (failed === undefined || failedStates.includes(delivery.state) === failed);

/** Returns the next state of a delivery whose sender died while `preparing` or `sending` it. */
export function recovered(delivery: Delivery, dueAt: number, now: number, poisonAfter: number): Delivery {
  if (delivery.phase === 'sending') return { ...delivery, phase: 'waiting', dueAt };
  const crashes = delivery.crashes + 1;
  if (crashes < poisonAfter) return { ...delivery, crashes, phase: 'waiting', dueAt };
  return { ...delivery, crashes, state: 'poisoned', phase: 'done', finishedAt: now };
}

/** Returns the delivery after an outcome. If the delivery will be retried, it waits until `dueAt`. */
export function settled(
  delivery: Delivery,
  state: DeliveryState,
  at: { now: number; dueAt?: number },
): Delivery {
  const attempts = delivery.attempts + 1;
  return at.dueAt === undefined
    ? { ...delivery, state, attempts, phase: 'done', finishedAt: at.now }
    : { ...delivery, state, attempts, phase: 'waiting', dueAt: at.dueAt };
}
