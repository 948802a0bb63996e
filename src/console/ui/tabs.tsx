import type { ComponentChildren, JSX, RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { watchView } from './state/watch-view.js';

export interface Tab<Id extends string> {
  id: Id;
  label: string;
  count?: number;
  /** Marks the tab that shows the failure. */
  failed?: boolean;
}

/** How much of the previous tab stays visible when scrolling. */
const besideTab = 60;

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly Tab<Id>[];
  active: Id;
  onSelect: (id: Id) => void;
  children: ComponentChildren;
  actions?: ComponentChildren;
}

export function Tabs<Id extends string>(props: TabsProps<Id>): JSX.Element {
  const { label, tabs, active, onSelect, children, actions } = props;
  const base = useId();
  const list = useRef<HTMLDivElement>(null);

  const { before, after } = useHiddenTabs(list, tabs);
  const overflows = before + after > 0;
  // On a narrow screen, scrolls to the active tab, and again when a count that arrives later widens the tabs.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]');
    list.current?.scrollTo({ left: (tab?.offsetLeft ?? 0) - besideTab });
  }, [active, namesOf(tabs), overflows]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ id }) => id === active);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!tab) return;
    event.preventDefault();
    onSelect(tab.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(tab.id)}"]`)?.focus();
  };

  return (
    <div class="tabs">
      <div class="bar tab-bar">
        <div
          class={before > 0 ? 'tab-list scrolled' : 'tab-list'}
          role="tablist"
          aria-label={label}
          ref={list}
          onKeyDown={onKeyDown}
        >
          {tabs.map(({ id, label: name, count, failed }) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={`${base}-${id}`}
              data-tab={id}
              class="tab"
              aria-selected={id === active}
              aria-controls={`${base}-panel`}
              tabIndex={id === active ? 0 : -1}
              onClick={() => onSelect(id)}
            >
              {name}
              {count !== undefined && <span class="pill number">{count}</span>}
              {failed && <span class="tab-failed" role="img" aria-label="failed" />}
            </button>
          ))}
        </div>
        {overflows && (
          // The tabs can also be reached with the arrow keys. The button always takes up space, so that scrolling does not
          // shift the layout.
          <button
            type="button"
            class={after > 0 ? 'text-button small tab-more' : 'text-button small tab-more unused'}
            tabIndex={-1}
            aria-label={after === 1 ? 'Show 1 more tab' : `Show ${after} more tabs`}
            onClick={() => list.current?.scrollTo({ left: list.current.scrollWidth })}
          >
            +{after}
          </button>
        )}
        {actions && <div class="tab-actions">{actions}</div>}
      </div>
      <div
        class="tab-panel"
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${active}`}
        tabIndex={0}
      >
        {children}
      </div>
    </div>
  );
}

const namesOf = (tabs: readonly Tab<string>[]): string =>
  tabs.map(({ label, count }) => `${label} ${count ?? ''}`).join();

/** How many tabs are not fully visible on the left and on the right. */
function useHiddenTabs(
  list: RefObject<HTMLElement | null>,
  tabs: readonly Tab<string>[],
): { before: number; after: number } {
  const [hidden, setHidden] = useState({ before: 0, after: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const measure = (): void => {
      const start = element.scrollLeft - 4;
      const end = element.scrollLeft + element.clientWidth + 4;
      const all = [...element.children].filter((tab) => tab instanceof HTMLElement);
      setHidden({
        before: all.filter((tab) => tab.offsetLeft < start).length,
        after: all.filter((tab) => tab.offsetLeft + tab.offsetWidth > end).length,
      });
    };
    return watchView(element, measure);
  }, [namesOf(tabs)]);
  return hidden;
}
