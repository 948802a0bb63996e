/**
 * `pending` has no outcome yet, and `retrying` waits for its next request. The others are final: `failed` was
 * rejected, `exhausted` failed in all scheduled requests (four by default), and `poisoned` cannot be prepared
 * or repeatedly ended the process that prepared it.
 */
export type DeliveryState = 'pending' | 'retrying' | 'delivered' | 'failed' | 'exhausted' | 'poisoned';

export const deliveryStates = [
  'pending',
  'retrying',
  'delivered',
  'failed',
  'exhausted',
  'poisoned',
] as const satisfies readonly DeliveryState[];

/** The states in which a delivery counts as failed, in every list, count and filter. */
export const failedStates: readonly DeliveryState[] = ['failed', 'exhausted', 'poisoned'];
