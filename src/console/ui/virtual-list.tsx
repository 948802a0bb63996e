import type { ComponentChildren, HTMLAttributes, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visibleRange } from './visible-range.js';

interface VirtualListProps {
  count: number;
  rowHeight: number;
  /** Scrolled into view when it changes. */
  current?: number | undefined;
  /** The key of a selected row, which keeps its position when rows are added above it. */
  held?: string | undefined;
  /** Identifies the first row, so that rows added above do not move the visible rows. */
  topKey?: string | undefined;
  indexOfKey?: (key: string) => number;
  row: (index: number) => ComponentChildren;
  onNearEnd?: (() => void) | undefined;
  attributes?: HTMLAttributes<HTMLDivElement>;
}

/** Draws only the visible rows of a list. All rows have the same height. */
export function VirtualList(props: VirtualListProps): JSX.Element {
  const { count, rowHeight, current, held, topKey, indexOfKey, row, onNearEnd, attributes } = props;
  const box = useRef<HTMLDivElement>(null);
  const lastTop = useRef<string | undefined>(undefined);
  /** The first row when the list was last scrolled to the top. */
  const seenTop = useRef<string | undefined>(undefined);
  const [view, setView] = useState({ top: 0, height: 800 });

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = (): void => {
      if (element.scrollTop === 0) seenTop.current = lastTop.current;
      setView({ top: element.scrollTop, height: element.clientHeight });
    };
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    measure();
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    const before = lastTop.current;
    lastTop.current = topKey;
    const isFollowing = element?.scrollTop === 0 && (held === undefined || held === before);
    if (isFollowing) seenTop.current = topKey;
    if (!element || before === undefined || before === topKey || isFollowing) return;
    const moved = indexOfKey?.(before) ?? -1;
    if (moved > 0) element.scrollTop += moved * rowHeight;
  }, [topKey]);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || current === undefined || current < 0) return;
    const top = current * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
  }, [attributes?.['aria-activedescendant'], rowHeight]);

  const { first, last } = visibleRange({ ...view, count, rowHeight });
  useLayoutEffect(() => {
    if (count > 0 && last >= count - 20) onNearEnd?.();
  }, [last, count, onNearEnd]);

  const rows: ComponentChildren[] = [];
  for (let index = first; index < last; index += 1) rows.push(row(index));
  const added = seenTop.current === undefined || view.top === 0 ? 0 : (indexOfKey?.(seenTop.current) ?? 0);
  return (
    <>
      <div class="virtual" ref={box} {...attributes}>
        <div class="virtual-all" role="presentation" style={{ height: `${count * rowHeight}px` }}>
          <div
            class="virtual-rows"
            role="presentation"
            style={{ transform: `translateY(${first * rowHeight}px)` }}
          >
            {rows}
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
