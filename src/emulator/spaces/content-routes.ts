import { join, relative, sep } from 'node:path';
import type { Content, Page, PageEntry, Change, Revision } from '../../content/index.js';
import type * as PageEditor from '../../content/page/index.js';
import type { Handlers } from '../../contract/console-api.js';
import type {
  contentRoutes as contract,
  PageResource,
  PageLine,
  RevisionResource,
} from '../../contract/routes/content.js';
import type { ContentEvents } from './content-events.js';
import type { Readers } from './readers.js';
import type { PlatformOptions } from '../emulator.js';
import { HttpError, invalid, notFound } from '../http/http-error.js';
import type { Registry } from '../state/registry.js';
import type { Spaces } from './spaces.js';

const mostBytes = 1024 * 1024;

interface ContentRoutesOptions {
  contents: ReadonlyMap<string, Content>;
  spaces: Spaces;
  registry: Registry;
  readers: Readers;
  contentEvents: ContentEvents;
  folder: PlatformOptions['folder'];
  siteLink: PlatformOptions['siteLink'];
}

/** Serves pages for viewing and editing. Only the console can change pages, because no other client has the key. */
export function contentRoutes(deps: ContentRoutesOptions): Handlers<keyof typeof contract> {
  const { contents, spaces, registry, readers, contentEvents, folder, siteLink } = deps;

  const contentOf = async (space: string): Promise<Content> => {
    spaces.space(space);
    const content = contents.get(space);
    if (!content)
      throw new HttpError(409, 'no-folder', `No folder is mounted for the space ${space}.`, {
        hint: "Start platform dev with --content docs, or set the space's content in platform.dev.yaml.",
      });
    await content.ready;
    return content;
  };
  const pageOf = (content: Content, id: string): Page => {
    const page = content.page(id);
    if (!page) throw notFound(`Unknown page: ${id}. It may have been deleted.`);
    return page;
  };

  const linkTo = (space: string, { path }: PageEntry): string | undefined => {
    const known = readers.spaces().find(({ id }) => id === space);
    if (siteLink === undefined || !known) return undefined;
    const { origin, search, hash } = new URL(siteLink);
    return `${origin}${known.path}${path.split('/').map(encodeURIComponent).join('/')}${search}${hash}`;
  };
  const sourceOf = (content: Content, file: string): string | undefined => {
    if (folder === undefined) return undefined;
    const path = relative(folder, join(content.folder, file)).replaceAll(sep, '/');
    return path.startsWith('../') || /^[a-z]:/i.test(path) ? undefined : path;
  };
  const show = async (space: string, content: Content, id: string): Promise<PageResource> => {
    const { title, description, path, file, text, hash, ...page } = pageOf(content, id);
    const { findPageProblems, includeFiles, knownPaths, parsePage, readPageToCheck } =
      await import('../../content/page/index.js');
    const tree = parsePage(text);
    const whole = includeFiles(tree, file, (path) => content.textOf(path));
    const { blocks, start, ends } = whole;
    const known = { paths: knownPaths(content), integrations: [registry.integration()] };
    const link = linkTo(space, { ...page, title, path });
    const source = sourceOf(content, file);
    return {
      id,
      space,
      title,
      ...(description !== undefined && { description }),
      path,
      file,
      ...(source !== undefined && { source }),
      ...(link !== undefined && { link }),
      hash,
      text,
      blocks,
      start,
      ends,
      problems: findPageProblems(file, readPageToCheck(text, tree, whole), known),
    };
  };

  /** Saves new text, unless the page has changed since it was opened for editing. */
  const edit = async <T extends string | { text: string } | undefined>(
    { space, page: id, hash }: { space: string; page: string; hash: string },
    change: (text: string, editor: typeof PageEditor) => T,
  ): Promise<{ page: PageResource; edited: NonNullable<T> }> => {
    const content = await contentOf(space);
    const page = pageOf(content, id);
    if (page.hash !== hash) throw changed(page.title);
    const edited = change(page.text, await import('../../content/page/index.js'));
    if (edited === undefined)
      throw new HttpError(409, 'not-editable', 'This part of the page cannot be edited here.', {
        hint: `Edit ${page.file} in your editor.`,
      });
    const text = typeof edited === 'string' ? edited : edited.text;
    if (Buffer.byteLength(text) > mostBytes)
      throw invalid('The maximum for a page is 1 MB.', { path: 'props' });
    const outcome = text === page.text ? 'written' : await content.write(id, { text, hash });
    if (outcome === 'changed') throw changed(page.title);
    return { page: await show(space, content, id), edited };
  };

  return {
    async 'GET /content'({ space }) {
      const { visibility, revision } = spaces.space(space);
      const content = contents.get(space);
      await content?.ready;
      return {
        space,
        visibility,
        ...(content && { folder: content.folder }),
        revision: content?.revision().id ?? revision,
        pages: content ? pageLines(content.pages()) : [],
        warnings: content?.warnings() ?? [],
      };
    },
    'GET /content/page': async ({ space, page }) => show(space, await contentOf(space), page),
    async 'POST /content/page'({ space, path, title }) {
      const content = await contentOf(space);
      const made = await content.create(path, `# ${title.replaceAll(/\s+/g, ' ').trim()}\n`);
      if (typeof made === 'string') throw wrongPath(made, path);
      return show(space, content, made.id);
    },
    'PUT /content/page': async ({ text, ...of }) => (await edit(of, () => text)).page,
    async 'POST /content/page/move'({ space, page, path }) {
      const content = await contentOf(space);
      pageOf(content, page);
      const moved = await content.move(page, path);
      if (moved === 'taken' || moved === 'invalid') throw wrongPath(moved, path);
      return show(space, content, page);
    },
    async 'DELETE /content/page'({ space, page, hash }) {
      const content = await contentOf(space);
      const { title } = pageOf(content, page);
      if ((await content.remove(page, hash)) === 'changed') throw changed(title);
    },
    async 'POST /content/block'({ at, component, props = {}, embed, link, ...of }) {
      const insertion = insertionOf(registry.integration(), { component, props, embed, link });
      const { page, edited } = await edit(of, (text, { insertBlock }) => insertBlock(text, at, insertion));
      return { page, start: edited.start };
    },
    async 'PATCH /content/block'({ start, props, ...of }) {
      const { page } = await edit(of, (text, { editTag, editFence }) => {
        const body = bodyOf(registry.integration(), text, start, props);
        return body === undefined ? editTag(text, start, props) : editFence(text, start, body);
      });
      return page;
    },
    async 'DELETE /content/block'({ start, ...of }) {
      const { page } = await edit(of, (text, { parsePage, removeBlock }) => {
        const { blocks, ends } = parsePage(text);
        const at = blocks.findIndex(
          (block) => (block.kind === 'tag' || block.kind === 'code') && block.start === start,
        );
        const end = ends[at];
        return end === undefined ? undefined : removeBlock(text, start, end);
      });
      return page;
    },
    async 'GET /content/file'({ space, path }) {
      const found = (await contentOf(space)).file(path);
      if (!found) throw notFound(`File not found: ${path}`);
      return found.bytes;
    },
    async 'GET /content/revisions'({ space }) {
      const content = await contentOf(space);
      const { blocksBetween } = await import('../../content/page/index.js');
      return content.revisions().map((revision) => revisionView(revision, content, blocksBetween));
    },
    async 'GET /content/text'({ space, hash }) {
      const text = (await contentOf(space)).text(hash);
      if (text === undefined) throw notFound('This text is no longer kept.');
      return { text };
    },
    'POST /content/visibility'({ space, visibility }) {
      const { visibility: previousVisibility } = spaces.space(space);
      if (visibility === previousVisibility) return;
      spaces.setVisibility(space, visibility);
      contentEvents.visibilityChanged(space, { visibility, previousVisibility });
    },
    'POST /content/sync': ({ space }) => contentEvents.sync(space),
  };
}

const changed = (title: string): HttpError =>
  new HttpError(409, 'page-changed', `${title} has changed since you opened it. Your change wasn't saved.`, {
    hint: 'Reload the page and repeat the edit.',
  });

function wrongPath(outcome: 'taken' | 'invalid', path: string): HttpError {
  if (outcome === 'taken') return new HttpError(409, 'page-exists', `${path} already exists.`);
  const rule =
    'Use a path relative to the folder, such as guides/start. Path segments must not start with a dot, contain \\ : * ? " < > |, exceed 240 bytes, or be reserved on Windows, such as CON.';
  return invalid(`A page cannot have the path ${path}. ${rule}`, { path: 'path' });
}

type Blocks = Pick<ReturnType<Registry['integration']>, 'name' | 'blocks'>;

function insertionOf(
  { name, blocks }: Blocks,
  given: {
    component: string | undefined;
    props: Record<string, unknown>;
    embed: string | undefined;
    link: string | undefined;
  },
): PageEditor.Insertion {
  const { component, props, embed, link } = given;
  for (const url of [embed, link])
    if (url !== undefined && !(/^https?:\/\/[^\s<>"{}]+$/i.test(url) && URL.canParse(url)))
      throw invalid('Only http and https URLs can be inserted.', { path: embed === url ? 'embed' : 'link' });
  if (embed !== undefined) return { embed };
  if (link !== undefined) return { link };
  const block = blocks.find(({ id }) => id === component);
  if (!block)
    throw invalid(`Unknown block: ${component ?? ''}.`, {
      path: 'component',
      known: blocks.map(({ id }) => id),
    });
  return block.markdown && Object.keys(props).length === 0
    ? { fence: block.markdown.codeblock }
    : { name: `${name}/${block.id}`, props };
}

/** Returns the text of a block's code fence. A code fence cannot store the block's other properties. */
function bodyOf(
  { blocks }: Blocks,
  text: string,
  start: number,
  props: Record<string, unknown>,
): string | undefined {
  const [, language] = /^ {0,3}(?:`{3,}|~{3,})[ \t]*([^\s`]+)/.exec(text.slice(start, start + 200)) ?? [];
  if (language === undefined) return undefined;
  const markdown = blocks.find((block) => block.markdown?.codeblock === language)?.markdown;
  const body = markdown && props[markdown.body];
  const others = Object.keys(props).filter((key) => key !== markdown?.body);
  if (others.length > 0)
    throw invalid(`A code fence can only store ${markdown?.body ?? 'its text'}, not ${others.join(', ')}.`, {
      path: 'props',
    });
  if (body !== undefined && typeof body !== 'string')
    throw invalid(`${markdown?.body ?? ''} must be a string.`, { path: 'props' });
  return body ?? '';
}

/** Flattens the page tree into a list, with child pages after their parent. */
const pageLines = (pages: readonly PageEntry[], depth = 0): PageLine[] =>
  pages.flatMap(({ id, type, title, description, path, hidden, file, pages: below }) => [
    {
      id,
      type,
      title,
      ...(description !== undefined && { description }),
      path,
      depth,
      hidden,
      ...(file !== undefined && { file }),
    },
    ...pageLines(below, depth + 1),
  ]);

type Details = RevisionResource['changes'][number]['details'];
/** Comparing texts takes a while, and the changes of a revision stay the same. */
const compared = new WeakMap<Change, Details>();

function revisionView(
  { id, createdAt, git, changes }: Revision,
  content: Content,
  compare: typeof PageEditor.blocksBetween,
): RevisionResource {
  const blocksOf = (change: Change): Details => {
    const known = compared.get(change);
    if (known || change.type !== 'page_edited') return known ?? [];
    const { before, after } = change.attributes['documentId'] ?? {};
    const [was, is] = [before, after].map((hash) => content.text(String(hash)));
    const found = was === undefined || is === undefined ? [] : compare(was, is);
    compared.set(change, found);
    return found;
  };
  return {
    id,
    createdAt,
    ...(git && { git }),
    changes: changes.map((change) => changeView(change, blocksOf(change))),
  };
}

function changeView(change: Change, blocks: Details): RevisionResource['changes'][number] {
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
  return { type: change.type, title, page: id, path, details: [...blocks, ...details] };
}
