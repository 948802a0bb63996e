import { isoTime } from '../../base/clock.js';
import {
  readFrontMatter,
  type Change,
  type ContentFile,
  type Page,
  type PageEntry,
  type Revision,
} from '../../content/index.js';
import { encodePath } from './space-paths.js';

/** The space's URL in the console, where pages are opened. */
type App = string;

/** A page in the management API, including its child pages. */
export const pageResource = (page: PageEntry, app: App): object => ({
  id: page.id,
  type: page.type,
  title: page.title,
  slug: page.slug,
  path: page.path,
  ...(page.description !== undefined && { description: page.description }),
  ...(page.hidden && { hidden: true }),
  ...(page.type === 'document' && { documentId: page.hash }),
  tags: [],
  urls: { app: page.path ? `${app}/${encodePath(page.path)}` : app },
  pages: page.pages.map((below) => pageResource(below, app)),
});

export const fileResource = ({ id, name, path, size, hash }: ContentFile, app: App): object => ({
  object: 'file',
  id,
  name,
  path,
  size,
  contentHash: hash,
  downloadURL: `${app}/~/files/${id}`,
});

export const revisionResource = (
  revision: Revision,
  pages: readonly PageEntry[],
  files: readonly ContentFile[],
  app: App,
): object => ({
  object: 'revision',
  id: revision.id,
  type: 'edits',
  parents: revision.before === undefined ? [] : [revision.before],
  createdAt: isoTime(revision.createdAt),
  tags: [],
  variables: {},
  pages: pages.map((page) => pageResource(page, app)),
  files: files.map((file) => fileResource(file, app)),
  reusableContents: [],
  urls: { app: `${app}/~/revisions/${revision.id}/` },
  ...(revision.git && { git: revision.git }),
});

export const changeResource = (change: Change, app: App): object => {
  if ('file' in change) return { type: change.type, file: fileResource(change.file, app) };
  // The child pages did not change.
  const page = pageResource({ ...change.page, pages: [] }, app);
  if (change.type === 'page_edited') return { type: change.type, page, attributes: change.attributes };
  if (change.type === 'page_moved')
    return { type: change.type, page, parent: { before: change.from, after: change.to } };
  return { type: change.type, page };
};

/** Returns the text without front matter. */
export const markdownOf = ({ text }: Page): string => text.slice(readFrontMatter(text).end);

/** The page as nodes: headings and paragraphs, without inline formatting. */
export const documentOf = (page: Page): object => ({
  object: 'document',
  data: {},
  nodes: markdownOf(page)
    .split(/(?:\r?\n[ \t]*){2,}|(?<=^#{1,6} [^\n]*)\r?\n/m)
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const [, marks] = /^(#{1,3}) /.exec(text) ?? [];
      return {
        object: 'block',
        type: marks === undefined ? 'paragraph' : `heading-${marks.length}`,
        isVoid: false,
        data: {},
        nodes: [
          {
            object: 'text',
            leaves: [{ object: 'leaf', text: text.trim().replace(/^#{1,6} +/, ''), marks: [] }],
          },
        ],
      };
    }),
});
