import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { api } from '../api/fetch-api.js';
import { deliveries, followDeliveries } from '../live/deliveries.js';
import { isOf } from '../live/integration-facet.js';
import type { DeliveryFailures, ListedEndpoint } from '../../contract/routes/webhooks.js';
import { failedStates } from '../../protocol/delivery-states.js';
import { retryDelaysInWords } from '../../protocol/default-retry-delays.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { useResource } from '../live/use-resource.js';
import { Button } from '../ui/button.js';
import { useCell } from '../ui/state/observable-cell.js';
import { useDraft } from '../live/kept-drafts.js';
import { ListAndDetail } from '../ui/list-and-detail.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Unreadable } from '../ui/messages/unreadable.js';
import { Status } from '../ui/status.js';
import { NotInstalled } from '../shell/not-installed.js';
import { go, GoLink } from '../shell/navigation.js';
import { formatDuration, formatTime } from '../text/format.js';
import { AddEndpoint } from './add-endpoint.js';
import { DeliveryDetail } from './delivery-detail.js';
import { DeliveryList } from './delivery-list.js';
import { healthWords } from './endpoint-health.js';
import { RepeatedFailures } from './repeated-failures.js';
import { addressWords, targetTitle } from './webhook-words.js';
import { EndpointDetail } from './endpoint-detail.js';

interface WebhooksViewProps {
  platform: PlatformResource;
  route: { endpoint?: string; delivery?: string; failed?: true };
  failures: DeliveryFailures;
}

export function WebhooksView({ platform, route, failures }: WebhooksViewProps): JSX.Element {
  const [adding, setAdding] = useDraft('adding an endpoint', false);
  const { data, error, read } = useResource(
    'endpoints',
    () => api('GET /webhooks'),
    // Reloads after each request, because it changes the health of its endpoint.
    (event) =>
      event.type === 'endpoint' ||
      event.type === 'state-loaded' ||
      (event.type === 'delivery' && !!event.attempt),
  );
  const add = (): void => setAdding(true);
  const { failed, integration } = useCell(deliveries.filter);
  useEffect(followDeliveries, []);
  // Turns the filter on again each time a link to the failed deliveries is opened, because each link creates a new route.
  useEffect(() => {
    if (route.failed) deliveries.setFilter({ failed: true });
    // A delivery stays in the list that it was opened from.
    else if (route.delivery === undefined && route.endpoint !== deliveries.filter.get().endpoint)
      deliveries.setFilter({ failed, endpoint: route.endpoint, integration });
  }, [route]);
  const { lines } = useCell(deliveries.view);
  // Deliveries can exist without an endpoint, because they are kept when their endpoint is removed.
  const sent = lines.length > 0 || failed || integration !== undefined || route.delivery !== undefined;
  return (
    <>
      {!data ? (
        error === undefined ? (
          <LoadingState lines={6} />
        ) : (
          <Unreadable what="The endpoints" error={error} again={read} />
        )
      ) : data.length === 0 && !sent && platform.installations.length === 0 ? (
        <NotInstalled
          icon="webhooks"
          platform={platform}
          because="An endpoint receives the events of an installation."
        />
      ) : data.length === 0 && !sent ? (
        <EmptyState
          icon="webhooks"
          title="No endpoints yet"
          action={
            <Button kind="primary" icon="plus" onPress={add}>
              Add an endpoint
            </Button>
          }
        >
          <p>
            Enter a URL and choose its events. Deliveries are signed, and retried after {retryDelaysInWords}.
            Each attempt is shown here.
          </p>
        </EmptyState>
      ) : (
        <Endpoints endpoints={data} platform={platform} route={route} failures={failures} onAdd={add} />
      )}
      {adding && <AddEndpoint platform={platform} onClose={() => setAdding(false)} />}
    </>
  );
}

interface EndpointsProps extends WebhooksViewProps {
  endpoints: readonly ListedEndpoint[];
  onAdd: () => void;
}

function Endpoints({ endpoints, platform, route, failures, onAdd }: EndpointsProps): JSX.Element {
  const endpoint = endpoints.find(({ id }) => id === route.endpoint);
  const ofChosen = isOf(useCell(deliveries.filter).integration);
  return (
    <ListAndDetail
      list={
        <>
          <div class="bar list-head">
            <h2 class="grow">Endpoints</h2>
            <Button size="small" kind="primary" icon="plus" onPress={onAdd}>
              Endpoint
            </Button>
          </div>
          <ul class="endpoint-list">
            {endpoints.filter(ofChosen).map((one) => (
              <EndpointRow
                key={one.id}
                endpoint={one}
                platform={platform}
                current={one.id === route.endpoint}
              />
            ))}
          </ul>
          <RepeatedFailures groups={failures.groups.filter(ofChosen)} endpoint={route.endpoint} />
          <DeliveryList endpoints={endpoints} current={route.delivery} />
        </>
      }
      detail={
        route.delivery !== undefined ? (
          <DeliveryDetail key={route.delivery} id={route.delivery} endpoints={endpoints} />
        ) : endpoint ? (
          <EndpointDetail key={endpoint.id} endpoint={endpoint} platform={platform} />
        ) : route.endpoint !== undefined ? (
          <EmptyState
            icon="search"
            title="Endpoint not found"
            action={<Button onPress={() => go({ view: 'webhooks' })}>Back to the list</Button>}
          />
        ) : undefined
      }
    />
  );
}

const mostDurations = 30;

/** How long the endpoint's latest requests took, with failed ones in red. */
function Durations({ endpoint }: { endpoint: string }): JSX.Element | null {
  const sent = useCell(deliveries.view)
    .lines.filter(({ endpointId, lastDurationMs }) => endpointId === endpoint && lastDurationMs !== undefined)
    .slice(0, mostDurations)
    .toReversed();
  if (sent.length === 0) return null;
  const durations = sent.map(({ lastDurationMs = 0 }) => lastDurationMs);
  const longest = Math.max(1, ...durations);
  return (
    <span
      class="durations"
      role="img"
      aria-label={`The latest ${sent.length} requests took up to ${formatDuration(longest)}`}
      title={`Up to ${formatDuration(longest)}`}
    >
      {sent.map(({ id, state }, index) => (
        <span
          key={id}
          class={failedStates.includes(state) ? 'bad' : undefined}
          style={{ height: `${(100 * (durations[index] ?? 0)) / longest}%` }}
        />
      ))}
    </span>
  );
}

function EndpointRow(props: {
  endpoint: ListedEndpoint;
  platform: PlatformResource;
  current: boolean;
}): JSX.Element {
  const { endpoint, platform, current } = props;
  const health = healthWords(endpoint);
  const { since } = endpoint.health;
  const { name, host } = addressWords(endpoint.url);
  return (
    <li>
      <GoLink
        to={{ view: 'webhooks', endpoint: endpoint.id }}
        class={current ? 'bar pick option active' : 'bar pick option'}
        current={current}
      >
        <span class="column grow cut">
          <span class="mono cut-left" title={endpoint.url}>
            <span dir="ltr">{name}</span>
          </span>
          <span class="quiet small cut">
            {[endpoint.integration, host, targetTitle(platform, endpoint), endpoint.events.join(', ')]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
        <Durations endpoint={endpoint.id} />
        <span class="column endpoint-rate">
          <Status tone={health.tone}>{health.text}</Status>
          {since !== undefined && <span class="quiet small number">since {formatTime(since)}</span>}
        </span>
      </GoLink>
    </li>
  );
}
