import type { JSX } from 'preact';
import { describeGroup } from '../../base/text/delivery-reason.js';
import type { DeliveryFailureGroup, DeliveryFailures } from '../../contract/routes/webhooks.js';
import { GoLink } from '../shell/navigation.js';
import { formatTime } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Icon } from '../ui/icon.js';
import { addressWords, deliveryWords } from './webhook-words.js';

const mostShown = 3;

/** Groups of deliveries that failed for the same reason since the last save. Each link opens the newest delivery. */
export function RepeatedFailures(props: {
  failures: DeliveryFailures;
  endpoint: string | undefined;
}): JSX.Element | null {
  const { failures, endpoint } = props;
  const repeated = failures.groups.filter(
    ({ deliveries, newest }) => deliveries > 1 && (endpoint === undefined || newest.endpointId === endpoint),
  );
  if (repeated.length === 0) return null;
  return (
    <ul class="repeated" aria-label="Repeated failures since the last save">
      {repeated.slice(0, mostShown).map((group) => (
        <Repeated key={group.newest.id} {...group} />
      ))}
    </ul>
  );
}

function Repeated({ newest, deliveries, first, last }: DeliveryFailureGroup): JSX.Element {
  const { id, eventType, url, endpointId, lastResult } = newest;
  const reason = lastResult ? describeGroup(lastResult) : deliveryWords(newest).text;
  return (
    <li>
      <GoLink
        to={{ view: 'webhooks', delivery: id }}
        class="wrap repeated-link"
        label="Open the latest delivery"
      >
        <Icon name="error" size={14} label="Error" />
        <strong class="grow wrap-anywhere">
          {showControls(reason.charAt(0).toUpperCase() + reason.slice(1))}
        </strong>
        <strong>{deliveries.toLocaleString('en')} times</strong>
        <span class="wrap repeated-facts quiet small">
          <span class="cut-left">
            <span dir="ltr">{showControls(`${eventType} to ${addressWords(url ?? endpointId).name}`)}</span>
          </span>
          <span class="number nowrap">
            first {formatTime(first)}, last {formatTime(last)}
          </span>
          <span class="repeated-open nowrap">Open latest</span>
        </span>
      </GoLink>
    </li>
  );
}
