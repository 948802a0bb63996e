import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../live/api.js';
import type { DeliveryResource, EndpointResource, PlatformResource } from '../live/resources.js';
import { useResource } from '../live/use-resource.js';
import { Button } from '../parts/button.js';
import { EmptyState } from '../parts/empty-state.js';
import { Status } from '../parts/status.js';
import { VirtualList } from '../parts/virtual-list.js';
import { go, GoLink } from '../shell/navigation.js';
import { formatTime } from '../text/format.js';
import { AddEndpoint } from './add-endpoint.js';
import { DeliveryDetail } from './delivery-detail.js';
import { deliveryWords, placeWords } from './delivery-words.js';
import { EndpointDetail } from './endpoint-detail.js';

interface WebhooksViewProps {
  platform: PlatformResource;
  route: { endpoint?: string; delivery?: string };
}

const changesDeliveries = ({ type }: { type: string }): boolean =>
  type === 'delivery' || type === 'endpoint' || type === 'state-loaded';

export function WebhooksView({ platform, route }: WebhooksViewProps): JSX.Element {
  const [adding, setAdding] = useState(false);
  const [failed, setFailed] = useState(false);
  const endpoints = useResource(
    'endpoints',
    api.endpoints,
    ({ type }) => type === 'endpoint' || type === 'state-loaded',
  );
  const deliveries = useResource(`deliveries ${failed}`, () => api.deliveries({ failed }), changesDeliveries);
  const known = endpoints.data ?? [];
  const shown = deliveries.data ?? [];
  const endpoint = known.find(({ id }) => id === route.endpoint);
  const open = route.endpoint !== undefined || route.delivery !== undefined;

  if (endpoints.data && known.length === 0) {
    return (
      <>
        <EmptyState icon="webhooks" title="No endpoint yet">
          <p>
            Give a URL and the events it wants. Deliveries are signed, retried after 1, 2 and 4 seconds, and
            each attempt is shown here.
          </p>
          <div class="row">
            <Button kind="primary" icon="plus" onPress={() => setAdding(true)}>
              Add an endpoint
            </Button>
          </div>
        </EmptyState>
        {adding && <AddEndpoint platform={platform} onClose={() => setAdding(false)} />}
      </>
    );
  }
  return (
    <div class={open ? 'split open' : 'split'}>
      <div class="split-list webhooks-list">
        <div class="list-head">
          <h2 class="grow">Endpoints</h2>
          <Button size="small" kind="primary" icon="plus" onPress={() => setAdding(true)}>
            Endpoint
          </Button>
        </div>
        <ul class="endpoint-list">
          {known.map((one) => (
            <EndpointRow
              key={one.id}
              endpoint={one}
              platform={platform}
              current={one.id === route.endpoint}
            />
          ))}
        </ul>
        <div class="list-head">
          <h2 class="grow">Deliveries</h2>
          <Button size="small" icon="filter" pressed={failed} onPress={() => setFailed(!failed)}>
            Failed
          </Button>
        </div>
        <Deliveries deliveries={shown} endpoints={known} current={route.delivery} />
      </div>
      <div class="split-detail">
        {route.delivery !== undefined ? (
          <DeliveryDetail key={route.delivery} id={route.delivery} endpoints={known} />
        ) : endpoint ? (
          <EndpointDetail key={endpoint.id} endpoint={endpoint} platform={platform} />
        ) : (
          <EmptyState icon="webhooks" title="Choose a delivery or an endpoint">
            <p>A delivery shows each attempt on a time line. An endpoint shows its secret and its events.</p>
          </EmptyState>
        )}
      </div>
      {adding && <AddEndpoint platform={platform} onClose={() => setAdding(false)} />}
    </div>
  );
}

function EndpointRow(props: {
  endpoint: EndpointResource;
  platform: PlatformResource;
  current: boolean;
}): JSX.Element {
  const { endpoint, platform, current } = props;
  return (
    <li>
      <GoLink
        to={{ view: 'webhooks', endpoint: endpoint.id }}
        class={current ? 'endpoint-row current' : 'endpoint-row'}
        current={current}
      >
        <span class="grow cut">
          <span class="mono cut endpoint-url">{endpoint.url}</span>
          <span class="quiet small cut">
            {placeWords(platform, endpoint)} · {endpoint.events.join(', ')}
          </span>
        </span>
        <Status tone={endpoint.enabled ? 'ok' : 'calm'}>{endpoint.enabled ? 'Enabled' : 'Disabled'}</Status>
      </GoLink>
    </li>
  );
}

interface DeliveriesProps {
  deliveries: readonly DeliveryResource[];
  endpoints: readonly EndpointResource[];
  current: string | undefined;
}

function Deliveries({ deliveries, endpoints, current }: DeliveriesProps): JSX.Element {
  const at = deliveries.findIndex(({ id }) => id === current);
  const select = (index: number): void => {
    const delivery = deliveries[Math.min(deliveries.length - 1, Math.max(0, index))];
    if (delivery) go({ view: 'webhooks', delivery: delivery.id }, current === undefined ? 'push' : 'replace');
  };
  if (deliveries.length === 0) {
    return (
      <EmptyState icon="send" title="No deliveries">
        <p>Send a ping from an endpoint, or fire one of the events it wants.</p>
      </EmptyState>
    );
  }
  return (
    <div class="entries-list">
      <VirtualList
        count={deliveries.length}
        rowHeight={58}
        current={at}
        topKey={deliveries[0]?.id}
        indexOfKey={(id) => deliveries.findIndex((one) => one.id === id)}
        attributes={{
          role: 'listbox',
          'aria-label': 'Deliveries, newest first',
          tabIndex: 0,
          'aria-activedescendant': at < 0 ? undefined : `delivery-${current}`,
          onKeyDown(event) {
            const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
            if (by === undefined) return;
            event.preventDefault();
            select(at + by);
          },
        }}
        row={(index) => {
          const delivery = deliveries[index];
          if (!delivery) return null;
          const { tone, text } = deliveryWords(delivery);
          return (
            <div
              key={delivery.id}
              id={`delivery-${delivery.id}`}
              role="option"
              class={index === at ? 'entry selected' : 'entry'}
              aria-selected={index === at}
              aria-posinset={index + 1}
              aria-setsize={deliveries.length}
              onClick={() => select(index)}
            >
              <span class="entry-title cut">{delivery.eventType}</span>
              <span class="entry-detail cut">
                {endpoints.find(({ id }) => id === delivery.endpointId)?.url ?? 'a removed endpoint'}
              </span>
              <span class="entry-status">
                <Status tone={tone}>{text}</Status>
              </span>
              <span class="entry-facts number">
                <span>{delivery.attempts === 1 ? '1 attempt' : `${delivery.attempts} attempts`}</span>
                <span>{formatTime(delivery.createdAt)}</span>
              </span>
            </div>
          );
        }}
      />
    </div>
  );
}
