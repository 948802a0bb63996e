import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { noFilter, type TrafficList } from '../live/call-list.js';
import { Button } from '../ui/button.js';
import { useCell } from '../ui/state/observable-cell.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { Icon } from '../ui/icon.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Unreadable } from '../ui/messages/unreadable.js';
import { VirtualList } from '../ui/virtual-list.js';
import { useShortcut } from '../shell/shortcuts.js';
import { eventTypes } from './compose/event-schemas.js';
import type { TrafficLine } from '../api/call-types.js';
import { Status } from '../ui/status.js';
import { formatDuration, formatTime } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { describeLine, outcomeWords } from './describe-call.js';

interface TrafficListViewProps {
  list: TrafficList;
  selected: string | undefined;
  onSelect: (id: string) => void;
  onCompose: () => void;
}

const rowHeight = 58;

export function TrafficListView({ list, selected, onSelect, onCompose }: TrafficListViewProps): JSX.Element {
  const { lines, loading, complete, error } = useCell(list.view);
  const filter = useCell(list.filter);
  const search = useRef<HTMLInputElement>(null);
  const current = selected === undefined ? -1 : lines.findIndex(({ id }) => id === selected);
  const filtered = filter !== noFilter && JSON.stringify(filter) !== JSON.stringify(noFilter);

  const move = (by: number): void => {
    const at = current < 0 ? 0 : Math.min(lines.length - 1, Math.max(0, current + by));
    const line = lines[at];
    if (line) onSelect(line.id);
  };
  useShortcut('j', 'Next entry', () => move(1));
  useShortcut('k', 'Previous entry', () => move(-1));
  useShortcut('/', 'Search', () => search.current?.focus());

  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[
      event.key
    ];
    if (by === undefined) return;
    event.preventDefault();
    move(by);
  };

  return (
    <div class="entries">
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
      <div class="entries-list">
        {lines.length > 0 ? (
          <VirtualList
            count={lines.length}
            rowHeight={rowHeight}
            topKey={lines[0]?.id}
            indexOfKey={(id) => lines.findIndex((line) => line.id === id)}
            current={current}
            onNearEnd={complete ? undefined : list.older}
            attributes={{
              role: 'listbox',
              'aria-label': 'Events and requests, newest first',
              tabIndex: 0,
              'aria-activedescendant': current < 0 ? undefined : `entry-${selected}`,
              onKeyDown,
            }}
            row={(index) => {
              const line = lines[index];
              return (
                line && (
                  <TrafficRow
                    key={line.id}
                    line={line}
                    index={index}
                    count={lines.length}
                    selected={line.id === selected}
                    onSelect={() => onSelect(line.id)}
                  />
                )
              );
            }}
          />
        ) : error !== undefined ? (
          <Unreadable what="The list" error={error} again={list.reload} />
        ) : loading ? (
          <LoadingState lines={8} />
        ) : filtered ? (
          <EmptyState
            icon="search"
            title="Nothing matches"
            action={<Button onPress={() => list.setFilter(noFilter)}>Show everything</Button>}
          >
            <p>No event or request fits this filter.</p>
          </EmptyState>
        ) : (
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
        )}
      </div>
      <p class="only-read-aloud" aria-live="polite">
        {lines.length} entries
      </p>
    </div>
  );
}

interface TrafficRowProps {
  line: TrafficLine;
  index: number;
  count: number;
  selected: boolean;
  onSelect: () => void;
}

function TrafficRow({ line, index, count, selected, onSelect }: TrafficRowProps): JSX.Element {
  const { title, detail } = describeLine(line);
  const { tone, text } = outcomeWords(line);
  return (
    <div
      id={`entry-${line.id}`}
      role="option"
      class={selected ? 'entry selected' : 'entry'}
      aria-selected={selected}
      aria-posinset={index + 1}
      aria-setsize={count}
      onClick={onSelect}
    >
      <span class="entry-title cut">{showControls(title)}</span>
      <span class="entry-detail cut">{showControls(detail)}</span>
      <span class="entry-status">
        <Status tone={tone}>{text}</Status>
      </span>
      <span class="entry-facts number">
        <span>{formatDuration(line.durationMs)}</span>
        <span>{formatTime(line.time)}</span>
      </span>
    </div>
  );
}
