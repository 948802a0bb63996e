import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { accessibilityFindings, useSite } from '../support/site-page.js';

const site = useSite('site', ['--state', 'memory'], async (project) => {
  writeFileSync(
    join(project, 'docs/table.md'),
    '---\nhidden: true\n---\n\n| Plan | Incidents | Responsibilities |\n| - | - | - |\n| Enterprise | unlimited | within an hour, see `space_content_updated` |\n',
  );
  for (const [folder, count] of [
    ['guides', 2],
    ['guides/deep', 3],
    ['reference', 400],
  ] as const) {
    mkdirSync(join(project, 'docs', folder), { recursive: true });
    for (let nth = 0; nth < count; nth += 1)
      writeFileSync(join(project, 'docs', folder, `p${nth}.md`), `# ${folder} ${nth}\n\n## Part ${nth}\n`);
  }
});

let page: Page;
afterEach(() => page?.context().close());

const navigation = () => page.getByRole('navigation', { name: 'Pages' });
const titles = () => navigation().getByRole('link').allInnerTexts();

it('expands only the folders that lead to the current page in the navigation of a large site', async () => {
  page = await site.open();
  expect(await titles()).toEqual(['Reading room', 'Guides', 'Reference']);
  await navigation().getByRole('link', { name: 'Guides' }).press('Enter');
  await page.waitForURL(/guides\/deep\/p0$/);
  expect(await titles()).toEqual([
    'Reading room',
    'guides/deep 0',
    'guides/deep 1',
    'guides/deep 2',
    'First steps',
    'guides 0',
    'guides 1',
    'Reference',
  ]);
});

it('shows the neighbors of the current page in a long folder, even without JavaScript', async () => {
  const { siteOrigin } = site.platform;
  const html = await (await fetch(`${siteOrigin}/reference/p200`)).text();
  const [, list = ''] = /<nav id="navigation"(.*?)<\/nav>/s.exec(html) ?? [];
  const links = [...list.matchAll(/<a[^>]*href="([^"]*)"[^>]*>([^<]*)</g)].map(([, ...link]) => link);
  expect(links.length).toBe(105);
  expect(links[2]).toEqual(['/reference/p149', '150 more above']);
  expect(links.at(-1)).toEqual(['/reference/p251', '149 more below']);
  expect(list).toContain('href="/reference/p200" aria-current="page"');
});

it('opens the result for the latest search text, not for an earlier one, when Enter is pressed', async () => {
  page = await site.open();
  await page.keyboard.press('/');
  await page.getByRole('option').first().waitFor();
  const search = page.getByRole('combobox');
  await search.fill('part 317');
  await search.press('Enter');
  await page.waitForURL(/reference\/p317#h-part-317$/);
});

it('does not break words in a table on a small screen', async () => {
  page = await site.open('table', { width: 320 });
  const lines = (name: string): Promise<number> =>
    page.getByRole('cell', { name }).evaluate((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    });
  expect(await lines('Enterprise')).toBe(1);
  expect(await lines('unlimited')).toBe(1);
  const boxes = (code: Element): number => code.getClientRects().length;
  expect(await page.locator('td code').evaluate(boxes)).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

it('gives a table with six columns the place of the table of contents', async () => {
  page = await site.open('table', { width: 1280 });
  const width = async (): Promise<number> => (await page.locator('.site-main').boundingBox())?.width ?? 0;
  const before = await width();
  await page
    .locator('th')
    .last()
    .evaluate((head) => {
      while (head.parentElement && head.parentElement.children.length < 6) head.after(head.cloneNode(true));
    });
  expect(await width()).toBeGreaterThan(before + 200);
});

/** Waits for the opening animations to end, after which positions no longer change. */
const settled = (): Promise<unknown> =>
  page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));

it('keeps the search field in place while the results change', async () => {
  page = await site.open();
  await page.keyboard.press('/');
  await page.getByRole('option').first().waitFor();
  await settled();
  const search = page.getByRole('combobox');
  const before = await search.boundingBox();
  await search.fill('nothing has this');
  await page.getByText('No results for').waitFor();
  expect((await search.boundingBox())?.y).toBe(before?.y);
});

it('covers the page with the menu on a small screen', async () => {
  page = await site.open('', { width: 390 });
  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  await navigation().getByRole('link', { name: 'Guides' }).waitFor();
  await settled();
  const box = await navigation().boundingBox();
  expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(page.viewportSize()?.height);
});

it.each([
  [390, 'light'],
  [1440, 'dark'],
] as const)('passes the axe checks on a large site at %i px in the %s theme', async (width, theme) => {
  for (const path of ['reference/p200', 'nowhere']) {
    page = await site.open(path, { width, theme });
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    if (path !== 'nowhere') await page.context().close();
  }
});
