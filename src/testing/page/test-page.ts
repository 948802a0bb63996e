import type { Emulator } from '../../emulator/index.js';
import type { Page, PageEntry } from '../../content/index.js';
import type { PageView } from '../../protocol/event-parts.js';
import type { FindOptions } from '../component/fill-input.js';
import { renderComponent } from '../component/rendered-component.js';
import type { RenderedComponent } from '../component/component-types.js';
import type { TestPage, TestReader } from './page-types.js';
import type { TestPages } from './open-test-pages.js';

interface PageWorld {
  emulator: Pick<Emulator, 'content' | 'readers'>;
  pages: TestPages | undefined;
  integration(): Parameters<TestPages['blocksOnPage']>[1][number];
  /** The installation. Throws if the page's space does not have one. */
  installation(): string;
  render: Emulator['render'];
  /** Finds the options of the selects in a block. */
  find(target: { site?: string; space?: string }): FindOptions;
  settled(): Promise<void>;
}

/** A page of the first space. */
export function createTestPage(world: PageWorld, path: string): TestPage {
  const { emulator, pages, render, settled } = world;
  if (!pages) throw new Error('This platform has no pages. Pass `content` to createTestPlatform().');
  const [space] = emulator.readers.spaces();
  const content = space && emulator.content(space.id);
  if (!space || !content)
    throw new Error('platform.dev.yaml does not list any spaces, so there are no pages.');

  const find = (): Page => {
    const page = content.pageByPath(path);
    if (page) return page;
    const known = pathsOf(content.pages()).map((one) => `"${one}"`);
    throw new Error(`Unknown page: "${path}". Available pages: ${known.join(', ') || 'none'}.`);
  };
  const viewOf = ({ anonymousId, userAgent, ip, cookies }: TestReader = {}): PageView => ({
    visitor: {
      anonymousId: anonymousId ?? 'test-reader',
      userAgent: userAgent ?? 'test',
      ip: ip ?? '127.0.0.1',
      cookies: cookies ?? {},
    },
    url: emulator.readers.urlOf(space, find().path),
    referrer: '',
  });

  return {
    get id() {
      return find().id;
    },
    get title() {
      return find().title;
    },
    text: () => pages.linesOf(pages.parsePage(find().text).blocks).join('\n'),
    async block(number = 0): Promise<RenderedComponent> {
      const found = pages.blocksOnPage(pages.parsePage(find().text), [world.integration()]);
      const block = found[number];
      if (!block)
        throw new Error(
          `The page "${path}" has no block ${number} of the integration. It has ${found.length || 'none'}.`,
        );
      const { component, props } = block;
      if (!space.target) throw new Error('The integration is not installed in the space, or on its site.');
      const surroundings = { render, find: world.find(space.target) };
      return renderComponent(surroundings, {
        component,
        props,
        ...space.target,
        context: { spaceId: space.id, ...(space.site && { siteId: space.site.id }) },
      });
    },
    async view(reader) {
      world.installation();
      await emulator.readers.view(space, find().id, viewOf(reader));
      await settled();
    },
    async rate(rating, comment = '', reader = {}) {
      world.installation();
      if (!space.site)
        throw new Error(`Pages can be rated only on a site, and ${space.id} is not on a site.`);
      await emulator.readers.rate(space, find().id, viewOf(reader), { rating, comment });
      await settled();
    },
    async write(text) {
      const known = content.pageByPath(path);
      if (known) await content.write(known.id, { text, hash: known.hash });
      else {
        pages.create(`${path}.md`, text);
        await content.look();
      }
      await settled();
    },
  };
}

const pathsOf = (pages: readonly PageEntry[]): string[] =>
  pages.flatMap((page) => [...(page.file === undefined ? [] : [page.path]), ...pathsOf(page.pages)]);
