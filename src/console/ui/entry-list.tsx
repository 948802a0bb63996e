import type { JSX } from 'preact';
import { Icon, type IconName } from './icon.js';
import type { Tone } from './tone.js';
import type { RowGroup } from './row-layout.js';
import { VirtualList } from './virtual-list.js';

/** The content of a row, by column. */
export interface Entry {
  severity: 'error' | 'warning' | 'none';
  title: string;
  /** The kind of call, such as a replay. */
  mark?: { icon: IconName; label: string } | undefined;
  /** Equal entries after this one, which are shown on request. */
  run?: { calls: number; open: boolean } | undefined;
  /** The reason for a problem, or details that the title does not contain. */
  detail: string;
  /** The line in the author's code that caused a problem, or the receiver of a delivery. */
  at?: string | undefined;
  /** Whether the row is less important than the others. */
  subdued?: boolean;
  /** Shown only on wide screens. */
  target?: string | undefined;
  tone: Tone;
  status: string;
  /** Hidden in a narrow list. */
  amount: string;
  time: string;
}

interface EntryListProps<Line> {
  label: string;
  /** The prefix for the ids of the rows. */
  name: string;
  lines: readonly Line[];
  selected: string | undefined;
  onSelect: (id: string) => void;
  /** Shows or hides the entries that are equal to this one. */
  onToggle?: (line: Line) => void;
  onNearEnd: (() => void) | undefined;
  entry: (line: Line) => Entry;
  groups?: readonly RowGroup[];
}

/** The height of a row, as set in the style sheet. */
const rowHeight = 32;
const steps: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
};

export function EntryList<Line extends { id: string }>(props: EntryListProps<Line>): JSX.Element {
  const { label, name, lines, selected, onSelect, onToggle } = props;
  const indexOf = (id: string | undefined): number => lines.findIndex((line) => line.id === id);
  const current = indexOf(selected);
  const onKeyDown = (event: KeyboardEvent): void => {
    const line = lines[current];
    if (event.key === 'ArrowRight' && line) onToggle?.(line);
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = neighbour(lines, selected, by);
    if (next !== undefined) onSelect(next);
  };
  return (
    <VirtualList
      count={lines.length}
      rowHeight={rowHeight}
      topKey={lines[0]?.id}
      indexOfKey={indexOf}
      current={current}
      groups={props.groups}
      held={current < 0 ? undefined : selected}
      onNearEnd={props.onNearEnd}
      attributes={{
        role: 'listbox',
        'aria-label': label,
        tabIndex: 0,
        'aria-activedescendant': current < 0 ? undefined : `${name}-${selected}`,
        onKeyDown,
      }}
      row={(index) => {
        const line = lines[index];
        return (
          line && (
            <EntryRow
              key={line.id}
              id={`${name}-${line.id}`}
              entry={props.entry(line)}
              index={index}
              count={lines.length}
              selected={index === current}
              onSelect={() => onSelect(line.id)}
              onToggle={() => onToggle?.(line)}
            />
          )
        );
      }}
    />
  );
}

/**
 * Returns the id `by` lines after the selected one, without going past either end of the list. If nothing is selected,
 * returns the first id.
 */
export function neighbour(
  lines: readonly { id: string }[],
  selected: string | undefined,
  by: number,
): string | undefined {
  const current = lines.findIndex(({ id }) => id === selected);
  return lines[current < 0 ? 0 : Math.min(lines.length - 1, Math.max(0, current + by))]?.id;
}

interface EntryRowProps {
  id: string;
  entry: Entry;
  index: number;
  count: number;
  selected: boolean;
  onSelect: () => void;
  onToggle: () => void;
}

const severityLabels = { error: 'Error', warning: 'Warning' };

function EntryRow({ id, entry, index, count, selected, onSelect, onToggle }: EntryRowProps): JSX.Element {
  const { severity, title, mark, run, detail, at, subdued = false, target } = entry;
  const { tone, status, amount, time } = entry;
  return (
    <div
      id={id}
      role="option"
      class={`bar pick entry ${severity}${selected ? ' selected' : ''}${subdued ? ' subdued' : ''}`}
      aria-selected={selected}
      aria-posinset={index + 1}
      aria-setsize={count}
      onClick={onSelect}
    >
      <span class="entry-severity">
        {severity !== 'none' && <Icon name={severity} size={14} label={severityLabels[severity]} />}
      </span>
      <span class="entry-what" title={detail === '' ? title : `${title}\n${detail}`}>
        {mark && <Icon name={mark.icon} size={14} label={mark.label} />}
        <span class="entry-title cut">{title}</span>
        {run && (
          <span
            class="pill"
            title={run.open ? 'Hide the equal calls' : 'Show the equal calls (right arrow key)'}
            onClick={(event) => {
              event.stopPropagation();
              onToggle();
            }}
          >
            {run.calls.toLocaleString('en')}×
          </span>
        )}
        <span class="entry-detail cut">{detail}</span>
        {at !== undefined && (
          <span class="entry-at cut mono">
            <span dir="ltr">{at}</span>
          </span>
        )}
      </span>
      {target !== undefined && (
        <span class="entry-target cut" title={target}>
          <span dir="ltr">{target}</span>
        </span>
      )}
      <span class={`entry-status cut ${tone}`}>{status}</span>
      <span class="entry-amount cut number">{amount}</span>
      <span class="entry-time number">{time}</span>
    </div>
  );
}
