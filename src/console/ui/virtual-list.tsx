import type { ComponentChildren, HTMLAttributes, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { createRowLayout, type RowGroup } from './row-layout.js';
import { watchView } from './state/watch-view.js';

/** The height of a heading, as set in the style sheet. */
const groupHeight = 24;

interface VirtualListProps {
  count: number;
  /** The height of a row, unless the style sheet sets `--row-height`. */
  rowHeight: number;
  /** The row to scroll into view when this value changes. */
  current?: number | undefined;
  /** The key of a selected row. The row keeps its position when other rows are added above it. */
  held?: string | undefined;
  /** Identifies the first row, so that the visible rows stay in place when rows are added above them. */
  topKey?: string | undefined;
  indexOfKey?: (key: string) => number;
  row: (index: number) => ComponentChildren;
  /** Groups of rows with a heading. The first group must start with the first row. */
  groups?: readonly RowGroup[] | undefined;
  onNearEnd?: (() => void) | undefined;
  attributes?: HTMLAttributes<HTMLDivElement>;
}

/** Renders only the visible rows of a list. All rows have the same height. */
export function VirtualList(props: VirtualListProps): JSX.Element {
  const { count, current, held, topKey, indexOfKey, row, groups, onNearEnd, attributes } = props;
  const box = useRef<HTMLDivElement>(null);
  const lastTop = useRef<string | undefined>(undefined);
  /** The row that was first when the list was last scrolled to the top. */
  const seenTop = useRef<string | undefined>(undefined);
  const [view, setView] = useState({ top: 0, height: 800, rowHeight: props.rowHeight });
  const { rowHeight } = view;

  const headingHeight = groups ? groupHeight : 0;
  const layout = createRowLayout({
    count,
    rowHeight,
    headings: groups?.map(({ start }) => start) ?? [],
    headingHeight,
  });

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = (): void => {
      if (element.scrollTop === 0) seenTop.current = lastTop.current;
      setView({
        top: element.scrollTop,
        height: element.clientHeight,
        rowHeight: parseFloat(getComputedStyle(element).getPropertyValue('--row-height')) || props.rowHeight,
      });
    };
    return watchView(element, measure);
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    const before = lastTop.current;
    lastTop.current = topKey;
    const isFollowing = element?.scrollTop === 0 && (held === undefined || held === before);
    if (isFollowing) seenTop.current = topKey;
    if (!element || before === undefined || before === topKey || isFollowing) return;
    const moved = indexOfKey?.(before) ?? -1;
    if (moved > 0) element.scrollTop += layout.topOf(moved) - layout.topOf(0);
  }, [topKey]);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || current === undefined || current < 0) return;
    const top = layout.topOf(current);
    if (top - headingHeight < element.scrollTop) element.scrollTop = top - headingHeight;
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
  }, [attributes?.['aria-activedescendant'], rowHeight]);

  const { first, last } = layout.range(view);
  useLayoutEffect(() => {
    if (count > 0 && last >= count - 20) onNearEnd?.();
  }, [last, count, onNearEnd]);

  const isHeaded = groups?.some(({ start }) => start === first) ?? false;
  // The heading of the rows in view, if the heading itself has been scrolled out of view.
  const heading = groups?.findLast(({ start }) => layout.topOf(start) - headingHeight <= view.top);
  const rows = (from: number, to: number): ComponentChildren[] =>
    Array.from({ length: to - from }, (_, index) => row(from + index));
  const added = seenTop.current === undefined || view.top === 0 ? 0 : (indexOfKey?.(seenTop.current) ?? 0);
  return (
    <>
      <div class="virtual" ref={box} {...attributes}>
        {heading && <GroupHeading {...heading} held />}
        <div class="relative" role="presentation" style={{ height: `${layout.height}px` }}>
          <div
            class="virtual-rows"
            role="presentation"
            style={{ transform: `translateY(${layout.topOf(first) - (isHeaded ? headingHeight : 0)}px)` }}
          >
            {groups ? drawGroups(groups, { first, last }, rows) : rows(first, last)}
          </div>
        </div>
      </div>
      {added > 0 && (
        <button
          type="button"
          class="button primary small new-rows"
          onClick={() => {
            box.current?.scrollTo(0, 0);
            box.current?.focus();
          }}
        >
          {added.toLocaleString('en')} new
        </button>
      )}
    </>
  );
}

/** Renders the rows of each group. If the group's first row is rendered, its heading is rendered above it. */
const drawGroups = (
  groups: readonly RowGroup[],
  { first, last }: { first: number; last: number },
  rows: (from: number, to: number) => ComponentChildren,
): ComponentChildren =>
  groups.map((group, index) => {
    const { key, start, title, note } = group;
    const from = Math.max(first, start);
    const to = Math.min(last, groups[index + 1]?.start ?? last);
    return (
      from < to && (
        <div key={key} role="group" aria-label={[title, note].filter(Boolean).join(', ')}>
          {from === start && <GroupHeading {...group} />}
          {rows(from, to)}
        </div>
      )
    );
  });

const GroupHeading = ({ title, note, held = false }: RowGroup & { held?: boolean }): JSX.Element => (
  <div class={held ? 'bar group-heading held' : 'bar group-heading'} aria-hidden="true">
    <strong>{title}</strong> {note}
  </div>
);
