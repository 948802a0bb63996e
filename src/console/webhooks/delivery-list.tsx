import type { JSX } from 'preact';
import { deliveries } from '../live/deliveries.js';
import type { EndpointResource } from '../api/response-types.js';
import { Button } from '../ui/button.js';
import { useCell } from '../ui/state/observable-cell.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Unreadable } from '../ui/messages/unreadable.js';
import { Status } from '../ui/status.js';
import { VirtualList } from '../ui/virtual-list.js';
import { go } from '../shell/navigation.js';
import { formatTime } from '../text/format.js';
import { deliveryWords } from './webhook-words.js';

interface DeliveryListProps {
  endpoints: readonly EndpointResource[];
  current: string | undefined;
}

export function DeliveryList({ endpoints, current }: DeliveryListProps): JSX.Element {
  const { lines, loading, complete, error } = useCell(deliveries.view);
  const { failed } = useCell(deliveries.filter);
  const at = lines.findIndex(({ id }) => id === current);
  const select = (index: number): void => {
    const delivery = lines[Math.min(lines.length - 1, Math.max(0, index))];
    if (delivery) go({ view: 'webhooks', delivery: delivery.id }, current === undefined ? 'push' : 'replace');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[
      event.key
    ];
    if (by === undefined) return;
    event.preventDefault();
    select(at + by);
  };
  return (
    <>
      <div class="list-head">
        <h2 class="grow">Deliveries</h2>
        <Button
          size="small"
          icon="filter"
          pressed={failed}
          onPress={() => deliveries.setFilter({ failed: !failed })}
        >
          Failed
        </Button>
      </div>
      {lines.length > 0 ? (
        <div class="entries-list">
          <VirtualList
            count={lines.length}
            rowHeight={58}
            current={at}
            topKey={lines[0]?.id}
            indexOfKey={(id) => lines.findIndex((one) => one.id === id)}
            onNearEnd={complete ? undefined : deliveries.older}
            attributes={{
              role: 'listbox',
              'aria-label': 'Deliveries, newest first',
              tabIndex: 0,
              'aria-activedescendant': at < 0 ? undefined : `delivery-${current}`,
              onKeyDown,
            }}
            row={(index) => {
              const delivery = lines[index];
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
                  aria-setsize={lines.length}
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
      ) : error !== undefined ? (
        <Unreadable what="The list" error={error} again={deliveries.reload} />
      ) : loading ? (
        <LoadingState lines={5} />
      ) : failed ? (
        <EmptyState
          icon="check"
          title="None has failed"
          action={
            <Button onPress={() => deliveries.setFilter({ failed: false })}>Show all deliveries</Button>
          }
        />
      ) : (
        <EmptyState icon="send" title="No deliveries">
          <p>Send a ping from an endpoint, or fire one of the events it wants.</p>
        </EmptyState>
      )}
    </>
  );
}
