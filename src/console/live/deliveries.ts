import { withMessage } from '../../base/text/response-message.js';
import { bodyText } from '../text/readable-body.js';
import { api } from '../api/fetch-api.js';
import { isOf } from './integration-facet.js';
import { onLive } from './live-stream.js';
import { createPagedList, pageSize } from '../api/paged-list.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { failedStates } from '../../protocol/delivery-states.js';
import type { AttemptResource, DeliveryFailures, ListedDelivery } from '../../contract/routes/webhooks.js';
import { useResource } from './use-resource.js';

interface DeliveryFilter {
  failed: boolean;
  endpoint?: string | undefined;
  integration?: string | undefined;
}

export const deliveries = createPagedList<ListedDelivery, DeliveryFilter>({
  filter: { failed: false },
  load: async ({ failed, ...filter }, oldest) => {
    const query = { ...filter, failed: failed || undefined, before: oldest?.id, limit: pageSize };
    return (await api('GET /deliveries', query)).reverse();
  },
  matches: ({ state, endpointId, integration }, { failed, endpoint = endpointId, ...filter }) =>
    endpointId === endpoint &&
    isOf(filter.integration)({ integration }) &&
    (!failed || failedStates.includes(state)),
  timeOf: ({ createdAt }) => createdAt,
  schedule: (draw) => void requestAnimationFrame(draw),
});

const mostGroups = 20;
const noFailures: DeliveryFailures = { failed: 0, groups: [] };

/** Returns the number of deliveries that failed since the last save, in groups. */
export function useFailedDeliveries(platform: PlatformResource | undefined): DeliveryFailures {
  const since = platform?.versionSince ?? 0;
  const { data = noFailures } = useResource(
    `deliveries failed since ${since}`,
    () => api('GET /deliveries/failures', { since, limit: mostGroups }),
    (event) =>
      event.type === 'endpoint' ||
      event.type === 'state-loaded' ||
      (event.type === 'delivery' && failedStates.includes(event.delivery.state)),
  );
  return data;
}

/** Returns the result in the same format as the list of deliveries, with an error message instead of the body. */
export function outcomeOf({ result }: AttemptResource): NonNullable<ListedDelivery['lastResult']> {
  return result.kind === 'answer' ? withMessage(result.status, () => bodyText(result.body)) : result;
}

/** Keeps the deliveries up to date while a view shows them. */
export function followDeliveries(): () => void {
  deliveries.reload();
  const stop = onLive((event) => {
    if (event.type === 'delivery')
      deliveries.put({
        ...event.delivery,
        ...(event.attempt && {
          lastResult: outcomeOf(event.attempt),
          lastDurationMs: event.attempt.durationMs,
        }),
      });
    else if (event.type === 'endpoint' || event.type === 'state-loaded' || event.type === 'reset')
      deliveries.reload();
  });
  return () => {
    stop();
    deliveries.filter.set({ failed: deliveries.filter.get().failed });
  };
}
