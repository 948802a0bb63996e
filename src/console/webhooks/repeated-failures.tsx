import type { JSX } from 'preact';
import { failedStates } from '../../protocol/delivery-states.js';
import { describeGroup } from '../../base/text/delivery-reason.js';
import type { DeliveryFailureGroup } from '../../contract/routes/webhooks.js';
import { api } from '../api/fetch-api.js';
import { Button } from '../ui/button.js';
import { useAct } from '../ui/run-and-report.js';
import { showToast } from '../ui/toasts.js';
import { GoLink } from '../shell/navigation.js';
import { formatTime } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Icon } from '../ui/icon.js';
import { addressWords, deliveryWords } from './webhook-words.js';

const mostShown = 3;

type Newest = DeliveryFailureGroup['newest'];

/** Groups of deliveries that failed for the same reason since the last save. Each link opens the newest delivery. */
export function RepeatedFailures(props: {
  groups: readonly DeliveryFailureGroup[];
  endpoint: string | undefined;
}): JSX.Element | null {
  const { groups, endpoint } = props;
  const repeated = groups.filter(
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

const mostResent = 500;

/** Sends the deliveries of a group again, except those that already were. */
async function resendAll(
  { endpointId: endpoint, eventType, lastResult }: Newest,
  first: number,
): Promise<void> {
  const all = await api('GET /deliveries', { endpoint, limit: mostResent });
  const resent = new Set(all.map(({ resentFrom }) => resentFrom));
  const reasonOf = (result: Newest['lastResult']): string => (result ? describeGroup(result) : '');
  const wanted = all.filter(
    (one) =>
      failedStates.includes(one.state) &&
      one.eventType === eventType &&
      one.createdAt >= first &&
      !resent.has(one.id) &&
      reasonOf(one.lastResult) === reasonOf(lastResult),
  );
  for (const { id: delivery } of wanted) await api('POST /deliveries/{delivery}/resend', { delivery });
  showToast(wanted.length === 1 ? '1 delivery resent' : `${wanted.length} deliveries resent`);
}

function Repeated({ newest, deliveries, first, last }: DeliveryFailureGroup): JSX.Element {
  const { id, eventType, url, endpointId, lastResult } = newest;
  const reason = lastResult ? describeGroup(lastResult) : deliveryWords(newest).text;
  const { busy, act } = useAct();
  return (
    <li class="bar align-start">
      <GoLink
        to={{ view: 'webhooks', delivery: id }}
        class="wrap grow repeated-link"
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
        </span>
      </GoLink>
      <Button size="small" icon="replay" busy={busy} onPress={() => act(() => resendAll(newest, first))}>
        {`Resend all ${deliveries.toLocaleString('en')}`}
      </Button>
    </li>
  );
}
