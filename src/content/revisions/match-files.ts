import { basename } from 'node:path';
import type { FileFacts } from '../folder/read-file-facts.js';
import type { FolderFacts } from '../folder/read-folder.js';

/** A file that exists in one or both of two scans. */
export interface FileMatch {
  before?: FileFacts;
  after?: FileFacts;
}

/** Matches the files in `after` with those in `before`, first by path, then by inode, then by content. */
export function matchFiles(before: FolderFacts, after: FolderFacts): FileMatch[] {
  const gone = new Map([...before.files].filter(([path]) => !after.files.has(path)));
  const fresh = [...after.files.values()].filter(({ path }) => !before.files.has(path));
  const origins = new Map<FileFacts, FileFacts>();
  const findBy = (keyOf: (file: FileFacts) => string): void => {
    const candidates = new Map<string, FileFacts[]>();
    for (const file of gone.values()) {
      const same = candidates.get(keyOf(file));
      if (same) same.push(file);
      else candidates.set(keyOf(file), [file]);
    }
    for (const file of fresh) {
      if (origins.has(file)) continue;
      const found = candidates.get(keyOf(file))?.shift();
      if (!found) continue;
      gone.delete(found.path);
      origins.set(file, found);
    }
  };
  findBy(({ inode }) => inode);
  // If several files have the same content, the file with the same name counts as moved.
  findBy(({ hash, path }) => `${hash} ${basename(path)}`);
  findBy(({ hash }) => hash);
  return [
    ...[...after.files.values()].map((file): FileMatch => {
      const origin = before.files.get(file.path) ?? origins.get(file);
      return { after: file, ...(origin && { before: origin }) };
    }),
    ...[...gone.values()].map((file) => ({ before: file })),
  ];
}

/** Returns the changed pages, or undefined if anything other than their text has changed. */
export function onlyTextsOf(changed: readonly FileMatch[]): FileFacts[] | undefined {
  const pages: FileFacts[] = [];
  for (const { before, after } of changed) {
    if (!before?.page || !after?.page || before.path !== after.path) return undefined;
    if (JSON.stringify(before.page) !== JSON.stringify(after.page)) return undefined;
    pages.push(after);
  }
  return pages;
}
