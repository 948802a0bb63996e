import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { CallList } from '../live/call-list.js';
import { Command } from '../ui/command.js';
import { Button } from '../ui/button.js';
import { useCell } from '../ui/state/observable-cell.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Unreadable } from '../ui/messages/unreadable.js';
import { EntryList, neighbour, type Entry } from '../ui/entry-list.js';
import { useShortcut } from '../shell/shortcuts.js';
import { isFiltered, noFilter, withFilter, type FilterTexts } from '../api/call-filter.js';
import { allIntegrations } from '../../protocol/integration.js';
import { installedIn, titleOfTarget, type Installed } from '../live/where-installed.js';
import { firstCommand } from '../live/first-event.js';
import { FilterBar } from './filter-bar.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { formatDuration, formatTime } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { collapseRuns, type CallRow } from './collapse-runs.js';
import { groupByVersion } from './group-by-version.js';
import { Histogram } from './histogram.js';
import { describeLine, outcomeWords } from './detail/describe-call.js';

interface CallListViewProps {
  list: CallList;
  platform: PlatformResource;
  selected: string | undefined;
  onSelect: (id: string) => void;
  onFilter: (filter: FilterTexts) => void;
  onCompose: () => void;
  onRecord: () => void;
}

export function CallListView(props: CallListViewProps): JSX.Element {
  const { list, platform, selected, onSelect, onFilter, onCompose, onRecord } = props;
  const { lines, complete, error } = useCell(list.view);
  const filter = useCell(list.filter);
  const targets = installedIn(platform);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(
    () => collapseRuns(lines, (key) => opened.has(key), selected),
    [lines, opened, selected],
  );
  const toggle = ({ run }: CallRow): void => {
    if (!run) return;
    const next = new Set(opened);
    if (!next.delete(run.key)) next.add(run.key);
    setOpened(next);
  };
  const move = (by: number): void => {
    const next = neighbour(rows, selected, by);
    if (next !== undefined) onSelect(next);
  };
  useShortcut('j', () => move(1));
  useShortcut('k', () => move(-1));
  return (
    <div class="column entries">
      <FilterBar
        filter={filter}
        platform={platform}
        onFilter={onFilter}
        onCompose={onCompose}
        onRecord={onRecord}
      />
      <Histogram lines={lines} onSelect={(span) => onFilter(withFilter(filter, span))} />
      <div class="entries-list">
        {lines.length > 0 && error === undefined ? (
          <EntryList
            label="Calls, newest first"
            name="entry"
            lines={rows}
            selected={selected}
            onSelect={onSelect}
            onToggle={toggle}
            // Not the same function each time, because more calls do not always add rows.
            onNearEnd={complete ? undefined : () => list.older()}
            entry={(line) => describeEntry(line, targets)}
            {...(platform.integration.name !== allIntegrations && {
              groups: groupByVersion(rows, platform),
            })}
          />
        ) : (
          <NoCalls list={list} platform={platform} onFilter={onFilter} onCompose={onCompose} />
        )}
      </div>
    </div>
  );
}

function NoCalls({
  list,
  platform,
  onFilter,
  onCompose,
}: Pick<CallListViewProps, 'list' | 'platform' | 'onFilter' | 'onCompose'>): JSX.Element {
  const { loading, error } = useCell(list.view);
  const filter = useCell(list.filter);
  const endpoint = platform.installations[0]?.urls.publicEndpoint;
  if (error !== undefined) return <Unreadable what="The list" error={error} again={list.reload} />;
  if (loading) return <LoadingState lines={8} />;
  if (isFiltered(filter)) {
    return (
      <EmptyState
        icon="search"
        title="No matches"
        action={<Button onPress={() => onFilter(noFilter)}>Show all calls</Button>}
      >
        <p>No calls match the filters.</p>
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
      <p>New calls appear here as they happen. To cause one, run this in the project folder:</p>
      <Command text={firstCommand(platform)} />
      {endpoint !== undefined && <Command text={`curl ${endpoint}`} />}
    </EmptyState>
  );
}

const marks: Partial<Record<string, Entry['mark']>> = {
  replay: { icon: 'replay', label: 'Replay' },
  display: { icon: 'eye', label: 'Shown by the console' },
};

function describeEntry(line: CallRow, targets: readonly Installed[]): Entry {
  const { title, detail } = describeLine(line);
  const { tone, text } = outcomeWords(line);
  const { severity, status, outcome, near, cause, at, installation, site, space, integration } = line;
  const target = installation === undefined ? '' : titleOfTarget(targets, { installation, site, space });
  return {
    severity,
    title: showControls(title),
    mark: marks[cause?.type ?? ''],
    run: line.run,
    detail: showControls(near ? [detail, 'Near a limit'].filter(Boolean).join(' · ') : detail),
    at: at && `${at.file}:${at.line}`,
    subdued: cause?.type === 'display' && severity === 'none',
    target: integration ?? target,
    // Leaves out the problem, which has its own column.
    status: status !== undefined && (outcome === 'ok' || outcome === 'failed') ? String(status) : text,
    // The icon shows the problem. A successful status has no color, because the status is not what failed.
    tone: status !== undefined && status < 400 ? 'calm' : tone,
    amount: line.durationMs === undefined ? '' : formatDuration(line.durationMs),
    time: formatTime(line.time),
  };
}
