import { lstatSync, readdirSync, realpathSync, type Dirent } from 'node:fs';
import { basename, join } from 'node:path';
import { foldersUp } from '../../base/node/folders-up.js';
import { assetFolders } from '../../profiles/profile.js';
import type { ContentWarning } from '../content.js';
import { parentOf, readFileFacts, stateOf, type FileFacts } from './read-file-facts.js';

export interface FolderFacts {
  files: ReadonlyMap<string, FileFacts>;
  /** Paths relative to the folder. The folder itself is an empty string. */
  folders: ReadonlySet<string>;
  warnings: ContentWarning[];
  /**
   * True if a file has become empty. A second scan must confirm this, because some editors empty a file before writing it.
   */
  isUnsure: boolean;
}

export const emptyFolder: FolderFacts = {
  files: new Map(),
  folders: new Set(['']),
  warnings: [],
  isUnsure: false,
};

export const hasSameFolders = (one: FolderFacts, other: FolderFacts): boolean =>
  one.folders.size === other.folders.size && [...one.folders].every((path) => other.folders.has(path));

const mostFiles = 50_000;
/** How deeply folders can be nested. */
export const deepest = 30;

/** Whether a file or folder with this name is skipped without a warning. */
export const isIgnored = (name: string): boolean =>
  (name.startsWith('.') && !assetFolders.includes(name)) || name === 'node_modules';

/**
 * Reads the files that have changed since `before`, in time slices. Checks all folders, or only the `touched` ones and any
 * new folders inside them. Throws if the folder itself cannot be read.
 */
export async function readFolder(
  folder: string,
  before: FolderFacts,
  pause: () => Promise<void>,
  touched?: ReadonlySet<string>,
): Promise<FolderFacts> {
  const waiting = touched ? [...new Set([...touched].map((path) => existing(folder, path)))] : [''];
  const files = new Map<string, FileFacts>();
  const folders = new Set<string>();
  const warnings: ContentWarning[] = [];
  const skip = (file: string, message: string, code: ContentWarning['code'] = 'skipped-file'): void =>
    void warnings.push({ code, file, message });
  const earlier = new Map(before.warnings.map(({ file, message }) => [file, message]));
  let isUnsure = false;
  let hidden: ReadonlySet<string> | undefined;
  const listed = new Map<string, Dirent[]>();
  if (touched) {
    for (const here of waiting) listed.set(here, list(join(folder, here), here === ''));
    keepUntouched(before, listed, { files, folders, warnings });
    await pause();
  }

  for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
    const entries = listed.get(here) ?? list(join(folder, here), here === '');
    folders.add(here);
    for (const entry of entries) {
      if (isIgnored(entry.name) || (entry.isFile() && entry.name.startsWith('.'))) continue;
      const path = here ? `${here}/${entry.name}` : entry.name;
      if (entry.isSymbolicLink())
        skip(path, 'It is a symbolic link. Replace it with the file or folder itself.');
      else if (entry.isDirectory()) {
        if (path.split('/').length > deepest) skip(path, `It is more than ${deepest} folders deep.`);
        else if (!folders.has(path) && !listed.has(path)) waiting.push(path);
      } else if (entry.isFile()) {
        if (files.size >= mostFiles) {
          skip(path, `The folder contains more than ${mostFiles} files. The rest are skipped.`);
          return { files, folders, warnings, isUnsure };
        }
        take(path);
      }
      await pause();
    }
  }
  return { files, folders, warnings, isUnsure };

  function take(path: string): void {
    const file = join(folder, path);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats && path.includes('\uFFFD')) skip(path, 'Its name is not UTF-8. Rename it.');
    if (!stats?.isFile()) return;
    if (stats.nlink > 1 && (hidden ??= hiddenFilesAbove(folder)).has(`${stats.dev} ${stats.ino}`))
      return skip(path, 'It is a hard link to a hidden file.');
    const known = before.files.get(path);
    if (known && known.size > 0 && stats.size === 0 && known.emptySince !== stateOf(stats)) {
      files.set(path, { ...known, emptySince: stateOf(stats) });
      isUnsure = true;
      return;
    }
    const facts = known?.state === stateOf(stats) ? known : readFileFacts(file, path, stats);
    if (!facts) return;
    if ('skipped' in facts) skip(path, earlier.get(path) ?? facts.skipped);
    else {
      files.set(path, facts);
      if (facts.warning !== undefined) skip(path, facts.warning, 'front-matter');
    }
  }
}

/** Returns the files whose names start with a dot, such as `.env`, in the folder and the folders above it. */
const hiddenFilesAbove = (folder: string): ReadonlySet<string> =>
  new Set(
    [...foldersUp(folder)].flatMap((here) =>
      namesIn(here).map((name) => {
        const stats = lstatSync(join(here, name), { throwIfNoEntry: false });
        return `${stats?.dev} ${stats?.ino}`;
      }),
    ),
  );

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.startsWith('.'));
  } catch {
    return [];
  }
}

/** Returns the folder itself or, if it is no longer a real folder, the nearest parent that is. */
function existing(folder: string, path: string): string {
  for (let here = path; here !== ''; here = parentOf(here)) {
    try {
      const file = join(folder, here);
      if (lstatSync(file).isDirectory() && realpathSync(file) === file) return here;
    } catch {
      // The folder has been deleted or moved, which is handled when its parent folder is read.
    }
  }
  return '';
}

/** Keeps the files in folders that are not read again, unless the folder has been deleted. */
function keepUntouched(
  before: FolderFacts,
  listed: ReadonlyMap<string, readonly Dirent[]>,
  kept: { files: Map<string, FileFacts>; folders: Set<string>; warnings: ContentWarning[] },
): void {
  const present = new Map(
    [...listed].map(([path, entries]) => [
      path,
      new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)),
    ]),
  );
  for (const path of [...before.folders].sort()) {
    if (listed.has(path)) continue;
    const above = parentOf(path);
    const isThere = path === '' || (present.get(above)?.has(basename(path)) ?? kept.folders.has(above));
    if (isThere) kept.folders.add(path);
  }
  for (const [path, facts] of before.files) if (kept.folders.has(parentOf(path))) kept.files.set(path, facts);
  for (const warning of before.warnings)
    if (kept.folders.has(parentOf(warning.file)) && !listed.has(parentOf(warning.file)))
      kept.warnings.push(warning);
}

function list(folder: string, isRoot: boolean): Dirent[] {
  try {
    // It may have been replaced with a symlink since its parent folder was read.
    if (realpathSync(folder) !== folder) throw new Error('It has been replaced with a symbolic link.');
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // A folder can be deleted or become unreadable while its parent folder is being read.
    if (isRoot) throw error;
    return [];
  }
}
