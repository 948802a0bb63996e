import type { ReaderSpace } from '../../emulator/calls/readers.js';
import { HttpError, invalid } from '../../emulator/http/http-error.js';
import { isObject } from '../../emulator/http/read-json.js';
import type { RenderRequest } from '../../contract/routes/components.js';
import type { BlockRequest, SealedResult } from '../block-data.js';
import type { PageNode, SiteContent, SitePage, TagNode } from '../site-content.js';
import type { SiteOptions } from '../site-options.js';
import { hashOf } from './check-request.js';
import { addressOf, renderDocument } from './document.js';
import { headingsOf, withoutTitle } from './headings.js';
import { PageText, type PageDrawing } from './page-view.js';
import { createBlockRenderer, drawBlock, type BlockToRender } from './render-blocks.js';
import { createSeals } from './seals.js';

interface FoundPage {
  space: ReaderSpace;
  page: SitePage;
  url: string;
}

export interface SitePages {
  /** The page at a path, or the page that says what exists instead. `render`: whether scripts may be called. */
  draw(path: string, render: boolean): Promise<{ status: number; html: string }>;
  /** Renders a block again for a page in a browser. */
  render(body: Record<string, unknown>): Promise<SealedResult>;
  /** Titles and headings of all pages. */
  search(): { title: string; path: string; headings: { id: string; text: string }[] }[];
  /** A page by the path of its space and its own id, as a page in a browser knows them. */
  find(space: unknown, page: unknown): FoundPage;
}

const mostBlocks = 50;

export function createSitePages(deps: SiteOptions & { content: SiteContent }): SitePages {
  const { origin, platform, timers, content } = deps;
  const blocks = createBlockRenderer(timers.sleep);
  const seals = createSeals();

  const flatten = (pages: readonly SitePage[]): SitePage[] =>
    pages.flatMap((page) => [page, ...flatten(page.pages)]);
  const urlOf = (space: ReaderSpace, page: SitePage): string => `${origin}${addressOf(space, page)}`;

  const atPath = (path: string): FoundPage | { space: ReaderSpace; page?: undefined } | undefined => {
    const spaces = platform.readers.spaces();
    const space =
      spaces.find((one) => one.path !== '/' && `${path}/`.startsWith(one.path)) ??
      spaces.find((one) => one.path === '/');
    if (!space) return undefined;
    const wanted = trimSlashes(decode(`${path}/`.slice(space.path.length)));
    const page = flatten(content.pages()).find((one) => one.path === wanted);
    return page ? { space, page, url: urlOf(space, page) } : { space };
  };

  const find: SitePages['find'] = (spacePath, id) => {
    const space = platform.readers.spaces().find(({ path }) => path === spacePath);
    const page = flatten(content.pages()).find((one) => one.id === id);
    if (!space || !page) throw new HttpError(404, 'not-found', 'This page was removed. Reload it.');
    return { space, page, url: urlOf(space, page) };
  };

  /** The tags of a page that are blocks of this integration, in their order. */
  const blockTags = (nodes: readonly PageNode[]): TagNode[] =>
    nodes
      .filter((node): node is TagNode => node.kind === 'tag' && isOwnBlock(node.name))
      .slice(0, mostBlocks);
  const isOwnBlock = (name: string): boolean => {
    const integration = platform.integration();
    return integration.blocks.some(({ id }) => name === `${integration.name}/${id}`);
  };

  const requestOf = (
    space: ReaderSpace,
    tag: TagNode,
  ): RenderRequest & { component: string; props: Record<string, unknown> } => ({
    component: tag.name.slice(tag.name.indexOf('/') + 1),
    props: tag.values,
    ...space.target,
    context: { type: 'document', theme: 'light', editable: false, ...placeOf(space) },
  });

  const drawBlocks = async (
    { space, page, url }: FoundPage,
    nodes: readonly PageNode[],
    render: boolean,
  ): Promise<PageDrawing['blocks']> => {
    const tags = blockTags(nodes);
    const wanted = tags.map((tag, nth): BlockToRender => {
      const request = requestOf(space, tag);
      return {
        nth,
        component: request.component,
        base: url,
        render: async () =>
          seals.seal({ page: page.id, nth }, await platform.render(request), request.component),
      };
    });
    const drawn = !space.target
      ? []
      : render
        ? await blocks.draw(wanted)
        : wanted.map(({ nth, component, base }) => drawBlock({ nth, component, base }));
    const { blocks: known, name } = platform.integration();
    return new Map(
      nodes.flatMap((node): [PageNode, NonNullable<ReturnType<PageDrawing['blocks']['get']>>][] => {
        if (node.kind !== 'tag' || node.name === 'embed') return [];
        const label = node.name;
        const block = drawn[tags.indexOf(node)];
        const title = known.find(({ id }) => label === `${name}/${id}`)?.title ?? label;
        return [[node, block ? { title, drawn: block } : { label, note: noteOn(label, space) }]];
      }),
    );
  };

  const noteOn = (label: string, space: ReaderSpace): string => {
    if (!label.includes('/')) return 'is not shown here.';
    const { name } = platform.integration();
    if (!label.startsWith(`${name}/`)) return 'is a block of another integration.';
    if (!space.target) return 'is not shown, because the integration is not installed in this space.';
    return isOwnBlock(label)
      ? `is not shown: a page shows at most ${mostBlocks} blocks.`
      : 'is not a block of the manifest.';
  };

  const notFound = (space: ReaderSpace): { status: number; html: string } => {
    const pages = content.pages();
    const body = (
      <div class="prose">
        <p>No page of this site has this address. These pages exist:</p>
        <ul>
          {flatten(pages).map((page) => (
            <li key={page.id}>
              <a href={addressOf(space, page)}>{page.title}</a>
            </li>
          ))}
        </ul>
      </div>
    );
    const spaces = platform.readers.spaces();
    const title = 'Page not found';
    return { status: 404, html: renderDocument({ title, space, spaces, pages, headings: [], body }) };
  };

  return {
    async draw(path, render) {
      const found = atPath(path);
      if (!found)
        throw new HttpError(404, 'no-space', 'platform.dev.yaml lists no space, so there are no pages.');
      const text = found.page && content.read(found.page.id);
      if (!found.page || !text) return notFound(found.space);
      const { space, page, url } = found;
      const nodes = withoutTitle(text.nodes, page.title);
      const headings = headingsOf(nodes);
      const drawing = { url, nodes, headings, blocks: await drawBlocks(found, text.nodes, render) };
      const html = renderDocument({
        title: page.title,
        description: page.description,
        space,
        spaces: platform.readers.spaces(),
        pages: content.pages(),
        page,
        headings: [...headings.values()].filter(({ level }) => level <= 3),
        data: { space: space.path, page: page.id, version: hashOf(text.text) },
        body: <PageText page={drawing} />,
      });
      return { status: 200, html };
    },

    async render(body) {
      if (typeof body['pending'] === 'string') {
        const result = blocks.pending(body['pending']);
        if (result) return result;
        throw new HttpError(404, 'not-found', 'This result was fetched already.');
      }
      const { nth, seal, action, theme, after, modal, ...request } = readBlockRequest(body);
      const { space, page } = find(body['space'], request.page);
      const tag = blockTags(content.read(page.id)?.nodes ?? [])[nth];
      if (!tag) throw new HttpError(404, 'not-found', 'This block was removed. Reload the page.');
      const own = requestOf(space, tag);
      const component = request.component ?? own.component;
      const subject = { page: page.id, nth };
      if (request.props) seals.check(subject, component, request.props, seal);
      else if (component !== own.component) throw invalid('A modal needs its properties.', { path: 'props' });
      const result = await platform.render({
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

    search: () =>
      platform.readers.spaces().flatMap((space) =>
        flatten(content.pages()).map((page) => ({
          title: page.title,
          path: addressOf(space, page),
          headings: [
            ...headingsOf(withoutTitle(content.read(page.id)?.nodes ?? [], page.title)).values(),
          ].map(({ id, text }) => ({ id, text })),
        })),
      ),
    find,
  };
}

const placeOf = ({ id, site }: ReaderSpace): { spaceId: string; siteId?: string } => ({
  spaceId: id,
  ...(site && { siteId: site.id }),
});

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
  if (!fits) throw invalid('The request to render a block needs the id of its page and its number.');
  return {
    ...(body as unknown as BlockRequest),
    theme: theme === 'dark' ? 'dark' : 'light',
    modal: modal === true,
  };
}

const trimSlashes = (path: string): string => path.replaceAll(/^[/]+|[/]+$/g, '');

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
