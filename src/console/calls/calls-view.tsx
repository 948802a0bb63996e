import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PlatformResource } from '../../contract/routes/overview.js';
import type { ReplayResource } from '../../contract/routes/events.js';
import { traffic } from '../live/call-list.js';
import { useCall } from '../api/use-resource.js';
import { useDraft } from '../ui/form/kept-drafts.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { go } from '../shell/navigation.js';
import { Keys, useShortcut } from '../shell/shortcuts.js';
import { Composer } from './compose/composer.js';
import { EntryDetail } from './detail/call-detail.js';
import { ReplayDiff } from './replay-diff.js';
import { TrafficListView } from './call-list-view.js';

interface EventsViewProps {
  platform: PlatformResource;
  call: string | undefined;
}

export function EventsView({ platform, call }: EventsViewProps): JSX.Element {
  const [composing, setComposing] = useDraft('composing', false);
  const open = (id: string): void =>
    go({ view: 'events', call: id }, call === undefined ? 'push' : 'replace');
  useShortcut('n', 'New event', () => setComposing(true));
  return (
    <div class={call === undefined ? 'split' : 'split open'}>
      <div class="split-list">
        <TrafficListView
          list={traffic}
          selected={call}
          onSelect={open}
          onCompose={() => setComposing(true)}
        />
      </div>
      <div class="split-detail">
        {call === undefined ? (
          <EmptyState icon="events" title="Choose an entry">
            <p>
              Its envelope, headers, bodies, logs and outbound calls are shown here. <Keys keys="j" />{' '}
              <Keys keys="k" /> move through the list.
            </p>
          </EmptyState>
        ) : (
          <OpenEntry key={call} id={call} onOpen={open} />
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

function OpenEntry({ id, onOpen }: { id: string; onOpen: (id: string) => void }): JSX.Element {
  const { data, error } = useCall(id);
  const [replay, setReplay] = useState<ReplayResource>();
  if (!data) {
    return error === undefined ? (
      <LoadingState />
    ) : (
      <EmptyState icon="search" title="This entry is not to be had">
        <p>{error}</p>
      </EmptyState>
    );
  }
  return (
    <>
      <EntryDetail entry={data} onBack={() => go({ view: 'events' })} onReplayed={setReplay} />
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
