import { api } from '../api/requests.js';
import { onLive } from './live-stream.js';
import { createPagedList } from '../api/paged-list.js';
import type { DeliveryFilter, DeliveryResource } from '../api/response-types.js';

const failures = new Set<DeliveryResource['state']>(['failed', 'exhausted', 'poisoned']);

export const deliveries = createPagedList<DeliveryResource, DeliveryFilter>({
  filter: { failed: false },
  load: api.deliveries,
  matches: ({ state }, { failed }) => !failed || failures.has(state),
  timeOf: ({ createdAt }) => createdAt,
  schedule: (draw) => void requestAnimationFrame(draw),
});

/** While somebody looks at them. */
export function followDeliveries(): () => void {
  deliveries.reload();
  return onLive((event) => {
    if (event.type === 'delivery') deliveries.put(event.delivery);
    else if (event.type === 'endpoint' || event.type === 'state-loaded' || event.type === 'reset')
      deliveries.reload();
  });
}
