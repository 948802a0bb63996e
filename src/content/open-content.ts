import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { systemClock, type Clock, type Timers } from '../base/clock.js';
import { createListeners } from '../base/listeners.js';
import { errorMessage } from '../base/text/error-message.js';
import { isInside } from '../base/node/is-inside.js';
import { readRegularFile } from '../base/node/regular-file.js';
import { buildPages, noPages } from './folder/build-pages.js';
import { createFile, fileForPath, folded, moveFile, removeFile, writeFile } from './folder/change-files.js';
import { decodeText, hashOf, isFolderPage, parentOf } from './folder/read-file-facts.js';
import { findMissingPages } from './folder/find-missing-pages.js';
import { openReflog, type HeadMove } from './folder/open-reflog.js';
import { emptyFolder, hasSameFolders, readFolder } from './folder/read-folder.js';
import { updateTexts } from './folder/update-texts.js';
import { fileOf, findChanges, isHidden } from './revisions/find-changes.js';
import { matchFiles, onlyTextsOf } from './revisions/match-files.js';
import { createPageIds } from './revisions/page-ids.js';
import type {
  Content,
  ContentWarning,
  GitCommit,
  MovedPages,
  Page,
  PageEntry,
  Revision,
  SyncedRevision,
} from './content.js';

export interface ContentOptions {
  folder: string;
  spaceId: string;
  clock: Pick<Clock, 'now'>;
  timers?: Timers;
  ids: MovedPages;
  onWarning?(warning: ContentWarning): void;
}

const noFolders: ReadonlyMap<string, string> = new Map();
const mostRevisions = 100;
/** How much text is kept for the history, and how many changes of one revision. */
const mostKeptCharacters = 4_000_000;
const mostKeptChanges = 20;
const largestFile = 25 * 1024 * 1024;
/** How long this may block other work in the process. */
const sliceMs = 4;

/** Opens a folder of Markdown files. The files are read later, in time slices. */
export function openContent(options: ContentOptions): Content {
  const { spaceId, clock, timers = systemClock, onWarning } = options;
  const listeners = createListeners<Revision>();
  const syncs = createListeners<SyncedRevision>();
  const folder = realpathSync(options.folder);
  const reflog = openReflog(folder);
  const ids = createPageIds(spaceId, options.ids);
  const closing = new AbortController();
  let facts = emptyFolder;
  let index = noPages;
  let revisions: [Revision, ...Revision[]] = [
    { id: revisionId(spaceId, ''), createdAt: clock.now(), changes: [] },
  ];
  let isRead = false;
  /** The texts of pages that were opened or changed, oldest first, so that the history can compare them. */
  const texts = new Map<string, string>();
  let keptCharacters = 0;
  let broken: ContentWarning[] = [];
  let missing: ContentWarning[] = [];
  let reported: ReadonlySet<string> = new Set();

  /** Reports each problem only once until it is fixed. `warnings` contains all current problems. */
  const warn = (warnings: readonly ContentWarning[]): void => {
    const current = new Map(warnings.map((warning) => [`${warning.file}\0${warning.message}`, warning]));
    for (const [key, warning] of current) if (!reported.has(key)) onWarning?.(warning);
    reported = new Set(current.keys());
  };

  const createPause = (): (() => Promise<void>) => {
    let began = timers.monotonic();
    return async () => {
      if (timers.monotonic() - began < sliceMs) return;
      await new Promise((resolve) => setImmediate(resolve));
      closing.signal.throwIfAborted();
      began = timers.monotonic();
    };
  };

  const look = async (touched?: ReadonlySet<string>): Promise<void> => {
    if (closing.signal.aborted) return;
    const pause = createPause();
    let read;
    try {
      read = await readFolder(folder, facts, pause, touched);
    } catch (error) {
      if (closing.signal.aborted) return;
      // The pages are kept, because the folder may come back, for example after a checkout.
      broken = [
        { code: 'unreadable-folder', file: '', message: `The folder cannot be read. ${errorMessage(error)}` },
      ];
      warn([...broken, ...facts.warnings, ...missing]);
      return;
    }
    broken = [];
    await pause();
    const matches = matchFiles(facts, read);
    const changed = matches.filter(
      ({ before, after }) => before?.path !== after?.path || before?.hash !== after?.hash,
    );
    const texts = isRead && hasSameFolders(facts, read) ? onlyTextsOf(changed) : undefined;
    if (!texts) missing = findMissingPages(read);
    warn([...read.warnings, ...missing]);
    const moves = reflog?.moves() ?? [];
    await pause();
    // Includes empty folders, because the new path of a moved folder may already exist as an empty one.
    const renamed = texts ? noFolders : ids.follow(matches, facts, read);
    await pause();
    if (changed.length === 0 && isRead) {
      facts = read;
      exportTo(moves);
      return;
    }
    const pages = texts ? updateTexts(index, texts) : await buildPages(read, ids.of, pause);
    await pause();
    const compared = { before: index, after: pages, idOf: ids.of };
    const changes = findChanges(texts ? changed : matches, compared, renamed);
    await pause();
    [facts, index] = [read, pages];
    const [former] = revisions;
    const text = changed
      .map(({ before, after }) => [before?.path, after?.path, after?.hash].join('\0'))
      .sort();
    const id = revisionId(spaceId, `${isRead ? former.id : ''}\0${text.join('\0')}`);
    const source = isRead ? importOf(moves) : undefined;
    const revision: Revision = {
      id,
      createdAt: clock.now(),
      changes,
      ...(isRead && { before: former.id }),
      ...source,
    };
    revisions = isRead ? [revision, ...revisions.slice(0, mostRevisions - 1)] : [revision];
    if (isRead) listeners.emit(revision);
    if (isRead && changed.length <= mostKeptChanges)
      for (const { after } of changed) openAndKeep(index.byFile.get(after?.path ?? ''));
    if (isRead) exportTo(moves);
    isRead = true;
  };

  /** Announces a commit that contains the current pages, unless it changes only other files in the repository. */
  const exportTo = (moves: readonly HeadMove[]): void => {
    const commit = moves.findLast(({ isCommit }) => isCommit);
    if (commit && !revisions[0].git) markSynced(commit);
  };

  const markSynced = ({ oid, message }: GitCommit, from?: string): SyncedRevision => {
    const [current, ...earlier] = revisions;
    const synced = { ...current, git: { oid, message, createdByPlatform: true as const } };
    revisions = [synced, ...earlier];
    syncs.emit({ ...synced, from });
    return synced;
  };

  const stopped = (error: unknown): void => {
    if (!closing.signal.aborted) throw error;
  };

  /** Ensures that only one check runs at a time. */
  let looking = Promise.resolve();
  const lookNext = (touched?: ReadonlySet<string>): Promise<void> =>
    (looking = looking.then(() => look(touched)).catch(stopped));

  const read = (path: string): Buffer | undefined => {
    const file = join(folder, path);
    // One of the parent folders may have been replaced with a symlink since it was read.
    if (!isInside(file, folder)) return undefined;
    try {
      return readRegularFile(file, largestFile);
    } catch {
      return undefined;
    }
  };

  const open = (entry: PageEntry | undefined): Page | undefined => {
    if (entry?.file === undefined) return undefined;
    const bytes = read(entry.file);
    const text = bytes && decodeText(bytes);
    return bytes && text !== undefined
      ? { ...entry, file: entry.file, text, hash: hashOf(bytes) }
      : undefined;
  };

  const openAndKeep = (entry: PageEntry | undefined): Page | undefined => {
    const page = open(entry);
    if (!page || texts.has(page.hash)) return page;
    texts.set(page.hash, page.text);
    keptCharacters += page.text.length;
    for (const [hash, { length }] of texts) {
      if (keptCharacters <= mostKeptCharacters) break;
      texts.delete(hash);
      keptCharacters -= length;
    }
    return page;
  };

  return {
    folder,
    ready: lookNext(),
    pages: () => index.tree,
    page: (id) => openAndKeep(index.byId.get(id)),
    pageByPath(path) {
      const plain = path.replace(/^\/+|(?<!\/)\/+$/g, '').normalize();
      return open(index.byPath.get(plain) ?? (plain === '' ? firstDocument(index.tree) : undefined));
    },
    headingLines: (file) => facts.files.get(file)?.headings ?? '',
    files: () =>
      [...facts.files.values()]
        .filter((file) => !file.page && !isHidden(file))
        .map((file) => fileOf(file, ids.of(file.path))),
    file(path) {
      const known = facts.files.get(path);
      if (!known || known.page || isHidden(known)) return undefined;
      const bytes = read(path);
      return bytes && { file: fileOf(known, ids.of(path)), bytes };
    },
    textOf(path) {
      const page = index.byFile.get(path);
      const known = page || !/\.(?:md|ya?ml|json)$/i.test(path) ? undefined : facts.files.get(path);
      const bytes = page || (known && !isHidden(known)) ? read(path) : undefined;
      return bytes && decodeText(bytes);
    },
    async write(id, { text, hash }) {
      const page = open(index.byId.get(id));
      if (!page) return 'missing';
      if (page.hash !== hash) return 'changed';
      if (!writeFile(folder, page.file, text)) return 'missing';
      await lookNext();
      return 'written';
    },
    async create(path, text) {
      const file = fileForPath(path);
      const made = file === undefined ? 'outside' : createFile(folder, file, text);
      if (file === undefined || made === 'outside') return 'invalid';
      if (made === 'taken') return 'taken';
      await lookNext();
      // Some systems store another case, or another encoding of an accent, and use the name that a folder already has.
      const stored = index.byFile.has(file)
        ? file
        : [...index.byFile.keys()].find((other) => folded(other) === folded(file));
      return { id: ids.of(stored ?? file) };
    },
    async move(id, path) {
      const page = open(index.byId.get(id));
      if (!page) return 'missing';
      const file = fileForPath(path);
      const own = isPageOfFolder(page);
      if (file === undefined || (own && page.path === '')) return 'invalid';
      const moved = own
        ? moveFile(folder, parentOf(page.file), file.replace(/\.md$/, ''))
        : moveFile(folder, page.file, file);
      if (moved === 'outside') return 'invalid';
      await lookNext();
      return moved;
    },
    async remove(id, hash) {
      const page = open(index.byId.get(id));
      if (!page) return 'missing';
      if (page.hash !== hash) return 'changed';
      if (!removeFile(folder, page.file)) return 'missing';
      await lookNext();
      return 'removed';
    },
    warnings: () => [...broken, ...facts.warnings, ...missing],
    revision: () => revisions[0],
    revisions: () => [...revisions],
    text: (hash) => texts.get(hash),
    changes: (id) => revisions.find((revision) => revision.id === id)?.changes,
    subscribe: listeners.subscribe,
    subscribeToSyncs: syncs.subscribe,
    async sync(from) {
      await lookNext();
      const [{ id }] = revisions;
      const oid = createHash('sha1').update(id).digest('hex');
      return markSynced(reflog?.head() ?? { oid, message: 'Sync' }, from);
    },
    ...(reflog && { gitFolder: reflog.folder }),
    folders: () => [...facts.folders].map((path) => join(folder, path)),
    look: (folders) =>
      lookNext(
        folders && new Set([...folders].map((one) => relative(folder, one).replaceAll(sep, '/'))),
      ).then(() => (facts.isUnsure ? 'unsure' : 'sure')),
    close: () => closing.abort(),
  };
}

/** Whether this is the page of its folder, and not the ordinary page of an `index.md` next to a `README.md`. */
function isPageOfFolder({ file, path }: Page): boolean {
  const folder = parentOf(file).normalize();
  return isFolderPage(file) && (folder === '' ? path === '' : !path.startsWith(`${folder}/`));
}

/** Returns the commit that changed the pages, unless the commit was made from them. */
function importOf(moves: readonly HeadMove[]): Pick<Revision, 'git' | 'merged'> | undefined {
  const last = moves.at(-1);
  if (!last || last.isCommit) return undefined;
  const { oid, message, merged } = last;
  return { git: { oid, message }, ...(merged && { merged }) };
}

const revisionId = (spaceId: string, text: string): string =>
  `rev_${createHash('sha256').update(`${spaceId}\0${text}`).digest('hex').slice(0, 20)}`;

function firstDocument(pages: readonly PageEntry[]): PageEntry | undefined {
  for (const page of pages) {
    const found = page.type === 'document' && !page.hidden ? page : firstDocument(page.pages);
    if (found) return found;
  }
  return undefined;
}
