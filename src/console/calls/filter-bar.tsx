import type { JSX, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { callCounts, paused, togglePause } from '../live/call-list.js';
import { useShortcut } from '../shell/shortcuts.js';
import { formatTime } from '../text/format.js';
import { Button } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { useCell } from '../ui/state/observable-cell.js';
import { formatTypedFilter, parseTypedFilter, tokensOf } from '../api/typed-filter.js';
import { formatFilter, isFiltered, noFilter, withFilter, type FilterTexts } from '../api/call-filter.js';
import { FilterFields, fieldNames, useRecentCalls } from './filter-fields.js';
import { suggestFilters } from './suggest-filters.js';
import { TypedInput } from './typed-input.js';

export interface FilterBarProps {
  filter: FilterTexts;
  platform: PlatformResource;
  onFilter: (filter: FilterTexts) => void;
  onCompose: () => void;
  onRecord: () => void;
}

export function FilterBar(props: FilterBarProps): JSX.Element {
  const { filter, platform, onFilter, onCompose, onRecord } = props;
  const [open, setOpen] = useState(false);
  const [searching, setSearching] = useState(false);
  const lines = useRecentCalls(searching);
  const search = useRef<HTMLInputElement>(null);
  const fields = useRef<HTMLDivElement>(null);
  const id = useId();
  // Keeps the text as the user typed it, as long as its meaning stays the same.
  const typed = useRef('');
  const text = sameFilter(parseTypedFilter(typed.current), filter)
    ? typed.current
    : formatTypedFilter(filter);
  const problem = tokensOf(text).find((token) => token.problem !== undefined)?.problem;
  const set = (change: Partial<Record<keyof FilterTexts, string>>): void =>
    onFilter(withFilter(filter, change));
  const toggle = (): void => setOpen(!open);
  const clear = (): void => set({ since: new Date().toISOString() });
  useShortcut('/', () => search.current?.focus());
  useShortcut('f', toggle);
  useShortcut('p', togglePause);
  useShortcut('x', clear);
  useFocusOnOpen(fields, open);
  const isEmpty = useCell(callCounts)?.all === 0;
  const inPanel = fieldNames.filter((name) => filter[name] !== undefined).length;
  return (
    <div class="stack tight entries-bar">
      <div class="row">
        <div class="bar search grow">
          <Icon name="search" />
          <label class="only-read-aloud" for={`${id}-search`}>
            Search ids, types, URLs, logs and bodies, or filter with status:5xx
          </label>
          <TypedInput
            ids={{ id: `${id}-search` }}
            inputRef={search}
            name="search"
            placeholder="Search, or filter: status:5xx"
            value={text}
            onFocus={() => setSearching(true)}
            suggest={(next) => suggestFilters(next, lines)}
            tokens={tokensOf}
            onType={(next) => {
              typed.current = next;
              onFilter(parseTypedFilter(next));
            }}
          />
        </div>
        <Button size="small" kind="primary" icon="plus" onPress={onCompose}>
          New
        </Button>
      </div>
      <div class="row">
        <Button
          size="small"
          pressed={filter.failed === 'true'}
          onPress={() => set({ failed: filter.failed === 'true' ? '' : 'true' })}
        >
          Failed
        </Button>
        <button
          type="button"
          class="button small"
          aria-expanded={open}
          aria-controls={`${id}-fields`}
          onClick={toggle}
        >
          <Icon name="filter" />
          {inPanel === 0 ? 'Filters' : `Filters (${inPanel})`}
        </button>
        {isFiltered(filter) && (
          <button
            type="button"
            class="text-button small"
            aria-label="Reset filters"
            onClick={() => onFilter(noFilter)}
          >
            Reset
          </button>
        )}
        <Counts filter={filter} />
        {problem !== undefined && (
          <p class="bar small gap-s filter-problem" role="status">
            <Icon name="warning" size={14} /> {problem}
          </p>
        )}
        {!isEmpty && (
          <span class="row filter-tools">
            <Button size="small" icon="record" onPress={onRecord}>
              Record
            </Button>
            <PauseButton />
            <Button size="small" icon="trash" onPress={clear}>
              Clear
            </Button>
          </span>
        )}
      </div>
      <div
        id={`${id}-fields`}
        ref={fields}
        hidden={!open}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          setOpen(false);
        }}
      >
        {open && <FilterFields filter={filter} platform={platform} set={set} />}
      </div>
    </div>
  );
}

const sameFilter = (one: FilterTexts, other: FilterTexts): boolean =>
  formatFilter(withFilter(one, {})) === formatFilter(withFilter(other, {}));

/** Sets the focus before the next key press, so that text typed right after the shortcut `f` goes into the fields. */
function useFocusOnOpen(fields: RefObject<HTMLElement | null>, open: boolean): void {
  useLayoutEffect(() => {
    if (open) fields.current?.querySelector<HTMLElement>('input, select')?.focus();
  }, [fields, open]);
}

function PauseButton(): JSX.Element {
  const pause = useCell(paused);
  return (
    <Button size="small" icon={pause ? 'play' : 'pause'} pressed={pause !== undefined} onPress={togglePause}>
      {pause ? 'Resume' : 'Pause'}
    </Button>
  );
}

function Counts({ filter }: { filter: FilterTexts }): JSX.Element {
  const counts = useCell(callCounts);
  const pause = useCell(paused);
  const number = (value: number): string => value.toLocaleString('en');
  const words: string[] = [];
  if (counts) {
    const { matching, all } = counts;
    const calls = all === 1 ? 'call' : 'calls';
    words.push(
      isFiltered(filter) ? `${number(matching)} of ${number(all)} ${calls}` : `${number(all)} ${calls}`,
    );
  }
  const { since } = filter;
  if (since !== undefined && since.includes('T')) words.push(`since ${formatTime(Date.parse(since))}`);
  if (pause) words.push(`paused, ${number(pause.missed)} new`);
  return (
    <p class="quiet small number filter-counts" role="status">
      {words.join(' · ')}
    </p>
  );
}
