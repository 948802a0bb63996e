import { hydrate } from 'preact';
import { createComponentSession, type ComponentSession } from '../../console/markup/component-session.js';
import { ComponentView, type ComponentHost } from '../../console/markup/component-view.js';
import { safeLink } from '../../console/text/safe-url.js';
import type { BlockData, PageData } from '../block-data.js';
import { islandOf } from '../island.js';
import { createBlockRender } from './block-render.js';
import { createClient, type Client } from './client.js';
import { followSite } from './follow.js';
import { enhancePage, showHeadings } from './page-controls.js';
import { openFeedback } from './feedback.js';
import { noteRecent } from './search.js';
import { sendView } from './visit.js';
import { openThemes, themeNow } from './theme.js';
import { openVisitorMenu, type ShownVisitor } from './visitor-menu.js';

const readJson = <T,>(element: Element | null): T | undefined =>
  element ? (JSON.parse(element.textContent ?? 'null') as T) : undefined;

interface Held {
  session: ComponentSession;
  section: HTMLElement;
  /** The storage key that preserves the block's state when the page reloads. */
  key: string;
}

function start(): void {
  const page = readJson<PageData>(document.querySelector('#page-data'));
  const client = createClient();
  const held: Held[] = [];
  openThemes(() => redraw(held));
  enhancePage();
  if (page && page.page !== '') noteRecent(location.pathname);
  if (!client) document.querySelector<HTMLElement>('.read-only')?.removeAttribute('hidden');
  applyStyles();
  if (!page || !client) return void (document.documentElement.dataset['ready'] = '');
  const branches = [...document.querySelectorAll<HTMLElement>('[data-if]')];
  // If this fails, the rest of the page still works.
  const visitor = client
    .post('visitor', { ...page, conditions: branches.map(({ dataset }) => dataset['if']) })
    .then((response) => response.json() as Promise<ShownVisitor>);
  visitor
    .then((shown) => {
      for (const [at, branch] of branches.entries())
        branch.hidden = shown.holds[at] === 'else' in branch.dataset;
      showHeadings();
      openVisitorMenu(shown, client);
    })
    .catch(() => {});
  if (page.page === '') return void (document.documentElement.dataset['ready'] = '');
  const showCall = (call: string, integration?: string): void =>
    void visitor.then(({ calls }) => {
      const query = integration === undefined ? '' : `?${new URLSearchParams({ integration })}`;
      window.open(calls + call + query, '_blank', 'noopener,noreferrer');
    });
  for (const section of document.querySelectorAll<HTMLElement>('.site-block'))
    held.push(...wakeBlock(section, { page, client, showCall }));
  openFeedback(page, client);
  sendView(page, client);
  followSite(page, client, {
    scriptChanged: () => redraw(held, 'refreshed'),
    connected(isBack) {
      document.querySelector('.lost')?.toggleAttribute('hidden', isBack);
      if (isBack) redraw(held);
    },
    pageChanged() {
      for (const { session, key } of held)
        sessionStorage.setItem(key, JSON.stringify(session.view.get().state));
      // The reader has already opened this page, so the reload does not count as another view.
      sessionStorage.setItem('reloaded', page.page);
      location.reload();
    },
  });
  document.documentElement.dataset['ready'] = '';
}

/** Renders all blocks again. They say so if `mark` is set, because they may look the same as before. */
const redraw = (held: readonly Held[], mark?: 'refreshed'): void => {
  for (const { session, section } of held) {
    section.classList.remove('refreshed');
    void session.redraw().then(() => mark && section.classList.add(mark));
  }
};

/** Applies the styles in the markup. The page's policy blocks inline styles, but allows styles that the page's script sets. */
function applyStyles(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-style]'))
    element.style.cssText = element.dataset['style'] ?? '';
}

interface BlockSurroundings {
  page: PageData;
  client: Client;
  showCall(call: string, integration?: string): void;
}

function wakeBlock(section: HTMLElement, { page, client, showCall }: BlockSurroundings): Held[] {
  const data = readJson<BlockData>(section.querySelector('script'));
  const island = section.querySelector<HTMLElement>('.island');
  if (!data || !island) return [];
  const openUrl = (url: string): void => {
    const href = safeLink(url, data.base);
    if (href !== undefined) window.open(href, '_blank', 'noopener,noreferrer');
  };
  const host: ComponentHost = {
    render: createBlockRender({ data, page, client, theme: themeNow }),
    openUrl,
    options: async () => [],
    base: data.base,
    showCall: (call) => showCall(call, data.integration),
    now: () => performance.timeOrigin + performance.now(),
    hasReaders: true,
  };
  const key = `block ${page.space}${page.page} ${data.nth} ${data.component}`;
  const kept = takeKept(key);
  if (data.failed) island.replaceChildren();
  const session = createComponentSession({
    component: data.component,
    props: data.first?.type === 'element' ? data.first.props : {},
    ...(data.first && { first: data.first }),
    render: host.render,
    openUrl,
    now: host.now,
  });
  hydrate(islandOf(data.nth, <ComponentView session={session} host={host} />), island);
  island.inert = false;
  if (kept) void session.redraw({ state: kept });
  else if (!data.first || themeNow() === 'dark') void session.redraw();
  keepHeight(island, session, key, data.component);
  return [{ session, section, key }];
}

/**
 * While a block loads, it is as high as it was the last time, or as another block of its kind, so that the text after it does
 * not move.
 */
function keepHeight(island: HTMLElement, { view }: ComponentSession, ...keys: string[]): void {
  const last = keys.map((key) => sessionStorage.getItem(`height ${key}`)).find((height) => height !== null);
  if (last) island.style.setProperty('--last-height', `${last}px`);
  new ResizeObserver(() => {
    if (view.get().phase !== 'ready') return;
    const { clientHeight = 0 } = island.firstElementChild ?? {};
    for (const key of keys) sessionStorage.setItem(`height ${key}`, String(clientHeight));
  }).observe(island);
}

function takeKept(key: string): Record<string, unknown> | undefined {
  const text = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return text === null ? undefined : (JSON.parse(text) as Record<string, unknown>);
}

start();
