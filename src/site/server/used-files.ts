import type { Timers } from '../../base/clock.js';
import type { ReaderSpace } from '../../emulator/spaces/readers.js';
import type { PageEntry } from '../../content/index.js';
import type { PageTree } from '../../content/page/index.js';
import type { ContainerNode } from '../../protocol/page/page-tree.js';
import { safeLink } from '../../console/text/safe-url.js';
import type { SiteContent } from '../site-content.js';

/**
 * The files that pages show or link to. The site serves no other file in a mounted folder.
 */
export interface UsedFiles {
  /** Adds the files that a page uses, so that the images on an open page do not have to wait for a search. */
  add(page: UsingPage): void;
  /** Parses pages until one of them uses the file. The path is decoded, and includes the path of the space. */
  has(path: string): Promise<boolean>;
}

interface UsingPage {
  space: ReaderSpace;
  tree: PageTree;
  /** The URL of the page's file. */
  fileUrl: string;
}

interface UsedFilesOptions {
  spaces(): readonly ReaderSpace[];
  content: Pick<SiteContent, 'byFile' | 'parse'>;
  timers: Pick<Timers, 'monotonic'>;
  fileUrlOf(space: ReaderSpace, file: string): string;
  /** Returns the decoded path of a URL on the site. */
  pathOf(url: URL): string;
}

interface Scan {
  used: Set<string>;
  /** The pages that have not been parsed yet. */
  left: PageEntry[];
}

/** How long to parse before other work gets its turn, not counting the rest of the current page. */
const sliceMs = 4;

export function createUsedFiles({ spaces, content, timers, fileUrlOf, pathOf }: UsedFilesOptions): UsedFiles {
  const scans = new WeakMap<ReadonlyMap<string, PageEntry>, Scan>();
  const scanOf = ({ id }: ReaderSpace): Scan => {
    const pages = content.byFile(id);
    const scan = scans.get(pages) ?? { used: new Set(), left: [...pages.values()] };
    scans.set(pages, scan);
    return scan;
  };
  /** Keyed by the entry, which stays the same while the page's text does. */
  const known = new WeakMap<PageEntry, string[]>();
  const pathsOn = ({ space, tree, fileUrl }: UsingPage): string[] => {
    const { origin } = new URL(fileUrl);
    return urlsIn(tree).flatMap(({ url, file }) => {
      const href = safeLink(url, file === undefined ? fileUrl : fileUrlOf(space, file));
      return href?.startsWith(`${origin}/`) ? [pathOf(new URL(href))] : [];
    });
  };

  return {
    add(page) {
      const { used } = scanOf(page.space);
      for (const path of pathsOn(page)) used.add(path);
    },
    async has(path) {
      const all = spaces().map((space) => ({ space, scan: scanOf(space) }));
      const isUsed = (): boolean => all.some(({ scan }) => scan.used.has(path));
      let began = timers.monotonic();
      for (const { space, scan } of all) {
        while (!isUsed()) {
          const page = scan.left.pop();
          if (!page) break;
          const tree = known.has(page) ? undefined : content.parse(space.id, page.id);
          if (tree) known.set(page, pathsOn({ space, tree, fileUrl: fileUrlOf(space, page.file ?? '') }));
          for (const used of known.get(page) ?? []) scan.used.add(used);
          if (timers.monotonic() - began < sliceMs) continue;
          await new Promise((resolve) => setImmediate(resolve));
          began = timers.monotonic();
        }
      }
      return isUsed();
    },
  };
}

/** Returns the URLs of images, links, embeds and the cover with the file that includes them, and the strings in the properties of blocks, which may be URLs. */
function urlsIn(tree: PageTree): { url: string; file: string | undefined }[] {
  const urls: ReturnType<typeof urlsIn> = [];
  const waiting: { value: unknown; isUrl: boolean; file?: string | undefined }[] = [
    { value: [tree.blocks, tree.cover], isUrl: false },
  ];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, isUrl, file } = next;
    if (typeof value === 'string' && isUrl) urls.push({ url: value, file });
    else if (typeof value === 'object' && value !== null) {
      const { name, attributes } = value as Partial<ContainerNode>;
      // The links in an included file are relative to it.
      const included = name === 'include' ? attributes?.['file'] : undefined;
      const within = typeof included === 'string' ? included : file;
      for (const [key, inner] of Object.entries(value))
        waiting.push({ value: inner, isUrl: isUrl || key === 'url' || key === 'props', file: within });
    }
  }
  return urls;
}
