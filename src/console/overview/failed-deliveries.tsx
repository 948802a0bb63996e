import type { JSX } from 'preact';
import { deliveryReason } from '../../base/text/delivery-reason.js';
import type { ListedDelivery } from '../../contract/routes/webhooks.js';
import { GoLink } from '../shell/navigation.js';
import { formatTime } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Card } from '../ui/card.js';
import { Icon } from '../ui/icon.js';
import { Status } from '../ui/status.js';
import { deliveryWords } from '../webhooks/webhook-words.js';

const shown = 5;

/** The most recent webhook deliveries that have failed since the last save, and the reasons. */
export function FailedDeliveries(props: { deliveries: readonly ListedDelivery[] }): JSX.Element | null {
  const { deliveries } = props;
  if (deliveries.length === 0) return null;
  return (
    <Card
      title="Failed webhook deliveries"
      tone="bad"
      flush
      actions={<GoLink to={{ view: 'webhooks', failed: true }}>All failed deliveries</GoLink>}
    >
      <ul class="recent">
        {deliveries.slice(0, shown).map((delivery) => {
          const { id, eventType, url, endpointId, lastResult, createdAt } = delivery;
          const { tone, text } = deliveryWords(delivery);
          const reason = deliveryReason(
            { delivery, attempt: lastResult && { result: lastResult } },
            createdAt,
          );
          return (
            <li key={id} class="error">
              <GoLink to={{ view: 'webhooks', delivery: id }} class="recent-link">
                <span class="recent-severity">
                  <Icon name="error" label="Error" />
                </span>
                <span class="recent-title cut">{showControls(eventType)}</span>
                <span class="recent-detail cut quiet">
                  {[reason, url ?? endpointId]
                    .filter((part) => part !== undefined)
                    .map(showControls)
                    .join(' · ')}
                </span>
                <Status tone={tone}>{text}</Status>
                <span class="number quiet recent-time">{formatTime(createdAt)}</span>
              </GoLink>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
