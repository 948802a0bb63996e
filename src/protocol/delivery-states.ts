/**
 * A `pending` delivery has no outcome yet, and a `retrying` one is waiting for its next request. The other states are final.
 * A `failed` delivery was rejected. A delivery is `exhausted` when all of its scheduled requests (four by default) have
 * failed. A `poisoned` delivery cannot be prepared, or has repeatedly crashed the process that was preparing it.
 */
export type DeliveryState = (typeof deliveryStates)[number];

/** The first two states are open, the others final. */
export const deliveryStates = [
  'pending',
  'retrying',
  'delivered',
  'failed',
  'exhausted',
  'poisoned',
] as const;

/** The states in which a delivery counts as failed. Every list, count and filter uses them. */
export const failedStates: readonly DeliveryState[] = ['failed', 'exhausted', 'poisoned'];
