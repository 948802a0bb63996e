import { extname } from 'node:path';
import { isoTime } from '../../base/clock.js';
import {
  readFrontMatter,
  type Change,
  type ContentFile,
  type Page,
  type PageEntry,
  type Revision,
} from '../../content/index.js';
import { fileTypes } from '../http/content-types.js';
import { encodePath } from './space-paths.js';

export interface SpaceUrls {
  /** The URL in the console, without a trailing slash. */
  app: string;
  /** The URL on the site, with a trailing slash. */
  published: string;
  /** The same URL, unless the space is private. */
  public?: string;
}

/** Returns a page and its child pages in the format of the management API. */
export const pageResource = (page: PageEntry, urls: SpaceUrls): object => ({
  id: page.id,
  type: page.type,
  title: page.title,
  slug: page.slug,
  path: page.path,
  ...(page.description !== undefined && { description: page.description }),
  ...(page.hidden && { hidden: true }),
  ...(page.type === 'document' && { documentId: page.hash }),
  tags: [],
  urls: { app: page.path ? `${urls.app}/${encodePath(page.path)}` : urls.app },
  pages: page.pages.map((below) => pageResource(below, urls)),
});

export const fileResource = (
  { id, name, path, size, hash }: ContentFile,
  { published }: SpaceUrls,
): object => ({
  object: 'file',
  id,
  name,
  path,
  size,
  contentType: fileTypes[extname(path).toLowerCase()] ?? 'application/octet-stream',
  contentHash: hash,
  downloadURL: `${published}${encodePath(path)}`,
});

export const revisionResource = (
  revision: Revision,
  pages: readonly PageEntry[],
  files: readonly ContentFile[],
  urls: SpaceUrls,
): Record<string, unknown> => ({
  object: 'revision',
  id: revision.id,
  type: revision.merged ? 'merge' : 'edits',
  ...mergedFrom(revision, urls),
  parents: revision.before === undefined ? [] : [revision.before],
  createdAt: isoTime(revision.createdAt),
  tags: [],
  variables: {},
  pages: pages.map((page) => pageResource(page, urls)),
  files: files.map((file) => fileResource(file, urls)),
  reusableContents: [],
  urls: { ...urls, app: `${urls.app}/~/revisions/${revision.id}/` },
  ...(revision.git && { git: revision.git }),
});

/** Returns the change request for a merged branch. */
export const mergedFrom = ({ merged }: Pick<Revision, 'merged'>, { app }: SpaceUrls): object =>
  merged
    ? {
        mergedFrom: {
          object: 'change-request',
          id: `change_request_${merged.number}`,
          number: merged.number,
          subject: merged.subject,
          status: 'merged',
          urls: { app: `${app}/~/changes/${merged.number}/` },
        },
      }
    : {};

export const changeResource = (change: Change, urls: SpaceUrls): object => {
  if ('file' in change) return { type: change.type, file: fileResource(change.file, urls) };
  // The child pages are omitted, because they have not changed.
  const page = pageResource({ ...change.page, pages: [] }, urls);
  if (change.type === 'page_edited') return { type: change.type, page, attributes: change.attributes };
  if (change.type === 'page_moved')
    return { type: change.type, page, parent: { before: change.from, after: change.to } };
  return { type: change.type, page };
};

export const markdownOf = ({ text }: Page): string => text.slice(readFrontMatter(text).end);

/** Returns the page as nodes. The parser is loaded only when a page is read. */
export async function documentOf({ text }: Page): Promise<object> {
  const { documentNodes, parsePage } = await import('../../content/page/index.js');
  return { object: 'document', data: {}, nodes: documentNodes(parsePage(text).blocks) };
}
