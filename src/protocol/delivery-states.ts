/**
 * A `pending` delivery has no outcome yet, and a `retrying` one is waiting for its next request. A `held` delivery waits until
 * its endpoint is enabled, or its installation resumed. The other states are final.
 * A `failed` delivery was rejected. A delivery is `exhausted` when all of its scheduled requests (four by default) have
 * failed. A `poisoned` delivery cannot be prepared, or has repeatedly crashed the process that was preparing it.
 */
export type DeliveryState = (typeof deliveryStates)[number];

const openStates = ['pending', 'retrying', 'held'] as const;
export const finalStates = ['delivered', 'failed', 'exhausted', 'poisoned'] as const;
export const deliveryStates = [...openStates, ...finalStates] as const;

export const isFinal = (state: DeliveryState): boolean => finalStates.some((final) => final === state);

/** Counts all deliveries that have not ended. */
export const countOpen = ({ pending, retrying, held }: Record<(typeof openStates)[number], number>): number =>
  pending + retrying + held;

/** The states in which a delivery counts as failed. Every list, count and filter uses them. */
export const failedStates: readonly DeliveryState[] = ['failed', 'exhausted', 'poisoned'];
