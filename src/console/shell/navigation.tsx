import type { ComponentChildren, JSX } from 'preact';
import { createCell, useCell } from '../ui/state/observable-cell.js';
import { formatRoute, parseRoute, type Route } from './route.js';

const address = (): string => location.pathname + location.search;

const current = createCell<Route>(parseRoute(address()));

window.addEventListener('popstate', () => current.set(parseRoute(address())));

export const useRoute = (): Route => useCell(current);

export function go(route: Route, how: 'push' | 'replace' = 'push'): void {
  const path = formatRoute(route);
  if (path !== address()) {
    if (how === 'push') history.pushState(null, '', path);
    else history.replaceState(null, '', path);
  }
  current.set(route);
}

/** Opens a tab and passes it this tab's key. Tabs opened through the browser have no key. */
export function openTab(path = address()): void {
  const tab = window.open(path);
  if (tab) tab.opener = null;
}

interface GoLinkProps {
  to: Route;
  children: ComponentChildren;
  class?: string;
  label?: string;
  current?: boolean;
}

/** A link to a console view. It is a real link, so that the view can be opened in another tab. */
export function GoLink({ to, children, label, current, ...rest }: GoLinkProps): JSX.Element {
  return (
    <a
      class={rest.class}
      href={formatRoute(to)}
      title={label}
      aria-current={current ? 'page' : undefined}
      onClick={(event) => {
        event.preventDefault();
        if (event.metaKey || event.ctrlKey || event.shiftKey) openTab(formatRoute(to));
        else go(to);
      }}
      onAuxClick={(event) => {
        if (event.button !== 1) return;
        event.preventDefault();
        openTab(formatRoute(to));
      }}
    >
      {children}
    </a>
  );
}
