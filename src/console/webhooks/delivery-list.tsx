import type { JSX } from 'preact';
import { Command } from '../ui/command.js';
import { deliveries } from '../live/deliveries.js';
import { IntegrationFacet } from '../live/integration-facet.js';
import { deliveryReason } from '../../base/text/delivery-reason.js';
import type { EndpointResource, ListedDelivery } from '../../contract/routes/webhooks.js';
import { Button } from '../ui/button.js';
import { useCell } from '../ui/state/observable-cell.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Unreadable } from '../ui/messages/unreadable.js';
import { EntryList, type Entry } from '../ui/entry-list.js';
import { go } from '../shell/navigation.js';
import { formatDuration, formatTime } from '../text/format.js';
import { useNow } from '../ui/state/use-now.js';
import { showControls } from '../text/show-controls.js';
import { addressWords, deliveryWords, secondsTo } from './webhook-words.js';

interface DeliveryListProps {
  endpoints: readonly EndpointResource[];
  current: string | undefined;
}

export function DeliveryList({ endpoints, current }: DeliveryListProps): JSX.Element {
  const { lines, complete } = useCell(deliveries.view);
  const counting = lines.find(({ state }) => state === 'retrying');
  const now = useNow(counting && secondsTo(counting));
  const filter = useCell(deliveries.filter);
  const { failed, endpoint, integration } = filter;
  return (
    <>
      <div class="bar list-head">
        <h2 class="grow">{endpoint === undefined ? 'Deliveries' : 'Deliveries to this endpoint'}</h2>
        {endpoint === undefined && (
          <IntegrationFacet
            entries={[...endpoints, ...lines]}
            counted={false}
            value={integration}
            onChoose={(chosen) => deliveries.setFilter({ ...filter, integration: chosen })}
          />
        )}
        <Button
          size="small"
          icon="filter"
          pressed={failed}
          onPress={() => deliveries.setFilter({ ...filter, failed: !failed })}
        >
          Failed
        </Button>
      </div>
      {lines.length > 0 ? (
        <div class="entries-list">
          <EntryList
            label="Deliveries, newest first"
            name="delivery"
            lines={lines}
            selected={current}
            onSelect={(delivery) =>
              go({ view: 'webhooks', delivery }, current === undefined ? 'push' : 'replace')
            }
            onNearEnd={complete ? undefined : deliveries.older}
            entry={(delivery) =>
              describeEntry(delivery, { endpoints, now, isSingle: endpoint !== undefined })
            }
          />
        </div>
      ) : (
        <NoDeliveries />
      )}
    </>
  );
}

function NoDeliveries(): JSX.Element {
  const { loading, error } = useCell(deliveries.view);
  const { failed, integration } = useCell(deliveries.filter);
  if (error !== undefined) return <Unreadable what="The list" error={error} again={deliveries.reload} />;
  if (loading) return <LoadingState lines={5} />;
  if (failed || integration !== undefined) {
    return (
      <EmptyState
        icon={failed ? 'check' : 'search'}
        title={failed ? 'No failed deliveries' : 'No deliveries'}
        action={<Button onPress={() => deliveries.setFilter({ failed: false })}>Show all deliveries</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon="send"
      title="No deliveries"
      action={<Command text="platform trigger space_content_updated" />}
    >
      <p>Send a ping to an endpoint, or trigger one of its events:</p>
    </EmptyState>
  );
}

interface ListContext {
  endpoints: readonly EndpointResource[];
  now: number;
  /** Whether all deliveries were sent to the same endpoint. */
  isSingle: boolean;
}

function describeEntry(delivery: ListedDelivery, { endpoints, now, isSingle }: ListContext): Entry {
  const { eventType, endpointId, attempts, createdAt, integration, lastResult, lastDurationMs } = delivery;
  const url = delivery.url ?? endpoints.find(({ id }) => id === endpointId)?.url ?? endpointId;
  const reason = deliveryReason({ delivery, attempt: lastResult && { result: lastResult } }, now);
  const { tone, text } = deliveryWords(delivery);
  const answered =
    delivery.state === 'delivered' && lastResult?.kind === 'answer' ? String(lastResult.status) : undefined;
  return {
    severity: tone === 'bad' ? 'error' : tone === 'warn' ? 'warning' : 'none',
    title: eventType,
    mark: delivery.resentFrom === undefined ? undefined : { icon: 'replay', label: 'Resent' },
    detail: showControls(
      [reason, attempts > 1 ? `after ${attempts} attempts` : ''].filter(Boolean).join(' '),
    ),
    at: isSingle ? undefined : addressWords(url).name,
    target: integration,
    tone,
    status: answered ?? text,
    amount: lastDurationMs === undefined ? '' : formatDuration(lastDurationMs),
    time: formatTime(createdAt),
  };
}
