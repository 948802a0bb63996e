import type { PageEntry } from '../content.js';
import { isFolderPage, parentOf, titleOf, type FileFacts } from './read-file-facts.js';
import type { FolderFacts } from './read-folder.js';
import type { Summary } from './read-summary.js';

export interface PageIndex {
  tree: PageEntry[];
  byId: ReadonlyMap<string, PageEntry>;
  /** Pages, keyed by their URL path. It uses Unicode's composed form, which is what people type. */
  byPath: ReadonlyMap<string, PageEntry>;
  byFile: ReadonlyMap<string, PageEntry>;
}

export const noPages: PageIndex = { tree: [], byId: new Map(), byPath: new Map(), byFile: new Map() };

/**
 * Builds the pages of a folder in time slices. The pages are in reading order: README.md first, and then as determined by
 * SUMMARY.md, `order` and the title.
 */
export async function buildPages(
  facts: FolderFacts,
  idOf: (file: string) => string,
  pause: () => Promise<void>,
): Promise<PageIndex> {
  const all = [...facts.files.values()];
  const summary: Summary = all.find((file) => file.summary)?.summary ?? new Map();
  const parts = new Map(
    [...summary].map(([file, { part }]) => [`${parentOf(file)}/${part.toLowerCase()}`, part]),
  );
  const byId = new Map<string, PageEntry>();
  const byPath = new Map<string, PageEntry>();
  const byFile = new Map<string, PageEntry>();
  const folderPages = new Map<string, PageEntry>();

  const add = (entry: PageEntry): void => {
    byId.set(entry.id, entry);
    if (entry.file !== undefined) byFile.set(entry.file, entry);
    byPath.set(entry.path, entry);
  };
  // If a folder contains both README.md and index.md, README.md is the page of the folder, and index.md is an ordinary page.
  const byName = all.filter(({ page }) => page).sort((one, other) => compare(one.path, other.path));
  await pause();
  const first = new Set(byName.filter(({ path }) => /(?:^|\/)readme\.md$/i.test(path)));
  const files = [...first, ...byName.filter((file) => !first.has(file))];
  const entries: { entry: PageEntry; folder: string }[] = [];
  for (const file of files) {
    const folder = parentOf(file.path);
    const isIndex = isFolderPage(file.path) && !folderPages.has(folder);
    const path = freePath((isIndex ? folder : file.path.replace(/\.md$/i, '')).normalize(), byPath);
    const entry = entryOf(file, path, idOf(file.path), summary);
    if (isIndex) folderPages.set(folder, entry);
    entries.push({ entry, folder: isIndex ? parentOf(folder) : folder });
    add(entry);
    await pause();
  }

  const root: PageEntry[] = [];
  const groupOf = (folder: string): PageEntry => {
    // `guide.md` is the page of the folder `guide` if the folder has no README.md or index.md.
    const path = folder.normalize();
    const known = folderPages.get(folder) ?? byPath.get(path);
    if (known) return known;
    const entry: PageEntry = {
      id: idOf(`${folder}/`),
      type: 'group',
      path,
      slug: slugOf(path),
      // A folder's name has no capitals, so `api` is called `API` if that is the heading above its pages.
      title: parts.get(`${folder}/${titleOf(folder).toLowerCase()}`) ?? titleOf(folder),
      hidden: false,
      pages: [],
    };
    folderPages.set(folder, entry);
    add(entry);
    place(entry, parentOf(folder));
    return entry;
  };
  function place(entry: PageEntry, folder: string): void {
    (folder === '' ? root : groupOf(folder).pages).push(entry);
  }
  for (const { entry, folder } of entries) place(entry, folder);
  await pause();
  await sortPages(root, summary, pause);
  return { tree: root, byId, byPath, byFile };
}
/**
 * Returns a path that is still free. For example, `guide.md` and `guide/README.md` would have the same URL, so the path of
 * the second page becomes `guide-2`.
 */
function freePath(path: string, taken: ReadonlyMap<string, PageEntry>): string {
  let free = path;
  for (let number = 2; taken.has(free); number += 1) free = `${path}-${number}`;
  return free;
}

const slugOf = (path: string): string => path.split('/').at(-1) ?? '';

function entryOf(
  { path: file, page, hash }: FileFacts,
  path: string,
  id: string,
  summary: Summary,
): PageEntry {
  const { title = titleOf(file), ...rest } = page ?? { hidden: false };
  return {
    id,
    type: 'document',
    path,
    slug: slugOf(path),
    title: summary.get(file)?.title ?? title,
    ...rest,
    file,
    hash,
    pages: [],
  };
}

/**
 * Compares titles much faster than `localeCompare`. The collator is created on first use, because that takes 6 ms and
 * `platform dev` usually does not need it at startup.
 */
let titles: Intl.Collator | undefined;

function compareTitles(one: string, other: string): number {
  titles ??= new Intl.Collator('en', { numeric: true });
  return titles.compare(one, other);
}

async function sortPages(pages: PageEntry[], summary: Summary, pause: () => Promise<void>): Promise<void> {
  for (const { pages: below } of pages) if (below.length > 0) await sortPages(below, summary, pause);
  const position = (page: PageEntry): number =>
    Math.min(summary.get(page.file ?? '')?.at ?? Infinity, ...page.pages.map(position));
  const keys = new Map(pages.map((page) => [page, position(page)]));
  const at = (page: PageEntry): number => keys.get(page) ?? Infinity;
  pages.sort(
    (one, other) =>
      Number(other.path === '') - Number(one.path === '') ||
      (at(one) === at(other) ? 0 : at(one) - at(other)) ||
      (one.order ?? Infinity) - (other.order ?? Infinity) ||
      compareTitles(one.title, other.title) ||
      compare(one.path, other.path),
  );
  await pause();
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
