import { parsePage, type PageTree } from '../content/page/index.js';
import type { Content, PageEntry } from '../content/index.js';

/** The pages of all spaces. */
export interface SiteContent {
  /** The pages that the navigation shows. */
  pages(space: string): PageEntry[];
  /** A page by its path in the space. A hidden one is found too. */
  find(space: string, wanted: { id: string } | { path: string }): FoundEntry | undefined;
  /** A picture or another file of the space. */
  file(space: string, path: string): Uint8Array | undefined;
}

interface FoundEntry {
  entry: PageEntry;
  text: string;
  tree: PageTree;
}

const mostParsed = 50;

/** A space without a folder has the sample pages. */
export function createSiteContent(deps: {
  content(space: string): Content | undefined;
  samples: readonly { entry: PageEntry; text(): string }[];
}): SiteContent {
  const { content, samples } = deps;
  /** By the text itself, the latest last. */
  const parsed = new Map<string, PageTree>();
  const treeOf = (text: string): PageTree => {
    const tree = parsed.get(text) ?? parsePage(text);
    parsed.delete(text);
    parsed.set(text, tree);
    const [oldest] = parsed.keys();
    if (parsed.size > mostParsed && oldest !== undefined) parsed.delete(oldest);
    return tree;
  };

  return {
    pages: (space) => withoutHidden(content(space)?.pages() ?? samples.map(({ entry }) => entry)),
    find(space, wanted) {
      const mounted = content(space);
      if (mounted) {
        const page = 'id' in wanted ? mounted.page(wanted.id) : mounted.pageByPath(wanted.path);
        return page && { entry: page, text: page.text, tree: treeOf(page.text) };
      }
      const sample = samples.find(({ entry }) =>
        'id' in wanted ? entry.id === wanted.id : entry.path === wanted.path,
      );
      const text = sample?.text();
      return sample && text !== undefined ? { entry: sample.entry, text, tree: treeOf(text) } : undefined;
    },
    file: (space, path) => content(space)?.file(path)?.bytes,
  };
}

const withoutHidden = (pages: readonly PageEntry[]): PageEntry[] =>
  pages.filter(({ hidden }) => !hidden).map((page) => ({ ...page, pages: withoutHidden(page.pages) }));

/** All pages that have a text, in the order of the navigation. */
export const flatten = (pages: readonly PageEntry[]): PageEntry[] =>
  pages.flatMap((page) => [...(page.file === undefined ? [] : [page]), ...flatten(page.pages)]);
