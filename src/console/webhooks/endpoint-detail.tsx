import { countOpen } from '../../protocol/delivery-states.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../api/fetch-api.js';
import type { EndpointResource, ListedEndpoint } from '../../contract/routes/webhooks.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { useAct } from '../ui/run-and-report.js';
import { DetailHead } from '../ui/detail-head.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { ConfirmDialog } from '../ui/messages/confirm-dialog.js';
import { CopyButton } from '../ui/copy-button.js';
import { useDraft } from '../live/kept-drafts.js';
import { go } from '../shell/navigation.js';
import { formatTimeExact } from '../text/format.js';
import { addressWords, targetTitle } from './webhook-words.js';
import { HealthCard, healthWords } from './endpoint-health.js';
import { EventTicks } from './event-checkboxes.js';
import { UrlField } from './url-field.js';

interface EndpointDetailProps {
  endpoint: ListedEndpoint;
  platform: PlatformResource;
}

export function EndpointDetail({ endpoint, platform }: EndpointDetailProps): JSX.Element {
  const { id, url, enabled } = endpoint;
  const { busy, act } = useAct();
  const state = healthWords(endpoint);
  const { name, host } = addressWords(url);
  return (
    <article class="detail" aria-label={`Endpoint ${url}`}>
      <DetailHead
        title={name}
        mono
        subtitle={[host, targetTitle(platform, endpoint)].filter(Boolean).join(' · ')}
        status={state}
        onBack={() => go({ view: 'webhooks' })}
      />
      <div class="detail-actions row">
        <Button
          icon="send"
          busy={busy}
          disabled={!enabled}
          onPress={() => act(() => api('POST /webhooks/{endpoint}/ping', { endpoint: id }), 'Ping sent')}
        >
          Send a ping
        </Button>
        <Button
          icon={enabled ? 'pause' : 'play'}
          busy={busy}
          onPress={() => act(() => api('PATCH /webhooks/{endpoint}', { endpoint: id, enabled: !enabled }))}
        >
          {enabled ? 'Disable' : 'Enable'}
        </Button>
        <RemoveEndpoint endpoint={endpoint} />
      </div>
      <div class="stack">
        <HealthCard endpoint={endpoint} />
        <Secret endpoint={endpoint} />
        <Address endpoint={endpoint} />
        <Events endpoint={endpoint} />
      </div>
    </article>
  );
}

function RemoveEndpoint({ endpoint: { id, url, backlog } }: { endpoint: ListedEndpoint }): JSX.Element {
  const [asking, setAsking] = useState(false);
  const { busy, act } = useAct();
  const waiting = countOpen(backlog);
  return (
    <>
      <Button kind="danger" icon="trash" busy={busy} onPress={() => setAsking(true)}>
        Remove
      </Button>
      {asking && (
        <ConfirmDialog
          title="Remove this endpoint?"
          action="Remove"
          danger
          onClose={() => setAsking(false)}
          onConfirm={() =>
            act(async () => {
              await api('DELETE /webhooks/{endpoint}', { endpoint: id });
              go({ view: 'webhooks' });
            }, 'Endpoint removed')
          }
        >
          <p class="mono wrap-anywhere">{url}</p>
          <p>
            This also removes its signing secret.{' '}
            {waiting > 0 &&
              (waiting === 1
                ? 'The pending delivery will fail. '
                : `The ${waiting} pending deliveries will fail. `)}
            Recorded deliveries are kept.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Secret({ endpoint }: { endpoint: EndpointResource }): JSX.Element {
  const { id, rotatesUntil } = endpoint;
  const [secret, setSecret] = useState<string>();
  const { busy, act } = useAct();
  const read = async (): Promise<string> => (await api('GET /webhooks/{endpoint}', { endpoint: id })).secret;
  return (
    <Card
      title="Signing secret"
      actions={
        <Button
          size="small"
          icon="replay"
          busy={busy}
          onPress={() =>
            act(async () => {
              await api('POST /webhooks/{endpoint}/rotate', { endpoint: id });
              if (secret !== undefined) setSecret(await read());
            }, 'Secret rotated')
          }
        >
          Rotate
        </Button>
      }
    >
      <div class="stack tight">
        <div class="bar well secret">
          <code class="grow wrap-anywhere">{secret ?? '•'.repeat(24)}</code>
          <Button
            size="small"
            kind="quiet"
            onPress={() =>
              secret === undefined ? act(async () => setSecret(await read())) : setSecret(undefined)
            }
          >
            {secret === undefined ? 'Show' : 'Hide'}
          </Button>
          <CopyButton text={read} label="Copy the secret" />
        </div>
        <p class="quiet small">
          {rotatesUntil === undefined
            ? 'After a rotation, both secrets are valid for 24 hours.'
            : `The previous secret is valid until ${formatTimeExact(rotatesUntil)}.`}
        </p>
      </div>
    </Card>
  );
}

function Events({ endpoint: { id, events, target } }: { endpoint: EndpointResource }): JSX.Element {
  const [chosen, setChosen] = useState(events);
  useEffect(() => setChosen(events), [events.join(' ')]);
  const { act } = useAct();
  const change = async (next: string[]): Promise<void> => {
    setChosen(next);
    try {
      await api('PATCH /webhooks/{endpoint}', { endpoint: id, events: next });
    } catch (error) {
      setChosen(events);
      throw error;
    }
  };
  return (
    <section class="card">
      <div class="card-body">
        <EventTicks kind={target.type} selected={chosen} onChange={(next) => act(() => change(next))} />
      </div>
    </section>
  );
}

function Address({ endpoint }: { endpoint: EndpointResource }): JSX.Element {
  const [draft, setDraft] = useDraft<string | undefined>(`address of ${endpoint.id}`, undefined);
  const { busy, act } = useAct();
  const url = draft ?? endpoint.url;
  // Removes the draft once the typed text has been stored.
  useEffect(() => setDraft((typed) => (typed === endpoint.url ? undefined : typed)), [endpoint.url]);
  return (
    <section class="card">
      <form
        class="card-body row align-end"
        onSubmit={(event) => {
          event.preventDefault();
          act(() => api('PATCH /webhooks/{endpoint}', { endpoint: endpoint.id, url }), 'Address changed');
        }}
      >
        <div class="grow">
          <UrlField url={url} onChange={setDraft} />
        </div>
        <Button submit busy={busy} disabled={url === endpoint.url}>
          Change
        </Button>
      </form>
    </section>
  );
}
