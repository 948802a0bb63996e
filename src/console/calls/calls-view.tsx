import type { JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { PlatformResource } from '../../contract/routes/overview.js';
import type { CallRecord } from '../../contract/routes/calls.js';
import type { ReplayResource } from '../../contract/routes/events.js';
import { setCallFilter, callList } from '../live/call-list.js';
import { useCall } from '../live/use-resource.js';
import { useDraft } from '../live/kept-drafts.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { go } from '../shell/navigation.js';
import { Keys, useShortcut } from '../shell/shortcuts.js';
import { formatFilter, isFiltered, noFilter, type CallFilter } from '../api/call-filter.js';
import { Composer } from './compose/composer.js';
import { editCall } from './compose/kept-call.js';
import { EntryDetail } from './detail/call-detail.js';
import { ReplayDiff } from './replay-diff.js';
import { CallListView } from './call-list-view.js';

interface EventsViewProps {
  platform: PlatformResource;
  call: string | undefined;
  filter: CallFilter | undefined;
}

export function EventsView({ platform, call, filter = noFilter }: EventsViewProps): JSX.Element {
  const [composing, setComposing] = useDraft('composing', false);
  const list = { view: 'calls' as const, ...(isFiltered(filter) && { filter }) };
  const open = (id: string): void => go({ ...list, call: id }, call === undefined ? 'push' : 'replace');
  const wanted = formatFilter(filter);
  useLayoutEffect(() => {
    if (wanted !== formatFilter(callList.filter.get())) setCallFilter(filter);
  }, [wanted]);
  // Other views show the list too.
  useLayoutEffect(() => () => void (isFiltered(callList.filter.get()) && setCallFilter(noFilter)), []);
  useShortcut('n', 'New request or event', () => setComposing(true));
  return (
    <div class={call === undefined ? 'split' : 'split open'}>
      <div class="split-list">
        <CallListView
          list={callList}
          platform={platform}
          selected={call}
          onSelect={open}
          onFilter={(next) =>
            go(
              {
                view: 'calls',
                ...(call !== undefined && { call }),
                ...(isFiltered(next) && { filter: next }),
              },
              'replace',
            )
          }
          onCompose={() => setComposing(true)}
        />
      </div>
      <div class="split-detail">
        {call === undefined ? (
          <EmptyState icon="calls" title="No call selected">
            <p>
              Select a call to see its envelope, headers, bodies, logs and outbound requests.{' '}
              <Keys keys="j" /> <Keys keys="k" /> move through the list.
            </p>
          </EmptyState>
        ) : (
          <OpenEntry
            key={call}
            id={call}
            onOpen={open}
            onBack={() => go(list)}
            onEdit={(entry) => void editCall(entry).then(() => setComposing(true))}
          />
        )}
      </div>
      {composing && (
        <Composer
          platform={platform}
          onClose={() => setComposing(false)}
          onSent={(id) => {
            setComposing(false);
            open(id);
          }}
        />
      )}
    </div>
  );
}

interface OpenEntryProps {
  id: string;
  onOpen: (id: string) => void;
  onBack: () => void;
  onEdit: (entry: CallRecord) => void;
}

function OpenEntry({ id, onOpen, onBack, onEdit }: OpenEntryProps): JSX.Element {
  const { data, error } = useCall(id);
  const [replay, setReplay] = useState<ReplayResource>();
  if (!data) {
    return error === undefined ? (
      <LoadingState />
    ) : (
      <EmptyState icon="search" title="Call not found">
        <p>{error}</p>
      </EmptyState>
    );
  }
  return (
    <>
      <EntryDetail entry={data} onBack={onBack} onReplayed={setReplay} onEdit={() => onEdit(data)} />
      {replay && (
        <ReplayDiff
          replay={replay}
          onClose={() => setReplay(undefined)}
          onOpen={(call) => {
            setReplay(undefined);
            onOpen(call);
          }}
        />
      )}
    </>
  );
}
