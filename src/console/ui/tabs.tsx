import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

export interface Tab<Id extends string> {
  id: Id;
  label: string;
  count?: number;
}

/** How much of the previous tab remains visible. */
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

  // On a narrow screen, scrolls the list of tabs to the active tab.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]');
    list.current?.scrollTo({ left: (tab?.offsetLeft ?? 0) - besideTab });
  }, [active]);

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
      <div class="tab-bar">
        <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
          {tabs.map(({ id, label: name, count }) => (
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
              {count !== undefined && <span class="tab-count number">{count}</span>}
            </button>
          ))}
        </div>
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
