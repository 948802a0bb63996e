import { api } from '../api/fetch-api.js';
import { onLive } from './live-stream.js';
import { createPagedList, pageSize } from '../api/paged-list.js';
import type { ListedDelivery } from '../../contract/routes/webhooks.js';

const failures = new Set<ListedDelivery['state']>(['failed', 'exhausted', 'poisoned']);

export const deliveries = createPagedList<ListedDelivery, { failed: boolean }>({
  filter: { failed: false },
  load: async ({ failed }, oldest) => {
    const query = { failed: failed || undefined, before: oldest?.id, limit: pageSize };
    return (await api('GET /deliveries', query)).reverse();
  },
  matches: ({ state }, { failed }) => !failed || failures.has(state),
  timeOf: ({ createdAt }) => createdAt,
  schedule: (draw) => void requestAnimationFrame(draw),
});

/** Updates the deliveries while a view shows them. */
export function followDeliveries(): () => void {
  deliveries.reload();
  return onLive((event) => {
    if (event.type === 'delivery')
      deliveries.put({ ...event.delivery, ...(event.attempt && { lastResult: event.attempt.result }) });
    else if (event.type === 'endpoint' || event.type === 'state-loaded' || event.type === 'reset')
      deliveries.reload();
  });
}
