import { decodePath } from '../../base/text/decode-path.js';
import { blockRequest, type ReaderSpace } from '../../emulator/spaces/readers.js';
import { formatBytes } from '../../base/text/format-bytes.js';
import { HttpError, invalid } from '../../emulator/http/http-error.js';
import { isObject } from '../../emulator/http/read-json.js';
import type { PageEntry } from '../../content/index.js';
import {
  blocksOnPage,
  headingId,
  includeFiles,
  plainText,
  type PageBlock,
  type PageBlockOf,
  type PageTree,
} from '../../content/page/index.js';
import type { BlockRequest, SealedResult } from '../block-data.js';
import { addressOf, type SiteContent } from '../site-content.js';
import type { SiteMember, SiteOptions } from '../site-options.js';
import { hashOf } from './check-request.js';
import { renderDocument } from './document.js';
import type { Reference } from '../../console/text/markdown/native-block.js';
import { PageCover, PageText, type PageDrawing } from './page-view.js';
import { createBlockRenderer, drawBlock, type BlockToRender } from './render-blocks.js';
import { createSeals } from './seals.js';
import { createUsedFiles } from './used-files.js';

interface FoundPage {
  space: ReaderSpace;
  page: PageEntry;
  tree: PageTree;
  text: string;
  /** The URL that readers see. */
  url: string;
  /** The URL of the page's file, which is used as the base for relative links. */
  fileUrl: string;
}

interface FoundBlock extends PageBlockOf {
  member: SiteMember;
  /** Where the member is installed. Undefined if it is not installed in the space. */
  target: ReaderSpace['target'];
}

export interface SitePages {
  /**
   * Returns the page at a path, or a page that lists all pages if there is none. Scripts may be called until `render` aborts, and
   * not at all without it.
   */
  draw(path: string, render: AbortSignal | undefined): Promise<{ status: number; html: string }>;
  /** Returns the Markdown of a page, if the path is that of a page with `.md` behind it. */
  markdown(path: string): string | undefined;
  /** Returns the space that contains the pages under this path. */
  spaceAt(path: string): ReaderSpace | undefined;
  /** Returns a file that a page shows or links to, such as an image. */
  file(path: string): Promise<Uint8Array | undefined>;
  /** Renders a block again for an open page. */
  render(body: Record<string, unknown>): Promise<SealedResult>;
  /** Returns the page with this id in the space with this path. Open pages send both. */
  find(space: unknown, page: unknown): FoundPage;
}

export function createSitePages(deps: SiteOptions & { content: SiteContent }): SitePages {
  const { platform, timers, content, isStatic } = deps;
  const blocks = createBlockRenderer(timers.sleep);
  const seals = createSeals();

  const foundAt = (space: ReaderSpace, wanted: { id: string } | { path: string }): FoundPage | undefined => {
    const found = content.find(space.id, wanted);
    if (!found) return undefined;
    const { entry: page, text } = found;
    const tree = includeFiles(found.tree, page.file ?? '', (file) => content.textOf(space.id, file));
    const url = platform.readers.urlOf(space, page.path);
    return { space, page, text, tree, url, fileUrl: fileUrlOf(space, page.file ?? '') };
  };
  const fileUrlOf = (space: ReaderSpace, file: string): string => platform.readers.urlOf(space, file);

  const spaceOf = (path: string): { space: ReaderSpace; below: string } | undefined => {
    const spaces = platform.readers.spaces();
    const space =
      spaces.find((one) => one.path !== '/' && `${path}/`.startsWith(one.path)) ??
      spaces.find((one) => one.path === '/');
    return space && { space, below: trimSlashes(decodePath(`${path}/`.slice(space.path.length))) };
  };

  const decodedPath = ({ space, below }: { space: ReaderSpace; below: string }): string =>
    `${space.path}${below.normalize()}`;
  const usedFiles = createUsedFiles({
    spaces: () => platform.readers.spaces(),
    content,
    timers,
    fileUrlOf,
    pathOf({ pathname }) {
      const at = spaceOf(pathname);
      return at ? decodedPath(at) : pathname;
    },
  });

  const find: SitePages['find'] = (spacePath, id) => {
    const space = platform.readers.spaces().find(({ path }) => path === spacePath);
    const found = space && typeof id === 'string' ? foundAt(space, { id }) : undefined;
    if (!found)
      throw new HttpError(404, 'not-found', 'This page was removed. Reload to see the current pages.');
    return found;
  };

  const targetOf = ({ readers }: SiteMember, { id }: ReaderSpace): ReaderSpace['target'] =>
    readers.spaces().find((space) => space.id === id)?.target;

  const blocksOf = (tree: PageTree, space: ReaderSpace): FoundBlock[] => {
    const members = new Map(platform.members().map((member) => [member.integration().name, member]));
    const integrations = [...members.values()].map(({ integration }) => integration());
    return blocksOnPage(tree, integrations).flatMap((block) => {
      const member = members.get(block.integration);
      return member ? [{ ...block, member, target: targetOf(member, space) }] : [];
    });
  };

  const requestOf = (
    { id, title, path, site }: ReaderSpace,
    { target, ...block }: FoundBlock,
  ): ReturnType<typeof blockRequest> =>
    blockRequest({ id, title, path, ...(site && { site }), ...(target && { target }) }, block);

  const drawBlocks = async (
    { space, page, tree, fileUrl: base }: FoundPage,
    render: AbortSignal | undefined,
  ): Promise<PageDrawing['blocks']> => {
    const found = blocksOf(tree, space);
    const wanted = found.flatMap((block, nth): BlockToRender[] => {
      if (!block.target) return [];
      const request = requestOf(space, block);
      const { component } = request;
      const draw = async (): Promise<SealedResult> =>
        seals.seal({ page: page.id, nth }, await block.member.render(request), component);
      const integration = platform.members().length > 1 && { integration: block.integration };
      return [{ nth, component, ...integration, base, render: draw }];
    });
    const drawn = render ? await blocks.draw(wanted, render) : wanted.map(drawBlock);
    const drawing = new Map<PageBlockOf['node'], NonNullable<ReturnType<PageDrawing['blocks']['get']>>>();
    for (const tag of tree.tags) {
      if (tag.type !== 'block') continue;
      const label = `${tag.integration}/${tag.component}`;
      drawing.set(tag, { label, note: noteOn(tag, space) });
    }
    for (const block of drawn) {
      const of = found[block.data.nth];
      if (!of) continue;
      const { blocks: known, title: integration } = of.member.integration();
      const title = known.find(({ id }) => id === of.component)?.title ?? of.component;
      drawing.set(of.node, { title, integration, drawn: block });
    }
    return drawing;
  };

  const noteOn = (tag: { integration: string; component: string }, space: ReaderSpace): string => {
    const member = platform.members().find((one) => one.integration().name === tag.integration);
    if (!member) return 'belongs to another integration.';
    if (!member.integration().blocks.some(({ id }) => id === tag.component))
      return 'is not a block in the manifest.';
    return targetOf(member, space)
      ? `is not shown, because a page shows at most 50 blocks.`
      : 'is not shown, because the integration is not installed in this space.';
  };

  /** Changes links to Markdown files into links to their pages. */
  const addressOfFile = (space: ReaderSpace, href: string): string | undefined => {
    const { pathname, hash } = new URL(href);
    const at = spaceOf(pathname);
    const page = at?.space.id === space.id ? content.pageOfFile(space.id, at.below) : undefined;
    return (
      page &&
      `${addressOf(space, page)}${hash && `#${headingId(decodePath(hash.slice(1).replace(/^h-/, '')))}`}`
    );
  };

  const refer = (space: ReaderSpace, url: string): Reference | undefined => {
    const at = spaceOf(new URL(url).pathname);
    if (at?.space.id !== space.id) return undefined;
    const page = content.pageAt(space.id, at.below);
    if (page) return { title: page.title, text: page.description, href: addressOf(space, page) };
    const bytes = content.file(space.id, at.below)?.byteLength;
    return bytes === undefined
      ? undefined
      : { title: at.below.split('/').at(-1) ?? '', text: formatBytes(bytes), href: url };
  };

  const notFound = (space: ReaderSpace): { status: number; html: string } => {
    const [pages, documents] = [content.pages(space.id), content.documents(space.id)];
    const body = (
      <div class="prose">
        <p>There is no page at this URL. The site has these pages:</p>
        <ul>
          {documents.slice(0, mostListed).map((page) => (
            <li key={page.id}>
              <a href={addressOf(space, page)}>{page.title}</a>
            </li>
          ))}
        </ul>
        {documents.length > mostListed && (
          <p>And {(documents.length - mostListed).toLocaleString('en')} more. Use the search to find them.</p>
        )}
      </div>
    );
    const spaces = platform.readers.spaces();
    const title = 'Page not found';
    return {
      status: 404,
      html: renderDocument({
        title,
        space,
        spaces,
        pages,
        documents,
        place: { trail: [] },
        headings: [],
        data: { space: space.path, page: '', version: '' },
        isStatic,
        body,
      }),
    };
  };

  return {
    async draw(path, render) {
      const at = spaceOf(path);
      if (!at)
        throw new HttpError(
          404,
          'no-space',
          'platform.dev.yaml does not list any spaces, so there are no pages.',
        );
      const { space, below } = at;
      const found = foundAt(space, { path: below });
      if (!found) return notFound(space);
      const { page, tree, text, fileUrl } = found;
      usedFiles.add(found);
      const blocks = await drawBlocks(found, render);
      const nodes = withoutTitle(tree.blocks, page.title);
      const drawing: PageDrawing = {
        url: fileUrl,
        nodes,
        blocks,
        isStatic,
        addressOf: (url) => addressOfFile(space, url),
        refer: (url) => refer(space, url),
        urlOfFile: (file) => fileUrlOf(space, file),
      };
      const html = renderDocument({
        title: page.title,
        description: page.description,
        space,
        spaces: platform.readers.spaces(),
        pages: content.pages(space.id),
        documents: content.documents(space.id),
        page,
        place: content.place(space.id, page.id),
        headings: tree.headings.filter(({ level, text: title }) => level <= 3 && title !== page.title),
        data: { space: space.path, page: page.id, version: hashOf(text) },
        scriptScope: platform
          .members()
          .filter((member) => targetOf(member, space))
          .flatMap((member) => member.integration().scopes)
          .find((scope) => scope === 'site:script:inject'),
        cover: tree.cover && <PageCover page={drawing} url={tree.cover.url} />,
        icon: tree.icon,
        isStatic,
        body: <PageText page={drawing} />,
      });
      return { status: 200, html };
    },

    markdown(path) {
      const at = path.endsWith('.md') ? spaceOf(path) : undefined;
      if (!at) return undefined;
      const found = content.find(at.space.id, { path: at.below.replace(/(?:(?:^|\/)index)?\.md$/, '') });
      return found && withoutComments(found.text.slice(found.tree.start)).trimStart();
    },

    spaceAt: (path) => spaceOf(path)?.space,

    async file(path) {
      const at = spaceOf(path);
      const found = at && content.file(at.space.id, at.below);
      if (!found || !(await usedFiles.has(decodedPath(at)))) return undefined;
      const reason = await content.whyNotSent(at.space.id, at.below);
      if (reason !== undefined) throw new HttpError(404, 'not-served', reason);
      return found;
    },

    async render(body) {
      if (typeof body['pending'] === 'string') {
        const result = blocks.pending(body['pending']);
        if (result) return result;
        throw new HttpError(404, 'not-found', 'This result has already been fetched.');
      }
      const { nth, seal, action, theme, after, modal, ...request } = readBlockRequest(body);
      const { space, page, tree } = find(body['space'], request.page);
      const block = blocksOf(tree, space)[nth];
      if (!block) throw new HttpError(404, 'not-found', 'This block was removed. Reload the page.');
      const own = requestOf(space, block);
      const component = request.component ?? own.component;
      const subject = { page: page.id, nth };
      if (request.props) seals.check(subject, component, request.props, seal);
      else if (component !== own.component)
        throw invalid("The modal's properties are missing.", { path: 'props' });
      const result = await block.member.render({
        ...own,
        component,
        props: request.props ?? own.props,
        ...(request.state && { state: request.state }),
        ...(action && { action }),
        ...(modal && { modal }),
        ...(after !== undefined && { after }),
        context: { ...own.context, theme },
      });
      return seals.seal(subject, result, component);
    },

    find,
  };
}

/** Returns the text without its first heading if that heading repeats the title. */
function withoutTitle(nodes: readonly PageBlock[], title: string): readonly PageBlock[] {
  const [first] = nodes;
  return first?.kind === 'heading' && plainText(first.children) === title ? nodes.slice(1) : nodes;
}

function readBlockRequest(body: Record<string, unknown>): BlockRequest {
  const { page, nth, component, props, seal, state, action, after, theme, modal } = body;
  const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
  const isValues = (value: unknown): boolean => value === undefined || isObject(value);
  const fits =
    typeof page === 'string' &&
    Number.isSafeInteger(nth) &&
    [component, seal, after].every(isText) &&
    [props, state, action].every(isValues) &&
    (action === undefined || typeof (action as { action?: unknown }).action === 'string');
  if (!fits) throw invalid('A request to render a block must contain the page id and the block number.');
  return {
    ...(body as unknown as BlockRequest),
    theme: theme === 'dark' ? 'dark' : 'light',
    modal: modal === true,
  };
}

/** The maximum number of pages to list for an unknown URL. */
const mostListed = 200;

/** Returns Markdown without its comments, which readers do not see. Code is kept as it is. */
const withoutComments = (text: string): string =>
  text
    .split(/^( {0,3}(?:`{3}|~{3}).*)$/m)
    .map((part, at) => (at % 4 === 0 ? removeComments(part) : part))
    .join('');

const removeComments = (text: string): string =>
  text
    .split('<!--')
    .map((part, at) => (at > 0 && part.includes('-->') ? part.slice(part.indexOf('-->') + 3) : part))
    .join('');

const trimSlashes = (path: string): string => path.replaceAll(/^[/]+|(?<![/])[/]+$/g, '');
