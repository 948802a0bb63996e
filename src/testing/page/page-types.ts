import type { RenderedComponent } from '../component/component-types.js';

/**
 * The reader of a page, as shown in the `visitor` of an event.
 *
 * @example
 * ```ts
 * await platform.page('guide').view({ anonymousId: 'reader-1', userAgent: 'Safari' });
 * ```
 */
export interface TestReader {
  anonymousId?: string;
  userAgent?: string;
  ip?: string;
  cookies?: Record<string, string>;
}

/**
 * A page in the first space, from `createTestPlatform({ content })`. The page is looked up each time you use the object, so the
 * object stays valid when the page's file changes.
 *
 * @example
 * ```ts
 * const platform = await createTestPlatform({ integration, content: { 'guide.md': '# Guide\n\n{% @hello/counter %}' } });
 * await platform.install();
 * const page = platform.page('guide');
 * const block = await page.block();
 * await block.press('Count');
 * expect(block.text()).toContain('Pressed once');
 * await page.rate('good', 'It counts.');
 * await page.write('# A new guide');
 * expect(page.text()).toBe('A new guide');
 * ```
 */
export interface TestPage {
  /** The id that events use for the page. */
  readonly id: string;
  /** The title that readers see. */
  readonly title: string;
  /**
   * The text that readers see, with a line for each heading, paragraph and list item. Blocks are not
   * included.
   */
  text(): string;
  /** Renders a block of the integration on the page, with the properties from the page. Default: the first block. */
  block(number?: number): Promise<RenderedComponent>;
  /** Opens the page as a reader would. This sends `space_view`, and also `site_view` if the space is on a site. */
  view(reader?: TestReader): Promise<void>;
  /** Rates the page as a reader would. This sends `page_feedback`. */
  rate(rating: 'good' | 'ok' | 'bad', comment?: string, reader?: TestReader): Promise<void>;
  /**
   * Replaces or creates the file. This sends `space_content_updated`. The folder that the test passed is not
   * changed.
   */
  write(text: string): Promise<void>;
}
