import type { PageEntry } from '../content.js';
import type { PageIndex } from './build-pages.js';
import type { FileFacts } from './read-file-facts.js';

/**
 * Updates the hashes of pages when only their text has changed. In a large folder, this is much faster than building all
 * pages again. Entries of the earlier index are copied rather than modified, because earlier revisions refer to them.
 */
export function updateTexts(index: PageIndex, changed: readonly FileFacts[]): PageIndex {
  const hashes = new Map(changed.map(({ path, hash }) => [path, hash]));
  const byId = new Map(index.byId);
  const byPath = new Map(index.byPath);
  const byFile = new Map(index.byFile);

  const update = (page: PageEntry): PageEntry => {
    const pages = updateAll(page.pages);
    const hash = page.file === undefined ? undefined : hashes.get(page.file);
    if (pages === page.pages && hash === undefined) return page;
    const entry: PageEntry = { ...page, ...(hash !== undefined && { hash }), pages };
    byId.set(entry.id, entry);
    byPath.set(entry.path, entry);
    if (entry.file !== undefined) byFile.set(entry.file, entry);
    return entry;
  };
  function updateAll(pages: PageEntry[]): PageEntry[] {
    const next = pages.map(update);
    return next.every((page, nth) => page === pages[nth]) ? pages : next;
  }
  return { tree: updateAll(index.tree), byId, byPath, byFile };
}
