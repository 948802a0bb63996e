import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { settled, useConsole } from '../support/console-page.js';
import { hostileStrings } from '../support/hostile-strings.js';
import { accessibilityFindings } from '../support/site-page.js';

let folder = '';
const console_ = useConsole('console', ['--state', 'memory', '--content', 'pages'], async (project) => {
  folder = join(project, 'pages');
  mkdirSync(join(folder, 'guides'), { recursive: true });
  writeFileSync(join(folder, 'README.md'), start);
  writeFileSync(join(folder, 'guides/setup.md'), '# Setup\n\nRead [the start](../README.md).\n');
});
const start = '# Start\r\n\r\nFirst words.\r\n\r\n## More\r\n\r\nLast words.\r\n';

let page: Page;
beforeEach(() => writeFileSync(join(folder, 'README.md'), start));
afterEach(() => page?.context().close());

const file = (path = 'README.md'): string => readFileSync(join(folder, path), 'utf8');
const article = () => page.getByRole('article');
const details = () => page.getByRole('complementary', { name: 'Details' });
const menu = () => page.getByRole('combobox', { name: 'Insert a block' });
const open = async (options?: Parameters<typeof console_.open>[1]): Promise<void> => {
  page = await console_.open('pages', options);
  await article().getByText('First words.').waitFor();
  await settled(page);
};

it('inserts a block at a chosen position with only the keyboard', async () => {
  await open();
  // Tab stops only once on the page.
  while (!(await page.evaluate(() => document.activeElement?.className === 'insert-point')))
    await page.keyboard.press('Tab');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
    'Insert after paragraph “First words.”',
  );
  await page.keyboard.press('Control+/');
  await page.keyboard.type('poll');
  const tree = await page.locator('.insert-menu').ariaSnapshot();
  console.log(tree);
  expect(tree).toContain('combobox "Insert a block"');
  expect(tree).toMatch(/option .*\[selected\]/);
  await page.keyboard.press('Enter');
  await article().getByRole('button', { name: 'Vote' }).waitFor();
  expect(file()).toMatch(
    /^# Start\r\n\r\nFirst words\.\r\n\r\n\{% @[\w-]+\/poll %\}\r\n\r\n## More\r\n\r\nLast words\.\r\n$/,
  );
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('block-name');
});

it('closes the menu with Escape, and moves a block with Alt+arrow', async () => {
  await open();
  await page.keyboard.press('Control+/');
  await menu().waitFor();
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Escape');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Insert after heading “More”');
  expect(file()).toBe(start);
});

it('offers to insert a pasted link as a card or as plain text', async () => {
  await open();
  await page.evaluate(() => navigator.clipboard.writeText('https://example.com/a'));
  await page.locator('body').press('Control+v');
  await page.getByRole('option', { name: /^Embed/ }).waitFor();
  await page.getByRole('option', { name: /^Plain link/ }).click();
  await expect.poll(() => file()).toBe(`${start.trimEnd()}\r\n\r\n<https://example.com/a>\r\n`);
});

it("changes only a block's tag in the file when its properties are edited", async () => {
  const { integration } = await console_.platform.api<{ integration: { name: string } }>('GET', '/overview');
  const tag = `{% @${integration.name}/poll question="Why?" %}`;
  writeFileSync(join(folder, 'README.md'), `${start}\r\n${tag}\r\n`);
  await open();
  const width = () => article().evaluate((paper) => paper.clientWidth);
  const before = await width();
  await details().getByRole('button', { name: 'Poll Why?' }).click();
  const field = details().getByRole('textbox', { name: 'question' });
  await field.waitFor();
  // Otherwise, the text of the page would move away from the pointer.
  expect(await width()).toBe(before);
  await field.fill('Why "now"?');
  await page.getByText('Saved in README.md').waitFor();
  await details().getByRole('tab', { name: 'History' }).click();
  // A single change is named only once.
  await expect
    .poll(() => details().getByRole('listitem').first().innerText())
    .toMatch(/^Block changed: harbor-status\/poll\n\d\d:\d\d:\d\d\n+Text changed$/);
  expect(file()).toBe(`${start}\r\n${tag.replace('Why?', 'Why \\"now\\"?')}\r\n`);
});

it('shows in the list of pages and in the list of blocks that a block on the page has failed', async () => {
  const { integration } = await console_.platform.api<{ integration: { name: string } }>('GET', '/overview');
  writeFileSync(join(folder, 'README.md'), `${start}\r\n{% @${integration.name}/incident %}\r\n`);
  await open();
  await page.setViewportSize({ width: 900, height: 800 });
  const mark = page.getByRole('img', { name: 'A block on this page has failed' });
  const block = article().getByRole('region', { name: 'Block Incident' });
  await block.getByRole('button', { name: 'Close', exact: true }).click();
  expect(await mark.count()).toBe(0);
  await page.getByRole('button', { name: 'Close it' }).click();
  await mark.waitFor();
  // On a narrow screen, the details are closed until one of their tabs is pressed.
  expect(await details().evaluate((pane) => pane.clientHeight)).toBeLessThan(60);
  await details().getByRole('tab', { name: 'Blocks failed' }).click();
  await details().getByRole('button', { name: 'All blocks' }).click();
  await details()
    .getByRole('button', { name: /^Incident .*failed$/ })
    .waitFor();
  await block.getByRole('button', { name: 'Acknowledge (0)' }).click();
  await mark.waitFor({ state: 'detached' });
});

it('rejects an edit to an outdated version of a page, and offers to apply the edit to the current version', async () => {
  await open();
  await page.route('**/content/page?**', (route) => route.abort());
  const other = start.replace('First', 'Other');
  writeFileSync(join(folder, 'README.md'), other);
  await page.keyboard.press('Control+/');
  await page.keyboard.type('poll');
  await page.keyboard.press('Enter');
  await page.getByText("Your change wasn't saved.").waitFor();
  expect(file()).toBe(other);
  await page.unroute('**/content/page?**');
  await page.getByRole('button', { name: 'Apply my change to the current page' }).press('Enter');
  await expect.poll(() => file()).toContain('/poll %}');
  expect(file().startsWith(other.trimEnd())).toBe(true);
});

it('saves Markdown with its line endings, and shows the difference in the history', async () => {
  await open();
  await page.getByRole('button', { name: 'Markdown' }).click();
  const source = page.getByRole('textbox', { name: 'Markdown' });
  await source.fill('# Start\n\nFirst words.\n\n{% hint %}\n');
  await page.keyboard.press('Control+s');
  await expect.poll(() => file()).toBe('# Start\r\n\r\nFirst words.\r\n\r\n{% hint %}\r\n');
  await page.getByRole('button', { name: 'Line 5' }).press('Enter');
  expect(await source.evaluate((one: HTMLTextAreaElement) => one.value.slice(one.selectionStart))).toBe(
    '{% hint %}\n',
  );
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText('Text changed').first().click();
  const difference = page.getByRole('region', { name: 'The text before and after' });
  await difference.getByText('{% hint %}').waitFor();

  await source.fill('# Mine\n');
  writeFileSync(join(folder, 'README.md'), '# Theirs\n');
  await page.getByText('The file has changed since').waitFor();
  await page.keyboard.press('Control+s');
  expect([file(), await source.inputValue()]).toEqual(['# Theirs\n', '# Mine\n']);
  await page.getByRole('button', { name: 'Replace the file with my text' }).click();
  await expect.poll(() => file()).toBe('# Mine\n');
});

it('finds a page by its title', async () => {
  await open();
  await page.keyboard.press('Control+k');
  // Waits for the palette, which is loaded when it is first opened.
  await page.getByRole('combobox', { name: /^Find views/ }).fill('page setup');
  await page.getByRole('option', { name: /Setup/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await article().getByText('Read').waitFor();
});

it('creates, moves and deletes a page, and shows each step in the history', async () => {
  await open();
  await page.getByRole('button', { name: 'New page' }).click();
  await page.getByLabel('Title').fill('Release notes');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Release notes' }).waitFor();
  expect(file('release-notes.md')).toBe('# Release notes\n');
  await page.getByRole('button', { name: 'Rename or move' }).click();
  await page.getByLabel('Path').fill('guides/news');
  await page.keyboard.press('Enter');
  await expect.poll(() => file('guides/news.md')).toBe('# Release notes\n');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText('Created Release notes').first().waitFor();
  await page.getByRole('button', { name: 'Delete the page' }).click();
  await page.getByRole('button', { name: 'Delete the file' }).click();
  await expect.poll(() => page.getByRole('link', { name: 'Release notes' }).count()).toBe(0);
});

it('sends the events for a visibility change and for a sync', async () => {
  const events = async (type: string): Promise<unknown[]> =>
    Promise.all(
      (await console_.platform.api<{ id: string }[]>('GET', `/calls?type=${type}`)).map(
        async ({ id }) => (await console_.platform.api<{ event: unknown }>('GET', `/calls/${id}`)).event,
      ),
    );
  await open();
  await page.getByLabel('Visibility').focus();
  await page.keyboard.type('Unl');
  await expect
    .poll(() => events('space_visibility_updated'))
    .toMatchObject([{ spaceId: 'space_local', visibility: 'unlisted' }]);
  await page.getByRole('button', { name: 'Sync' }).click();
  await expect.poll(() => events('space_gitsync_completed')).toMatchObject([{ state: 'success' }]);
});

it('shows hostile text in a page as plain text', async () => {
  const text = hostileStrings
    .map((one) => `${one.replaceAll('\n', ' ')}\n\n[a](${one.replaceAll(/\s/g, '')})`)
    .join('\n\n');
  writeFileSync(join(folder, 'README.md'), `${start}\n${text}\n`);
  await open();
  const odd = await article().evaluate((element) =>
    [...element.querySelectorAll('*')].flatMap((one) =>
      /^(script|iframe|object|embed|style|form)$/.test(one.localName) ||
      [...one.attributes].some(
        ({ name, value }) => name.startsWith('on') || /^\s*(javascript|vbscript|data:text)/i.test(value),
      )
        ? [one.outerHTML]
        : [],
    ),
  );
  expect(odd).toEqual([]);
});

it.each([
  [390, 'light'],
  [900, 'dark'],
  [1440, 'light'],
] as const)(
  'passes the axe checks and cuts off no content at %i px in the %s theme',
  async (width, theme) => {
    const { integration } = await console_.platform.api<{ integration: { name: string } }>(
      'GET',
      '/overview',
    );
    writeFileSync(
      join(folder, 'README.md'),
      `${start}\r\n{% @${integration.name}/poll question="Was this page of help?" %}\r\n\r\n> A quote\r\n\r\n- [x] done\r\n- [ ] open\r\n\r\n{% embed url="https://example.com/t/7" %}\r\n\r\n| a | b |\r\n| - | - |\r\n| 1 | 2 |\r\n`,
    );
    page = await console_.open('pages', { theme });
    await page.setViewportSize({ width, height: 900 });
    if (width === 390) await page.getByRole('link', { name: 'Start' }).click();
    await article().locator('.block-name').click({ force: true });
    await settled(page);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  },
);
