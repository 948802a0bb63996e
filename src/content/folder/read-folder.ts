import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import type { Timers } from '../../base/clock.js';
import type { ContentWarning } from '../content.js';
import { readFileFacts, stateOf, type FileFacts } from './read-file-facts.js';

export interface FolderFacts {
  /** By path. */
  files: ReadonlyMap<string, FileFacts>;
  /** Relative to the folder; the folder itself is ''. */
  folders: ReadonlySet<string>;
  warnings: ContentWarning[];
  /** A file became empty. Some editors empty a file before they write it, so only a second look believes it. */
  isUnsure: boolean;
}

export const emptyFolder: FolderFacts = {
  files: new Map(),
  folders: new Set(['']),
  warnings: [],
  isUnsure: false,
};

/** Other work of the process waits at most this long. */
const sliceMs = 4;
const mostFiles = 50_000;
const deepest = 30;

/** Reads the files that have changed since `before`, in slices. Throws if the folder itself cannot be read. */
export async function readFolder(
  folder: string,
  before: FolderFacts,
  timers: Pick<Timers, 'monotonic'>,
  signal: AbortSignal,
): Promise<FolderFacts> {
  const files = new Map<string, FileFacts>();
  const folders = new Set<string>();
  const warnings: ContentWarning[] = [];
  const skip = (file: string, message: string): void => void warnings.push({ file, message });
  const earlier = new Map(before.warnings.map(({ file, message }) => [file, message]));
  let isUnsure = false;
  let began = timers.monotonic();
  const pause = async (): Promise<void> => {
    if (timers.monotonic() - began < sliceMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    began = timers.monotonic();
  };

  const waiting = [''];
  for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
    const entries = list(join(folder, here), here === '');
    folders.add(here);
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = here ? `${here}/${entry.name}` : entry.name;
      if (entry.isSymbolicLink())
        skip(path, 'It is a symbolic link. Replace it with the file or folder itself.');
      else if (entry.isDirectory()) {
        if (path.split('/').length > deepest) skip(path, `It is more than ${deepest} folders deep.`);
        else waiting.push(path);
      } else if (entry.isFile()) {
        if (files.size >= mostFiles) {
          skip(path, `The folder has more than ${mostFiles} files. The others are skipped.`);
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
    if (!stats?.isFile()) return;
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
      if (facts.warning !== undefined) skip(path, facts.warning);
    }
  }
}

function list(folder: string, isRoot: boolean): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // A folder may be deleted, or not be readable, while its parent is read.
    if (isRoot) throw error;
    return [];
  }
}
