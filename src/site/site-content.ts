import type { Timers } from '../base/clock.js';
import { findIgnoredFiles, type GitAnswer } from '../content/folder/find-ignored-files.js';
import { parsePage, type PageTree } from '../content/page/index.js';
import type { Content, PageEntry } from '../content/index.js';
import type { ReaderSpace } from '../emulator/spaces/readers.js';
import { encodePath } from '../emulator/spaces/space-paths.js';

/** The pages of all spaces. */
export interface SiteContent {
  /** Returns the pages shown in the navigation. */
  pages(space: string): readonly PageEntry[];
  /** Returns the pages in the navigation that have text, in order. */
  documents(space: string): readonly PageEntry[];
  /** Returns the position of a page among the pages in the navigation. */
  place(space: string, id: string): PagePlace;
  /** Returns the page created from a file. */
  pageOfFile(space: string, file: string): PageEntry | undefined;
  /** Returns the page that a link points to, with or without the extension. A link can also point to a folder. */
  pageAt(space: string, path: string): PageEntry | undefined;
  /** Returns the text of a page's file, or of a file for `{% include %}`. */
  textOf(space: string, file: string): string | undefined;
  /** Returns the page at a path in the space, even if the page is hidden. */
  find(space: string, wanted: { id: string } | { path: string }): FoundEntry | undefined;
  /** Returns the lines of the page that look like headings. */
  headingLines(space: string, page: PageEntry): string;
  /** Returns the pages of a space, even hidden ones, keyed by their file. Each revision has its own map. */
  byFile(space: string): ReadonlyMap<string, PageEntry>;
  /** Parses a page without evicting the cached pages that readers have open. */
  parse(space: string, id: string): PageTree | undefined;
  /** Returns an image or another file in the space. */
  file(space: string, path: string): Uint8Array | undefined;
  /**
   * Returns why the site doesn't serve a file that a page links to, if so. The page may be someone else's, and Git usually ignores
   * keys and local settings. Without a repository, only media, documents and archives are served.
   */
  whyNotSent(space: string, path: string): Promise<string | undefined>;
}

export interface PagePlace {
  /** The folders that contain the page, outermost first. */
  trail: readonly PageEntry[];
  previous?: PageEntry | undefined;
  next?: PageEntry | undefined;
}

interface FoundEntry {
  entry: PageEntry;
  text: string;
  tree: PageTree;
}

interface PageLists {
  visible: readonly PageEntry[];
  documents: readonly PageEntry[];
  byFile: ReadonlyMap<string, PageEntry>;
}

interface Listing {
  files: ReadonlySet<string>;
  answers: Promise<ReadonlyMap<string, GitAnswer>>;
  /** When to ask again, because a `.gitignore` may have changed. */
  until: number;
}

const askAgainMs = 1000;

/** Images, recordings, documents and archives. */
const attachment =
  /\.(?:png|jpe?g|gif|webp|avif|svg|mp[34]|m4[av]|mov|webm|og[gv]|wav|pdf|zip|t?gz|docx?|xlsx?|pptx?|od[pst])$/i;

const mostParsed = 50;

export function createSiteContent(
  content: (space: string) => Content | undefined,
  timers: Pick<Timers, 'monotonic'>,
): SiteContent {
  /** Keyed by the text itself. The most recently used entry is last. */
  const parsed = new Map<string, PageTree>();
  const treeOf = (text: string): PageTree => {
    const tree = parsed.get(text) ?? parsePage(text);
    parsed.delete(text);
    parsed.set(text, tree);
    const [oldest] = parsed.keys();
    if (parsed.size > mostParsed && oldest !== undefined) parsed.delete(oldest);
    return tree;
  };

  /** Keyed by the list of entries, because each revision has a new one. */
  const lists = new WeakMap<readonly PageEntry[], PageLists>();
  const listsOf = (space: string): PageLists => {
    const tree = content(space)?.pages() ?? [];
    const known = lists.get(tree);
    if (known) return known;
    const visible = withoutHidden(tree);
    const files = flatten(tree).flatMap((page): [string, PageEntry][] =>
      page.file === undefined ? [] : [[page.file.normalize(), page]],
    );
    const documents = flatten(visible);
    const made: PageLists = {
      visible,
      documents,
      byFile: new Map(files),
    };
    lists.set(tree, made);
    return made;
  };

  const listings = new WeakMap<PageLists, Listing>();

  return {
    pages: (space) => listsOf(space).visible,
    documents: (space) => listsOf(space).documents,
    place(space, id) {
      const { visible, documents } = listsOf(space);
      const trail = findTrail(visible, id) ?? [];
      const at = documents.findIndex((page) => page.id === id);
      return at < 0 ? { trail } : { trail, previous: documents[at - 1], next: documents[at + 1] };
    },
    pageOfFile: (space, file) => listsOf(space).byFile.get(file.normalize()),
    pageAt: (space, path) =>
      listsOf(space).byFile.get(path.normalize()) ?? content(space)?.pageByPath(path.replace(/\.md$/i, '')),
    textOf: (space, file) =>
      content(space)?.textOf(listsOf(space).byFile.get(file.normalize())?.file ?? file),
    find(space, wanted) {
      const mounted = content(space);
      const page = 'id' in wanted ? mounted?.page(wanted.id) : mounted?.pageByPath(wanted.path);
      return page && { entry: page, text: page.text, tree: treeOf(page.text) };
    },
    headingLines: (space, { file }) => (file === undefined ? '' : (content(space)?.headingLines(file) ?? '')),
    byFile: (space) => listsOf(space).byFile,
    parse(space, id) {
      const text = content(space)?.page(id)?.text;
      return text === undefined ? undefined : parsePage(text);
    },
    file: (space, path) => content(space)?.file(path)?.bytes,
    async whyNotSent(space, path) {
      const mounted = content(space);
      if (!mounted) return 'The space has no files.';
      const lists = listsOf(space);
      let listing = listings.get(lists);
      if (!listing?.files.has(path) || listing.until < timers.monotonic()) {
        const files = mounted.files().map((file) => file.path);
        const answers = findIgnoredFiles(mounted.folder, files);
        const asked: Listing = { files: new Set(files), answers, until: Infinity };
        void answers.then(() => (asked.until = timers.monotonic() + askAgainMs));
        listings.set(lists, asked);
        listing = asked;
      }
      const answer = (await listing.answers).get(path);
      if (answer === 'ignored') return 'Git ignores this file, so it is not served.';
      if (answer === 'unknown')
        return 'Git cannot tell whether it ignores this file, so it is not served. To see why, run git check-ignore with its path.';
      if (answer === 'no-repository' && !attachment.test(path))
        return 'Outside a Git repository, files of this type are not served.';
      return undefined;
    },
  };
}

/** Copies only what contains hidden pages, because a copy of 10,000 pages takes 2 MB. */
function withoutHidden(pages: PageEntry[]): PageEntry[] {
  const shown = pages
    .filter(({ hidden }) => !hidden)
    .map((page) => {
      const below = withoutHidden(page.pages);
      return below === page.pages ? page : { ...page, pages: below };
    });
  return shown.length === pages.length && shown.every((page, at) => page === pages[at]) ? pages : shown;
}

function flatten(pages: readonly PageEntry[]): PageEntry[] {
  const all: PageEntry[] = [];
  const add = (page: PageEntry): void => {
    if (page.file !== undefined) all.push(page);
    page.pages.forEach(add);
  };
  pages.forEach(add);
  return all;
}

/** Returns the folders that contain a page. Found on demand, because a map of 10,000 pages takes memory in each revision. */
function findTrail(pages: readonly PageEntry[], id: string): PageEntry[] | undefined {
  for (const page of pages) {
    if (page.id === id) return [];
    const below = page.pages.length > 0 ? findTrail(page.pages, id) : undefined;
    if (below) return [page, ...below];
  }
  return undefined;
}

export const addressOf = (space: Pick<ReaderSpace, 'path'>, page: Pick<PageEntry, 'path'>): string =>
  `${space.path}${encodePath(page.path)}`;

/** The address of a page's Markdown, which ends in `.md`. That of a space's first page is `index.md`. */
export const markdownAddressOf = (...page: Parameters<typeof addressOf>): string =>
  `${addressOf(...page).replace(/\/$/, '/index')}.md`;
