import type { Content, Page, PageEntry, Passage } from '../../content/index.js';
import { notFound } from '../http/http-error.js';
import { encodePath } from './space-paths.js';
import {
  changeResource,
  documentOf,
  fileResource,
  markdownOf,
  mergedFrom,
  pageResource,
  revisionResource,
  type SpaceUrls,
} from './content-resources.js';

/** The content of a space, in the format of the management API. */
export interface SpaceContent {
  revision(): { id: string; createdAt: number };
  /** Returns the latest revision or an earlier one. Only the current pages are stored, so all revisions have the same pages. */
  revisionResource(id?: string): Record<string, unknown>;
  pages(): object[];
  page(id: string, format?: string): Promise<object>;
  pageByPath(path: string, format?: string): Promise<object>;
  findPage(path: string): object | undefined;
  document(id: string): Promise<object>;
  files(): object[];
  file(id: string): object;
  /** Returns the changes in a revision and the change request behind it. */
  changes(revision: string): { changes: object[]; mergedFrom: object };
  firstPage(): string | undefined;
  /** Finds the passages that contain the most words from a question. Resolves to undefined if the space has no folder. */
  passages(question: string): Promise<FoundPassage[]> | undefined;
}

/** A passage and the URL of its page on the site. */
export type FoundPassage = Passage & { url: string };

export function showFolder(space: string, content: Content, urls: SpaceUrls): SpaceContent {
  const missing = (what: string, id: string): Error => notFound(`Unknown ${what}: ${id} in ${space}.`);
  const show = async (page: Page | undefined, asked: string, format?: string): Promise<object> => {
    if (!page) throw missing('page', asked);
    return {
      ...pageResource(page, urls),
      ...(format === 'markdown' ? { markdown: markdownOf(page) } : { document: await documentOf(page) }),
    };
  };
  return {
    revision: () => content.revision(),
    revisionResource(id) {
      const revision =
        id === undefined ? content.revision() : content.revisions().find((one) => one.id === id);
      if (!revision) throw missing('revision', String(id));
      return revisionResource(revision, content.pages(), content.files(), urls);
    },
    pages: () => content.pages().map((page) => pageResource(page, urls)),
    page: (id, format) => show(content.page(id), id, format),
    pageByPath: (path, format) => show(content.pageByPath(path), path, format),
    findPage(path) {
      const page = content.pageByPath(path);
      return page && pageResource(page, urls);
    },
    async document(id) {
      const found = findPage(content.pages(), ({ hash, id: page }) => hash === id || page === id);
      const page = found && content.page(found.id);
      if (!page) throw missing('document', id);
      return documentOf(page);
    },
    files: () => content.files().map((file) => fileResource(file, urls)),
    file(id) {
      const file = content.files().find((one) => one.id === id);
      if (!file) throw missing('file', id);
      return fileResource(file, urls);
    },
    changes(id) {
      const revision = content.revisions().find((one) => one.id === id);
      if (!revision) throw missing('revision', id);
      const changes = revision.changes.map((change) => changeResource(change, urls));
      return { changes, mergedFrom: mergedFrom(revision, urls) };
    },
    firstPage: () => content.pageByPath('')?.id,
    async passages(question) {
      await content.ready;
      const { findPassages } = await import('../../content/index.js');
      const found = await findPassages(content, question);
      return found.map((one) => ({ ...one, url: `${urls.published}${encodePath(one.page.path)}` }));
    },
  };
}

function findPage(pages: readonly PageEntry[], matches: (page: PageEntry) => boolean): PageEntry | undefined {
  for (const page of pages) {
    const found = matches(page) ? page : findPage(page.pages, matches);
    if (found) return found;
  }
  return undefined;
}

/** Returns the content of a space that has no folder: a single page that is the same in every revision. */
export function showSample(
  space: string,
  urls: SpaceUrls,
  revision: () => { id: string; createdAt: number },
): SpaceContent {
  const only: PageEntry = {
    id: `${space}_page_1`,
    type: 'document',
    path: '',
    slug: '',
    title: 'Start',
    hidden: false,
    hash: `${space}_document_1`,
    pages: [],
  };
  const resource = pageResource(only, urls);
  const find = (matches: boolean, what: string, id: string): object => {
    if (!matches) throw notFound(`Unknown ${what}: ${id} in ${space}.`);
    return resource;
  };
  return {
    revision,
    revisionResource: (id) => ({
      ...revisionResource({ ...revision(), changes: [] }, [only], [], urls),
      ...(id !== undefined && { id }),
    }),
    pages: () => [resource],
    page: async (id) => find(id === only.id, 'page', id),
    pageByPath: async (path) => find(path.replaceAll('/', '') === '', 'page', path),
    findPage: (path) => (path.replaceAll('/', '') === '' ? resource : undefined),
    document: async () => ({ object: 'document', data: {}, nodes: [] }),
    files: () => [],
    file: (id) => find(false, 'file', id),
    // The sample page is not stored, so it always counts as changed.
    changes: () => ({ changes: [{ type: 'page_edited', page: resource, attributes: {} }], mergedFrom: {} }),
    firstPage: () => only.id,
    passages: () => undefined,
  };
}
