import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../../api/fetch-api.js';
import type { ReplayResource } from '../../../contract/routes/events.js';
import type { CallRecord } from '../../../contract/routes/calls.js';
import { useAct } from '../../ui/run-and-report.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Status } from '../../ui/status.js';
import { Tabs } from '../../ui/tabs.js';
import { toCurl, toTrigger } from './copy-as.js';
import { CallBody } from './call-body.js';
import { belowEndpoint } from '../../../base/text/below-endpoint.js';
import { outcomeWords } from './describe-call.js';
import { EntrySummary } from './call-summary.js';
import { HeadersTable } from './headers-table.js';
import { LogLines } from './log-lines.js';
import { OutboundRequests } from './outbound-requests.js';
import { prettyJson } from '../../text/format.js';
import { JsonView } from '../../text/json-view.js';

type TabId = 'summary' | 'envelope' | 'request' | 'response' | 'logs' | 'outbound';

interface EntryDetailProps {
  entry: CallRecord;
  onBack: () => void;
  onReplayed: (replay: ReplayResource) => void;
  onEdit: () => void;
}

export function EntryDetail({ entry, onBack, onReplayed, onEdit }: EntryDetailProps): JSX.Element {
  const [tab, setTab] = useState<TabId>('summary');
  const { busy, act } = useAct();
  const { request, response, event, logs, outbound } = entry;
  const isCall = entry.source !== 'script';
  const title = request
    ? `${request.method} ${belowEndpoint(request.url)}`
    : (event?.type ?? (isCall ? 'envelope' : 'script'));
  const { tone, text } = outcomeWords({
    outcome: entry.outcome,
    ...(response && { status: response.status }),
  });
  const trigger = toTrigger(entry);
  const tabs: { id: TabId; label: string; count?: number }[] = [
    { id: 'summary', label: 'Summary' },
    ...(isCall ? [{ id: 'envelope' as const, label: 'Envelope' }] : []),
    ...(request ? [{ id: 'request' as const, label: 'Request' }] : []),
    ...(isCall ? [{ id: 'response' as const, label: 'Response' }] : []),
    { id: 'logs', label: 'Logs', count: logs.length },
    { id: 'outbound', label: 'Outbound', count: outbound.length },
  ];

  return (
    <article class="detail" aria-label={title}>
      <header class="detail-head">
        <Button kind="quiet" icon="left" label="Back to the list" onPress={onBack} />
        <div class="grow">
          <h2 class="wrap-anywhere">{title}</h2>
          <p class="quiet small mono wrap-anywhere">{entry.id}</p>
        </div>
        <Status tone={tone} live>
          {text}
        </Status>
      </header>
      {isCall && (
        <div class="detail-actions row">
          <Button
            icon="replay"
            busy={busy}
            onPress={() =>
              act(async () => onReplayed(await api('POST /calls/{call}/replay', { call: entry.id })))
            }
          >
            Replay
          </Button>
          {event && <EditButton onEdit={onEdit} />}
          <CopyButton text={() => curlOf(entry)} label="Copy as curl" showLabel size="medium" />
          {trigger !== undefined && (
            <CopyButton text={trigger} label="Copy as platform trigger" showLabel size="medium" />
          )}
        </div>
      )}
      <Tabs label="Call details" tabs={tabs} active={tab} onSelect={setTab}>
        <EntryTab entry={entry} tab={tab} onTab={setTab} />
      </Tabs>
    </article>
  );
}

interface EntryTabProps {
  entry: CallRecord;
  tab: TabId;
  onTab: (tab: TabId) => void;
}

function EntryTab({ entry, tab, onTab }: EntryTabProps): JSX.Element {
  const [openRequest, setOpenRequest] = useState<number>();
  const { request, response } = entry;
  return (
    <>
      {tab === 'summary' && (
        <EntrySummary
          entry={entry}
          showLogs={() => onTab('logs')}
          showOutbound={(number) => {
            setOpenRequest(number);
            onTab('outbound');
          }}
        />
      )}
      {tab === 'envelope' && <EntryEnvelope entry={entry} />}
      {tab === 'request' && request && (
        <Message title={`${request.method} ${request.url}`}>
          <HeadersTable headers={request.headers} label="Request headers" />
          <CallBody entry={entry} which="request" />
        </Message>
      )}
      {tab === 'response' &&
        (response ? (
          <Message title={`Status ${response.status}`}>
            <HeadersTable headers={response.headers} label="Response headers" />
            <CallBody entry={entry} which="response" />
          </Message>
        ) : (
          <p class="quiet">
            {entry.outcome === 'running' ? 'The script has not responded yet.' : 'There was no response.'}
          </p>
        ))}
      {tab === 'logs' && <LogLines lines={entry.logs} since={entry.time} />}
      {tab === 'outbound' && <OutboundRequests entry={entry} open={openRequest} onOpen={setOpenRequest} />}
    </>
  );
}

const EditButton = ({ onEdit }: { onEdit: () => void }): JSX.Element => (
  <Button icon="edit" onPress={onEdit}>
    Edit and resend
  </Button>
);

const Message = ({ title, children }: { title: string; children: ComponentChildren }): JSX.Element => (
  <div class="stack">
    <h3 class="section-title mono wrap-anywhere">{title}</h3>
    {children}
  </div>
);

async function curlOf(entry: CallRecord): Promise<string> {
  const bytes =
    entry.requestBytes > 0
      ? await api('GET /calls/{call}/request-body', { call: entry.id })
      : new Uint8Array();
  const { urls } = await api('GET /overview');
  return toCurl(entry, urls.envelope, bytes);
}

/** The three parts of the envelope that the script received. */
function EntryEnvelope({ entry }: { entry: CallRecord }): JSX.Element {
  const { event, environment, requestBytes } = entry;
  return (
    <div class="stack">
      {event ? (
        <Part name="event" value={event} />
      ) : (
        <p class="quiet">This envelope was posted directly, and passed to the script unchanged.</p>
      )}
      {environment && <Part name="environment" value={environment} open={1} />}
      {requestBytes > 0 && (
        <section>
          <h3 class="section-title mono">fetch-body</h3>
          <CallBody entry={entry} which="request" />
        </section>
      )}
    </div>
  );
}

function Part({ name, value, open = 2 }: { name: string; value: object; open?: number }): JSX.Element {
  return (
    <section>
      <h3 class="section-title mono">
        <span class="grow">{name}</span>
        <CopyButton text={() => prettyJson(value)} label={`Copy the ${name}`} />
      </h3>
      <JsonView value={value} label={name} open={open} />
    </section>
  );
}
