import type { PageIndex } from '../folder/build-pages.js';
import { parentOf } from '../folder/read-file-facts.js';
import type { FileFacts } from '../folder/read-file-facts.js';
import type { Attribute, Change, ContentFile, PageEntry } from '../content.js';
import type { FileMatch } from './match-files.js';

const compared = ['title', 'description', 'slug', 'hidden', 'order'] as const;

/** Finds the changes between two scans of the folder. A renamed folder counts as one change. */
export function findChanges(
  matches: readonly FileMatch[],
  pages: { before: PageIndex; after: PageIndex; idOf(file: string): string },
  folders: ReadonlyMap<string, string>,
): Change[] {
  const { before, after, idOf } = pages;
  const changes: Change[] = [];
  for (const match of matches) {
    // The id of a deleted page may now belong to another file, so each page is looked up in the scan that contains its file.
    const [was, is] = [pageOf(before, match.before), pageOf(after, match.after)];
    if (was && is) changes.push(...compare(was, is, match, folders));
    else if (is) changes.push({ type: 'page_created', page: is });
    else if (was) changes.push({ type: 'page_deleted', page: was });
    else changes.push(...compareFiles(match, idOf(match.after?.path ?? match.before?.path ?? '')));
  }
  for (const [to, from] of folders) {
    const [was, is] = [before.byPath.get(from), after.byPath.get(to)];
    if (was?.type !== 'group' || is?.type !== 'group') continue;
    changes.push(...compare(was, is, {}, folders));
  }
  return changes;
}

const pageOf = ({ byFile }: PageIndex, file: FileFacts | undefined): PageEntry | undefined =>
  file && byFile.get(file.path);

function compare(
  was: PageEntry,
  is: PageEntry,
  match: FileMatch,
  folders: ReadonlyMap<string, string>,
): Change[] {
  const attributes: Record<string, Attribute> = {};
  for (const key of compared) if (was[key] !== is[key]) attributes[key] = attributeOf(was[key], is[key]);
  if (match.before?.hash !== match.after?.hash)
    attributes.documentId = attributeOf(match.before?.hash, match.after?.hash);
  const [from, to] = [parentOf(was.path), parentOf(is.path)];
  const moved = (folders.get(to) ?? to) !== from;
  return [
    ...(moved ? [{ type: 'page_moved' as const, page: is, from, to }] : []),
    ...(Object.keys(attributes).length > 0 ? [{ type: 'page_edited' as const, page: is, attributes }] : []),
  ];
}

const attributeOf = (before: Attribute['before'], after: Attribute['after']): Attribute => ({
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

function compareFiles({ before, after }: FileMatch, id: string): Change[] {
  if (!after) return before && !isHidden(before) ? [{ type: 'file_deleted', file: fileOf(before, id) }] : [];
  if (isHidden(after)) return [];
  const file = fileOf(after, id);
  if (!before) return [{ type: 'file_created', file }];
  return before.hash !== after.hash || before.path !== after.path ? [{ type: 'file_edited', file }] : [];
}

/** Whether the file is hidden from readers. A `SUMMARY.md` is neither a page nor a file for readers. */
export const isHidden = ({ summary }: FileFacts): boolean => summary !== undefined;

export const fileOf = ({ path, size, hash }: FileFacts, id: string): ContentFile => ({
  id: id.replace(/^page_/, 'file_'),
  path,
  name: path.slice(path.lastIndexOf('/') + 1),
  size,
  hash,
});
