import type { JSX } from 'preact';
import type { PageEntry } from '../../content/index.js';
import type { ReaderSpace } from '../../emulator/spaces/readers.js';
import { addressOf, type PagePlace } from '../site-content.js';

interface NavigationParts {
  space: ReaderSpace;
  spaces: readonly ReaderSpace[];
  pages: readonly PageEntry[];
  /** The number of pages that have text. */
  count: number;
  /** The page to show. Undefined if there is no page at this URL. */
  page: PageEntry | undefined;
  place: PagePlace;
}

/**
 * If there are more pages than this, only the folders around the current page are open, because rendering all of the links
 * would take too long.
 */
const mostOpen = 200;
/** How many of a folder's pages to show on each side of the current page. */
const mostBeside = 50;

export function Navigation({ space, spaces, pages, count, page, place }: NavigationParts): JSX.Element {
  const isWhole = count <= mostOpen;
  const open = new Set([...place.trail, page].map((one) => one?.id));
  const isOpen = (id: string): boolean => isWhole || open.has(id);
  const beside = isWhole ? Infinity : mostBeside;
  return (
    <nav id="navigation" class="site-nav" aria-label="Pages">
      {spaces.length > 1 && (
        <ul class="spaces">
          {spaces.map((one) => (
            <li key={one.id}>
              <a href={one.path} aria-current={one.id === space.id ? 'true' : undefined}>
                {one.title}
              </a>
            </li>
          ))}
        </ul>
      )}
      <p class="nav-title">{space.title}</p>
      <PageList pages={pages} space={space} current={page} isOpen={isOpen} beside={beside} />
    </nav>
  );
}

interface PageListProps {
  pages: readonly PageEntry[];
  space: ReaderSpace;
  current: PageEntry | undefined;
  isOpen(id: string): boolean;
  /** The maximum number of pages to show on each side of the current page. */
  beside: number;
}

function PageList({ pages, beside, ...list }: PageListProps): JSX.Element {
  const { space, current, isOpen } = list;
  const at = pages.findIndex(({ id }) => isOpen(id));
  const from = Math.max(0, at - beside);
  const shown = pages.slice(from, Math.max(0, at) + beside + 1);
  const after = pages.slice(from + shown.length);
  return (
    <ul class="page-list">
      <MorePages count={from} nearest={pages[from - 1]} where="above" space={space} />
      {shown.map((page) => (
        <li key={page.id}>
          <PageLink page={page} space={space} current={current} isOpen={isOpen(page.id)} />
          {page.pages.length > 0 && isOpen(page.id) && (
            <PageList {...list} pages={page.pages} beside={beside} />
          )}
        </li>
      ))}
      <MorePages count={after.length} nearest={after[0]} where="below" space={space} />
    </ul>
  );
}

interface MorePagesProps {
  count: number;
  /** The nearest page that is not shown. Linking to it opens another part of the list. */
  nearest: PageEntry | undefined;
  where: 'above' | 'below';
  space: ReaderSpace;
}

function MorePages({ count, nearest, where, space }: MorePagesProps): JSX.Element | null {
  const first = nearest && firstDocument(nearest);
  if (!first) return null;
  return (
    <li>
      <a class="more-pages" href={addressOf(space, first)}>
        {count.toLocaleString('en')} more {where}
      </a>
    </li>
  );
}

interface PageLinkProps extends Pick<PageListProps, 'space' | 'current'> {
  page: PageEntry;
  isOpen: boolean;
}

function PageLink({ page, space, current, isOpen }: PageLinkProps): JSX.Element {
  const isClosed = page.pages.length > 0 && !isOpen;
  // If a closed folder has no page of its own, the link to its first page opens the folder.
  const target = page.file === undefined && isClosed ? firstDocument(page) : page;
  if (target?.file === undefined) return <span class="group">{page.title}</span>;
  return (
    <a
      class={isClosed ? 'closed' : undefined}
      href={addressOf(space, target)}
      aria-current={page.id === current?.id ? 'page' : undefined}
    >
      {page.title}
    </a>
  );
}

function firstDocument(page: PageEntry): PageEntry | undefined {
  if (page.file !== undefined) return page;
  for (const below of page.pages) {
    const found = firstDocument(below);
    if (found) return found;
  }
  return undefined;
}
