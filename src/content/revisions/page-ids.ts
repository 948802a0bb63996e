import { createHash } from 'node:crypto';
import { parentOf } from '../folder/read-file-facts.js';
import type { FolderFacts } from '../folder/read-folder.js';
import type { MovedPages } from '../content.js';
import type { FileMatch } from './match-files.js';

/** The ids of pages, groups and files. The ids of moved items are stored. All other ids are derived from the path. */
export function createPageIds(spaceId: string, store: MovedPages) {
  let first = new Map(Object.entries(store.read()));
  /** The original paths of moved pages. If a new file is created at one of these paths, it receives a different id. */
  let taken = new Set(first.values());
  let isFirst = true;
  const known = new Map<string, string>();
  const hashed = (path: string): string => {
    const id =
      known.get(path) ??
      `page_${createHash('sha256').update(`${spaceId}\0${path}`).digest('hex').slice(0, 20)}`;
    known.set(path, id);
    return id;
  };

  return {
    of: (path: string) => hashed(first.get(path) ?? path),
    /** Updates the paths of moved files and folders. Returns the previous path of each renamed folder. */
    follow(matches: readonly FileMatch[], before: FolderFacts, after: FolderFacts) {
      const folders = findRenamedFolders(matches, before, after);
      const paths = [
        ...matches.map((match) => [match.before?.path, match.after?.path] as const),
        ...[...after.folders].map((folder) => {
          const former = folders.get(folder) ?? (before.folders.has(folder) ? folder : undefined);
          return [former === undefined ? undefined : `${former}/`, `${folder}/`] as const;
        }),
      ];
      // Ids stored in an earlier session still apply to paths that exist.
      const kept = isFirst
        ? [...first].filter(([path]) => after.files.has(path) || after.folders.has(path.slice(0, -1)))
        : [];
      isFirst = false;
      const next = new Map<string, string>(kept);
      for (const [from, to] of paths) {
        if (from === undefined || to === undefined) continue;
        const origin = first.get(from) ?? from;
        if (origin !== to) next.set(to, origin);
      }
      taken = new Set(next.values());
      for (const [from, to] of paths) {
        if (from !== undefined || to === undefined || next.has(to) || !taken.has(to)) continue;
        let origin = to;
        for (let nth = 2; taken.has(origin); nth += 1) origin = `${to}#${nth}`;
        next.set(to, origin);
        taken.add(origin);
      }
      const changed =
        next.size !== first.size || [...next].some(([path, origin]) => first.get(path) !== origin);
      first = next;
      if (changed) store.write(Object.fromEntries(next));
      return folders;
    },
  };
}

/** A folder counts as renamed if it is new and one of its files was at the same relative path in a deleted folder. */
function findRenamedFolders(
  matches: readonly FileMatch[],
  before: FolderFacts,
  after: FolderFacts,
): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  const used = new Set<string>();
  for (const match of matches) {
    let [from, to] = [match.before?.path, match.after?.path];
    if (from === undefined || to === undefined || from === to) continue;
    while (nameOf(from) === nameOf(to)) {
      [from, to] = [parentOf(from), parentOf(to)];
      if (from === '' || to === '' || before.folders.has(to) || after.folders.has(from)) break;
      if (!renamed.has(to) && !used.has(from)) {
        renamed.set(to, from);
        used.add(from);
      }
    }
  }
  return renamed;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
