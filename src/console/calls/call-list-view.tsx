import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { noFilter, type TrafficList } from '../live/call-list.js';
import { Button } from '../ui/button.js';
import { useCell } from '../ui/state/observable-cell.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { Icon } from '../ui/icon.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Unreadable } from '../ui/messages/unreadable.js';
import { EntryList, neighbour, type Entry } from '../ui/entry-list.js';
import { useShortcut } from '../shell/shortcuts.js';
import { eventTypes } from './compose/event-schemas.js';
import { describeUse } from '../../protocol/call-limits.js';
import type { TrafficLine } from '../../contract/routes/calls.js';
import { formatDuration, formatTime } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { describeLine, outcomeWords } from './describe-call.js';

interface TrafficListViewProps {
  list: TrafficList;
  selected: string | undefined;
  onSelect: (id: string) => void;
  onCompose: () => void;
}

export function TrafficListView({ list, selected, onSelect, onCompose }: TrafficListViewProps): JSX.Element {
  const { lines, complete } = useCell(list.view);
  const move = (by: number): void => {
    const next = neighbour(lines, selected, by);
    if (next !== undefined) onSelect(next);
  };
  useShortcut('j', 'Next entry', () => move(1));
  useShortcut('k', 'Previous entry', () => move(-1));
  return (
    <div class="entries">
      <FilterBar list={list} onCompose={onCompose} />
      <div class="entries-list">
        {lines.length > 0 ? (
          <EntryList
            label="Events and requests, newest first"
            name="entry"
            lines={lines}
            selected={selected}
            onSelect={onSelect}
            onNearEnd={complete ? undefined : list.older}
            entry={describeEntry}
          />
        ) : (
          <NoCalls list={list} onCompose={onCompose} />
        )}
      </div>
      <p class="only-read-aloud" aria-live="polite">
        {lines.length} entries
      </p>
    </div>
  );
}

type ListProps = Pick<TrafficListViewProps, 'list' | 'onCompose'>;

function FilterBar({ list, onCompose }: ListProps): JSX.Element {
  const filter = useCell(list.filter);
  const search = useRef<HTMLInputElement>(null);
  useShortcut('/', 'Search', () => search.current?.focus());
  return (
    <div class="entries-bar">
      <label class="search">
        <Icon name="search" />
        <span class="only-read-aloud">Search in types, addresses and logs</span>
        <input
          ref={search}
          type="search"
          placeholder="Search type, address, log…"
          value={filter.search}
          onInput={(event) => list.setFilter({ ...filter, search: event.currentTarget.value })}
        />
      </label>
      <div class="row">
        <select
          class="control compact grow"
          aria-label="Type"
          value={filter.type}
          onChange={(event) => list.setFilter({ ...filter, type: event.currentTarget.value })}
        >
          <option value="">All types</option>
          {eventTypes.map((type) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </select>
        <Button
          size="small"
          icon="filter"
          pressed={filter.failed}
          onPress={() => list.setFilter({ ...filter, failed: !filter.failed })}
        >
          Failed
        </Button>
        <Button size="small" kind="primary" icon="plus" onPress={onCompose}>
          Event
        </Button>
      </div>
    </div>
  );
}

/** Why the list is empty, and what can be done about it. */
function NoCalls({ list, onCompose }: ListProps): JSX.Element {
  const { loading, error } = useCell(list.view);
  const filter = useCell(list.filter);
  if (error !== undefined) return <Unreadable what="The list" error={error} again={list.reload} />;
  if (loading) return <LoadingState lines={8} />;
  if (JSON.stringify(filter) !== JSON.stringify(noFilter)) {
    return (
      <EmptyState
        icon="search"
        title="Nothing matches"
        action={<Button onPress={() => list.setFilter(noFilter)}>Show everything</Button>}
      >
        <p>No event or request fits this filter.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="events"
      title="Nothing has happened yet"
      action={
        <Button kind="primary" icon="send" onPress={onCompose}>
          Send an event
        </Button>
      }
    >
      <p>Send an event, open a block, or call the public endpoint. It shows up here at once.</p>
    </EmptyState>
  );
}

function describeEntry(line: TrafficLine): Entry {
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
