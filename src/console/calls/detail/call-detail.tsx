import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { api } from '../../api/fetch-api.js';
import type { ReplayResource } from '../../../contract/routes/events.js';
import type { CallRecord } from '../../../contract/routes/calls.js';
import { useAct } from '../../ui/run-and-report.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { DetailHead } from '../../ui/detail-head.js';
import { Tabs, type Tab } from '../../ui/tabs.js';
import type { PlatformResource } from '../../../contract/routes/overview.js';
import type { CallTab } from '../../shell/route.js';
import { useShortcut } from '../../shell/shortcuts.js';
import { CallFacts, CallVerdict } from './call-head.js';
import { toCurl, toTrigger } from './copy-as.js';
import { CallBody } from './call-body.js';
import { outcomeWords, recordTitle } from './describe-call.js';
import { EntrySummary } from './call-summary.js';
import { HeadersTable } from './headers-table.js';
import { LogLines } from './log-lines.js';
import { OutboundRequests } from './outbound-requests.js';
import { Breakable } from '../../text/breakable.js';
import { prettyJson } from '../../text/format.js';
import { Menu } from '../../ui/menu.js';

interface EntryDetailProps {
  entry: CallRecord;
  platform: PlatformResource;
  tab: CallTab | undefined;
  onTab: (tab: CallTab | undefined) => void;
  onBack: () => void;
  onReplayed: (replay: ReplayResource) => void;
  onEdit: () => void;
  onRecord: () => void;
}

export function EntryDetail(props: EntryDetailProps): JSX.Element {
  const { entry, platform, tab, onTab, onBack, onReplayed, onEdit, onRecord } = props;
  const { busy, act } = useAct();
  const { id, event, outcome, severity, response } = entry;
  const isCall = entry.source !== 'script';
  const title = recordTitle(entry);
  const trigger = toTrigger(entry);
  const tabs = tabsOf(entry);
  // Shows the summary if the call does not have the tab in the URL. Keeps the URL, so that the next call opens on that tab.
  const active = tabs.find((one) => one.id === tab)?.id ?? 'summary';

  const replay = (): void =>
    act(async () => onReplayed(await api('POST /calls/{call}/replay', { call: id })));
  const select = (next: TabId | undefined): void => onTab(next === 'summary' ? undefined : next);
  const move = (by: number): void => {
    const at = tabs.findIndex((one) => one.id === active);
    select(tabs[(at + by + tabs.length) % tabs.length]?.id);
  };
  useShortcut('r', () => isCall && replay());
  useShortcut('e', () => isCall && event && onEdit());
  const article = useRef<HTMLElement>(null);
  useShortcut('d', () => article.current?.focus());
  useShortcut('[', () => move(-1));
  useShortcut(']', () => move(1));

  return (
    <article ref={article} class="detail" aria-label={title} tabIndex={-1}>
      <DetailHead
        title={title}
        subtitle={<span class="mono">{id}</span>}
        status={outcomeWords({ outcome, severity, ...(response && { status: response.status }) })}
        onBack={onBack}
      />
      <CallVerdict entry={entry} />
      <CallFacts entry={entry} platform={platform} />
      {isCall && (
        <div class="detail-actions row">
          <Button
            kind={severity === 'error' ? 'primary' : 'secondary'}
            icon="replay"
            busy={busy}
            onPress={replay}
          >
            Replay
          </Button>
          {event && <EditButton onEdit={onEdit} />}
          {event && outcome !== 'running' && (
            <Button icon="record" onPress={onRecord}>
              Record
            </Button>
          )}
          <Menu label="Copy" icon="copy" showLabel>
            <CopyButton text={() => curlOf(entry)} label="Copy as curl" showLabel />
            {trigger !== undefined && (
              <CopyButton text={trigger} label="Copy as platform trigger" showLabel />
            )}
            <CopyButton text={() => prettyJson(event ?? {})} label="Copy the event" showLabel />
            <CopyButton text={id} label="Copy the id" showLabel />
          </Menu>
        </div>
      )}
      <Tabs label="Call details" tabs={tabs} active={active} onSelect={select}>
        <EntryTab entry={entry} platform={platform} tab={active} onTab={onTab} />
      </Tabs>
    </article>
  );
}

type TabId = 'summary' | CallTab;

function tabsOf({ request, response, logs, outbound }: CallRecord): Tab<TabId>[] {
  const tab = (id: TabId, label: string, has: unknown, count?: number): Tab<TabId>[] =>
    has ? [{ id, label, ...(count !== undefined && { count }) }] : [];
  return [
    ...tab('summary', 'Summary', true),
    ...tab('request', 'Request', request),
    ...tab('response', 'Response', response),
    ...tab('logs', 'Logs', logs.length > 0, logs.length),
    ...tab('outbound', 'Outbound', outbound.length > 0, outbound.length),
  ];
}

interface EntryTabProps {
  entry: CallRecord;
  platform: PlatformResource;
  tab: TabId;
  onTab: (tab: CallTab) => void;
}

function EntryTab({ entry, platform, tab, onTab }: EntryTabProps): JSX.Element {
  const [openRequest, setOpenRequest] = useState<number>();
  const { request, response } = entry;
  return (
    <>
      {tab === 'summary' && (
        <EntrySummary
          entry={entry}
          platform={platform}
          showLogs={() => onTab('logs')}
          showOutbound={(number) => {
            setOpenRequest(number);
            onTab('outbound');
          }}
        />
      )}
      {tab === 'request' && request && (
        <Message title={`${request.method} ${request.url}`}>
          <HeadersTable headers={request.headers} label="Request headers" />
          <CallBody entry={entry} which="request" />
        </Message>
      )}
      {tab === 'response' && response && (
        <Message title={`Status ${response.status}`}>
          <CallBody entry={entry} which="response" />
          <HeadersTable headers={response.headers} label="Response headers" />
        </Message>
      )}
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
    <h3 class="bar section-title mono wrap-anywhere">
      <span>
        <Breakable text={title} />
      </span>
    </h3>
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
