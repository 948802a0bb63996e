import type { Change, PageEntry, Revision } from '../../../../content/index.js';
import type { PageLine, RevisionResource } from '../../../../contract/routes/content.js';

/** Flattens the tree of pages into a list in which child pages follow their parent. */
export const pageLines = (pages: readonly PageEntry[], depth = 0): PageLine[] =>
  pages.flatMap(({ id, type, title, path, hidden, file, pages: below }) => [
    { id, type, title, path, depth, hidden, ...(file !== undefined && { file }) },
    ...pageLines(below, depth + 1),
  ]);

export const revisionView = ({ id, createdAt, git, changes }: Revision): RevisionResource => ({
  id,
  createdAt,
  ...(git && { git }),
  changes: changes.map(changeView),
});

function changeView(change: Change): RevisionResource['changes'][number] {
  if ('file' in change) {
    const { name, path } = change.file;
    return { type: change.type, title: name, path, details: [] };
  }
  const { id, title, path } = change.page;
  const details =
    change.type === 'page_moved'
      ? [{ name: 'parent', before: change.from, after: change.to }]
      : change.type === 'page_edited'
        ? Object.entries(change.attributes).map(([name, { before, after }]) => ({
            name,
            ...(before !== undefined && { before: String(before) }),
            ...(after !== undefined && { after: String(after) }),
          }))
        : [];
  return { type: change.type, title, page: id, path, details };
}
