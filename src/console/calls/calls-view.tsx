import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PlatformResource } from '../../contract/routes/overview.js';
import type { CallRecord } from '../../contract/routes/calls.js';
import type { ReplayResource } from '../../contract/routes/events.js';
import { setCallFilter, callList } from '../live/call-list.js';
import { useCall } from '../live/use-resource.js';
import { useDraft } from '../live/kept-drafts.js';
import { useCell } from '../ui/state/observable-cell.js';
import { useAct } from '../ui/run-and-report.js';
import { ListAndDetail } from '../ui/list-and-detail.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import type { CallTab } from '../shell/route.js';
import { LoadLater, loadParts } from '../shell/load-later.js';
import { go } from '../shell/navigation.js';
import { useShortcut } from '../shell/shortcuts.js';
import { formatFilter, isFiltered, noFilter, type FilterTexts } from '../api/call-filter.js';
import { composerAsked } from './compose/composer-asked.js';
import { EntryDetail } from './detail/call-detail.js';
import { CallListView } from './call-list-view.js';

interface EventsViewProps {
  platform: PlatformResource;
  call: string | undefined;
  tab: CallTab | undefined;
  filter: FilterTexts | undefined;
}

/**
 * The value of `composerAsked` when the composer was last opened. Kept outside the view, so that it survives a switch to
 * another view.
 */
let openedFor = 0;

export function EventsView(props: EventsViewProps): JSX.Element {
  const { platform, call, tab, filter = noFilter } = props;
  /** The id of the call that is being edited, or true for a new call. */
  const [composing, setComposing] = useDraft<string | boolean>('composing', false);
  /** The ids of the calls selected when the recording dialog was opened. */
  const [recorded, setRecorded] = useState<readonly string[]>();
  const opened = useRef(call);
  const { act } = useAct();
  const list = { view: 'calls' as const, ...(isFiltered(filter) && { filter }) };
  const shown = { ...list, ...(tab && { tab }) };
  const open = (id: string): void => {
    setComposing(false);
    go({ ...shown, call: id }, call === undefined ? 'push' : 'replace');
  };
  // Opens the composer instead of a call. Opening a call from the composer closes the composer.
  const edit = (id: string): void => {
    setComposing(id);
    go(list);
  };
  useLayoutEffect(() => {
    if (call !== undefined && call !== opened.current) setComposing(false);
    opened.current = call;
  }, [call]);
  const asked = useCell(composerAsked);
  useLayoutEffect(() => {
    if (asked === openedFor) return;
    openedFor = asked;
    setComposing(true);
  }, [asked]);
  const wanted = formatFilter(filter);
  useLayoutEffect(() => {
    if (wanted !== formatFilter(callList.filter.get())) setCallFilter(filter);
  }, [wanted]);
  // Removes the filter when this view is closed, because other views show the same list.
  useLayoutEffect(() => () => void (isFiltered(callList.filter.get()) && setCallFilter(noFilter)), []);
  useShortcut('n', () => setComposing(true));
  const view = (
    <ListAndDetail
      list={
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
                ...(tab && { tab }),
                ...(isFiltered(next) && { filter: next }),
              },
              'replace',
            )
          }
          onCompose={() => setComposing(true)}
          onRecord={() => setRecorded(call === undefined ? [] : [call])}
        />
      }
      detail={
        composing !== false ? (
          <LoadLater key={`${composing} ${asked}`}>
            {({ Composer }) => (
              <Composer
                platform={platform}
                from={composing === true ? undefined : composing}
                onClose={() => {
                  setComposing(false);
                  if (typeof composing === 'string') go({ ...shown, call: composing });
                }}
              />
            )}
          </LoadLater>
        ) : (
          call !== undefined && (
            <OpenEntry
              key={call}
              id={call}
              platform={platform}
              tab={tab}
              onTab={(next) => go({ ...list, call, ...(next && { tab: next }) }, 'replace')}
              onOpen={open}
              onBack={() => go(list)}
              onEdit={(entry) =>
                act(async () => (await loadParts()).editCall(entry).then(() => edit(entry.id)))
              }
              onRecord={() => setRecorded([call])}
            />
          )
        )
      }
    />
  );
  return (
    <>
      {view}
      {recorded && (
        <LoadLater meanwhile={null}>
          {({ RecordDialog }) => <RecordDialog calls={recorded} onClose={() => setRecorded(undefined)} />}
        </LoadLater>
      )}
    </>
  );
}

interface OpenEntryProps extends Pick<EventsViewProps, 'platform' | 'tab'> {
  id: string;
  onTab: (tab: CallTab | undefined) => void;
  onOpen: (id: string) => void;
  onBack: () => void;
  onEdit: (entry: CallRecord) => void;
  onRecord: () => void;
}

function OpenEntry({ id, onOpen, onEdit, ...shown }: OpenEntryProps): JSX.Element {
  const { data, error } = useCall(id);
  useShortcut('Escape', shown.onBack);
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
      <EntryDetail {...shown} entry={data} onReplayed={setReplay} onEdit={() => onEdit(data)} />
      {replay && (
        <LoadLater meanwhile={null}>
          {({ ReplayDiff }) => (
            <ReplayDiff
              of={id}
              replay={replay}
              onClose={() => setReplay(undefined)}
              onOpen={(call) => {
                setReplay(undefined);
                onOpen(call);
              }}
            />
          )}
        </LoadLater>
      )}
    </>
  );
}
