import type { JSX } from 'preact';
import type { CallList } from '../live/call-list.js';
import { Button } from '../ui/button.js';
import { useCell } from '../ui/state/observable-cell.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Unreadable } from '../ui/messages/unreadable.js';
import { EntryList, neighbour, type Entry } from '../ui/entry-list.js';
import { useShortcut } from '../shell/shortcuts.js';
import { isFiltered, noFilter, type CallFilter } from '../api/call-filter.js';
import { FilterBar } from './filter-bar.js';
import { describeUse } from '../../protocol/call-limits.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import type { CallLine } from '../../contract/routes/calls.js';
import { formatDuration, formatTime } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { describeLine, outcomeWords } from './detail/describe-call.js';

interface CallListViewProps {
  list: CallList;
  platform: PlatformResource;
  selected: string | undefined;
  onSelect: (id: string) => void;
  onFilter: (filter: CallFilter) => void;
  onCompose: () => void;
}

export function CallListView(props: CallListViewProps): JSX.Element {
  const { list, platform, selected, onSelect, onFilter, onCompose } = props;
  const { lines, complete, error } = useCell(list.view);
  const move = (by: number): void => {
    const next = neighbour(lines, selected, by);
    if (next !== undefined) onSelect(next);
  };
  useShortcut('j', 'Next call', () => move(1));
  useShortcut('k', 'Previous call', () => move(-1));
  return (
    <div class="entries">
      <FilterBar
        filter={useCell(list.filter)}
        platform={platform}
        onFilter={onFilter}
        onCompose={onCompose}
      />
      <div class="entries-list">
        {lines.length > 0 && error === undefined ? (
          <EntryList
            label="Calls, newest first"
            name="entry"
            lines={lines}
            selected={selected}
            onSelect={onSelect}
            onNearEnd={complete ? undefined : list.older}
            entry={describeEntry}
          />
        ) : (
          <NoCalls list={list} onFilter={onFilter} onCompose={onCompose} />
        )}
      </div>
    </div>
  );
}

/** Why the list is empty, and what to do next. */
function NoCalls({
  list,
  onFilter,
  onCompose,
}: Pick<CallListViewProps, 'list' | 'onFilter' | 'onCompose'>): JSX.Element {
  const { loading, error } = useCell(list.view);
  const filter = useCell(list.filter);
  if (error !== undefined) return <Unreadable what="The list" error={error} again={list.reload} />;
  if (loading) return <LoadingState lines={8} />;
  if (isFiltered(filter)) {
    return (
      <EmptyState
        icon="search"
        title="No matches"
        action={<Button onPress={() => onFilter(noFilter)}>Show all calls</Button>}
      >
        <p>No call matches the filters.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="calls"
      title="Nothing has happened yet"
      action={
        <Button kind="primary" icon="send" onPress={onCompose}>
          Send an event
        </Button>
      }
    >
      <p>Send an event, open a block, or call the public endpoint. New calls appear here immediately.</p>
    </EmptyState>
  );
}

function describeEntry(line: CallLine): Entry {
  const { title, detail } = describeLine(line);
  const { tone, text } = outcomeWords(line);
  return {
    title: showControls(title),
    detail: showControls(detail),
    tone,
    status: text,
    facts: (
      <>
        {line.near && (
          <span class="near-limit" title={line.near.map(describeUse).join(', ')}>
            Near a limit
          </span>
        )}
        <span>{formatDuration(line.durationMs)}</span>
        <span>{formatTime(line.time)}</span>
      </>
    ),
  };
}
