import type { JSX } from 'preact';
import { api } from '../api/fetch-api.js';
import { deliveryReason } from '../../base/text/delivery-reason.js';
import type { AttemptResource, DeliveryResource, EndpointResource } from '../../contract/routes/webhooks.js';
import { useResource } from '../live/use-resource.js';
import { useAct } from '../ui/run-and-report.js';
import { DetailHead } from '../ui/detail-head.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { Facts } from '../ui/facts.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { go, GoLink } from '../shell/navigation.js';
import { bodyText } from '../text/readable-body.js';
import { formatBytes } from '../../base/text/format-bytes.js';
import { formatTimeExact } from '../text/format.js';
import { Breakable } from '../text/breakable.js';
import { JsonView } from '../text/json-view.js';
import { outcomeOf } from '../live/deliveries.js';
import { SignatureCheck } from './signature-check.js';
import { AttemptLine } from './attempt-line.js';
import { Icon } from '../ui/icon.js';
import { useNow } from '../ui/state/use-now.js';
import { showControls } from '../text/show-controls.js';
import { deliveryWords, secondsTo } from './webhook-words.js';

export function DeliveryDetail(props: { id: string; endpoints: readonly EndpointResource[] }): JSX.Element {
  const { id, endpoints } = props;
  const { data, error } = useResource(
    `delivery ${id}`,
    () => api('GET /deliveries/{delivery}', { delivery: id }),
    (event) => event.type === 'delivery' && event.delivery.id === id,
  );
  if (!data) {
    return error === undefined ? (
      <LoadingState />
    ) : (
      <EmptyState icon="error" title="Delivery not found">
        <p>{error}</p>
      </EmptyState>
    );
  }
  const { delivery, call, attempts, body } = data;
  const last = attempts.at(-1);
  const endpoint = endpoints.find((one) => one.id === delivery.endpointId);
  return (
    <article class="detail" aria-label={`Delivery of ${delivery.eventType}`}>
      <DetailHead
        title={delivery.eventType}
        subtitle={
          <span class="mono">
            <Breakable text={delivery.url ?? delivery.endpointId} />
          </span>
        }
        status={deliveryWords(delivery)}
        onBack={() => go({ view: 'webhooks' })}
      />
      <Reason delivery={delivery} attempt={last} />
      <DeliveryActions delivery={delivery} canSend={endpoint !== undefined} />
      <div class="stack">
        {call !== undefined && (
          <p>
            The script received the same event in{' '}
            <GoLink to={{ view: 'calls', call }} class="text-button mono">
              {call}
            </GoLink>
          </p>
        )}
        <section>
          <h3 class="bar section-title">Attempts</h3>
          <AttemptLine delivery={delivery} attempts={attempts} canSign={endpoint !== undefined} />
        </section>
        {last && <SignatureCheck attempt={last} body={bodyText(body)} />}
        <section>
          <h3 class="bar section-title">Payload</h3>
          <Payload text={bodyText(body)} />
        </section>
        <Facts
          facts={[
            ['Delivery', delivery.id],
            ['Event', delivery.eventId],
            ['Queued', formatTimeExact(delivery.createdAt)],
            ['Size', formatBytes(delivery.bodyBytes)],
            ...(delivery.resentFrom === undefined ? [] : [['Resent from', delivery.resentFrom] as const]),
          ]}
        />
      </div>
    </article>
  );
}

function DeliveryActions(props: { delivery: DeliveryResource; canSend: boolean }): JSX.Element {
  const { delivery, canSend } = props;
  const { id } = delivery;
  const { busy, act } = useAct();
  const waiting = delivery.state === 'retrying' && delivery.phase === 'waiting';
  return (
    <div class="detail-actions row">
      <Button
        icon="replay"
        busy={busy}
        disabled={!canSend}
        onPress={() =>
          act(async () => {
            const again = await api('POST /deliveries/{delivery}/resend', { delivery: id });
            go({ view: 'webhooks', delivery: again.id });
          }, 'Delivery resent')
        }
      >
        Resend
      </Button>
      {waiting && (
        <Button
          kind="primary"
          icon="skip"
          busy={busy}
          onPress={() => act(() => api('POST /deliveries/{delivery}/skip-wait', { delivery: id }))}
        >
          Skip the wait
        </Button>
      )}
    </div>
  );
}

function Reason(props: {
  delivery: DeliveryResource;
  attempt: AttemptResource | undefined;
}): JSX.Element | null {
  const { delivery, attempt } = props;
  const reason = deliveryReason(
    { delivery, attempt: attempt && { result: outcomeOf(attempt) } },
    useNow(secondsTo(delivery)),
  );
  if (reason === undefined) return null;
  const { tone } = deliveryWords(delivery);
  return (
    <div class={`notice ${tone}`} role="note">
      <Icon name={tone === 'bad' ? 'error' : 'warning'} />
      <div>
        <strong class="wrap-anywhere">
          {showControls(reason.charAt(0).toUpperCase() + reason.slice(1))}
        </strong>
        {delivery.phase === 'done' && <p class="small">{whyFinal(delivery)}</p>}
      </div>
    </div>
  );
}

function whyFinal({ state, attempts }: DeliveryResource): string {
  if (state === 'failed') return "This response is final, so the delivery isn't retried.";
  return attempts === 1
    ? 'No further attempt follows.'
    : `All ${attempts} attempts have failed, so no further attempt follows.`;
}

function Payload({ text }: { text: string }): JSX.Element {
  try {
    return <JsonView value={JSON.parse(text)} label="Payload" />;
  } catch {
    return <pre class="well code">{text}</pre>;
  }
}
