import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { readImageInfo } from '../../src/manifest/read/image-info.js';
import { chromiumPath } from '../support/chromium-path.js';
import { runPlatform } from '../support/run-platform.js';
import type { Page } from 'playwright-core';
import { accessibilityFindings, useSite } from '../support/site-page.js';

const site = useSite('console', ['--state', 'memory']);
let page: Page;
afterEach(() => page?.context().close());

const poll = () => page.locator('[data-block=poll]');

it('renders a block on the server and makes it interactive in the browser', async () => {
  // Without a response in time, which the first render may need, the server leaves the block to the browser.
  await expect
    .poll(async () => (await fetch(`${site.platform.siteOrigin}/`)).text())
    .toContain('Was this page of help?');
  page = await site.open();
  const node = await poll().locator('.island > *').first().elementHandle();
  await poll().getByRole('button', { name: 'Vote' }).press('Enter');
  await poll().getByText('1 vote').waitFor();
  expect(await node?.evaluate((element) => element.isConnected)).toBe(true);
  const last = (await site.calls('ui_render')).at(-1);
  expect(last?.event).toMatchObject({
    componentId: 'poll',
    action: { action: 'vote' },
    spaceId: 'space_local',
    context: { type: 'document', theme: 'light', editable: false, siteId: 'site_local' },
  });
});

it("gives each block unique ids, and keeps the server's ids in the browser", async () => {
  const html = await (await fetch(`${site.platform.siteOrigin}/`)).text();
  const sent = [...html.matchAll(/ id="(P[^"]+)"/g)].map(([, id]) => id);
  expect(sent.length).toBeGreaterThan(3);
  expect(new Set(sent).size).toBe(sent.length);
  page = await site.open();
  await poll().getByRole('button', { name: 'Vote' }).click();
  await poll().getByText('1 vote').waitFor();
  const now = await page.evaluate(() => [...document.querySelectorAll('[id^=P]')].map(({ id }) => id));
  expect(now).toEqual(expect.arrayContaining(sent.slice(0, 3)));
});

it('counts an opened page as one view of the space and one view of the site', async () => {
  const count = async (): Promise<number[]> => [
    (await site.calls('space_view')).length,
    (await site.calls('site_view')).length,
  ];
  const first = await count();
  page = await site.open('events');
  await expect.poll(count).toEqual(first.map((one) => one + 1));
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Writing pages' }).click();
  await page.getByRole('heading', { name: 'Writing pages', level: 1 }).waitFor();
  await expect.poll(count).toEqual(first.map((one) => one + 2));
  const view = (await site.calls('site_view')).at(-1);
  expect(view?.event).toMatchObject({
    siteId: 'site_local',
    url: `${site.platform.siteOrigin}/writing`,
    visitor: { cookies: {}, ip: '127.0.0.1' },
  });
});

it('does not count views by curl or prefetches, and does not call the script for prefetches', async () => {
  const { siteOrigin } = site.platform;
  const count = async (): Promise<number> =>
    (await site.calls('space_view')).length + (await site.calls('ui_render')).length;
  const before = await count();
  const prefetch = await fetch(`${siteOrigin}/`, {
    headers: { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate', 'Sec-Purpose': 'prefetch' },
  });
  expect(await prefetch.text()).not.toContain('Was this page of help?');
  await (await fetch(`${siteOrigin}/events`)).text();
  expect(await count()).toBe(before);
});

it('shows pages as read-only without the site key', async () => {
  page = await site.open('', { key: '' });
  await page.getByText('Read-only.').waitFor();
  expect(await poll().locator('.island').getAttribute('inert')).toBe('');
  expect(await page.getByRole('region', { name: 'Feedback' }).count()).toBe(0);
});

it('rerenders blocks and keeps their state when the script is reloaded', async () => {
  page = await site.open();
  await poll().getByRole('button', { name: 'Vote' }).click();
  await poll().getByText('1 vote').waitFor();
  site.platform.edit('src/poll.tsx', (text) => text.replace('Was this page of help?', 'Did it help?'));
  await poll().getByText('Did it help?').waitFor();
  await poll().getByText('1 vote').waitFor();
});

it('searches with the keyboard, opens a heading on another page, and remembers it', async () => {
  page = await site.open();
  await page.keyboard.press('/');
  await page.getByRole('option', { name: 'Start' }).first().waitFor();
  await page.keyboard.type('without a');
  await page.getByRole('option', { name: 'Without a browser' }).waitFor();
  expect(await accessibilityFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForURL(/events#h-without-a-browser$/);
  await page.keyboard.press('/');
  await page.getByText('Recently viewed').waitFor();
  await page.getByRole('option', { name: 'Start' }).waitFor();
  await page.keyboard.type('nothing-has-this');
  await page.getByText('No results for “nothing-has-this”').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('Recently viewed').waitFor();
});

it('copies the code of a code block to the clipboard', async () => {
  page = await site.open('writing');
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    'createIntegration({\n  components: [counter],',
  );
});

it('copies a page as Markdown, and serves it', async () => {
  page = await site.open('writing');
  await page.getByRole('button', { name: 'Copy page' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^# Writing pages\n\n## Text\n[^]+^{% @[\w-]+\/\w+ start=3 %}$/m);
  for (const [path, start] of [
    ['writing.md', copied],
    ['index.md', '# Start'],
  ]) {
    const response = await fetch(`${site.platform.siteOrigin}/${path}`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toContain(start);
  }
  expect((await fetch(`${site.platform.siteOrigin}/nothing.md`)).status).toBe(404);
});

it('keeps the chosen theme, and renders the blocks again in it', async () => {
  page = await site.open();
  const button = page.getByRole('button', { name: 'Theme: ' });
  await button.click();
  await button.click();
  await expect
    .poll(async () => (await site.calls('ui_render')).at(-1)?.event['context'])
    .toMatchObject({ theme: 'dark' });
  await page.reload();
  expect(await page.evaluate(() => getComputedStyle(document.body).colorScheme)).toBe('dark');
  await page.getByRole('button', { name: 'Theme: dark' }).click();
  await page.getByRole('button', { name: 'Theme: system' }).waitFor();
});

it.each([390, 1024])('opens the table of contents above the text at %i px', async (width) => {
  page = await site.open('writing', { width });
  const link = page.locator('.site-toc').getByRole('link', { name: 'Links' });
  expect(await link.isVisible()).toBe(false);
  await page.getByText('On this page').click();
  await link.click();
  await link.waitFor({ state: 'hidden' });
  const { y = 0 } = (await page.getByRole('heading', { name: 'Links' }).boundingBox()) ?? {};
  expect(y).toBeGreaterThan(100);
});

it('lists the existing pages at an unknown URL', async () => {
  page = await site.open('no-such-page');
  const main = page.getByRole('main');
  await main.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(await main.getByRole('listitem').allInnerTexts()).toEqual([
    'Start',
    'Events from readers',
    'Writing pages',
  ]);
  await page.locator('.visitor').getByText('Anonymous', { exact: true }).waitFor();
});

it('shows why a block fails only with the site key, and runs it again', async () => {
  const { platform } = site;
  let working = '';
  onTestFinished(() => platform.edit('src/poll.tsx', () => working));
  platform.edit('src/poll.tsx', (text) =>
    (working = text).replace(/async render\([^)]*\) \{/, "$&\n    throw new Error('No votes today');"),
  );
  await expect.poll(async () => (await fetch(`${platform.siteOrigin}/`)).text()).toContain('can’t be shown');
  page = await site.open('', { key: '' });
  await poll().getByText('This part of the page can’t be shown right now.').waitFor();
  expect(await page.content()).not.toMatch(/No votes today|src\/poll/);
  await page.context().close();

  page = await site.open();
  await poll().getByText('Error: No votes today').waitFor();
  await poll()
    .getByText(/^src\/poll.tsx:\d+/)
    .waitFor();
  const opened = page.context().waitForEvent('page');
  await poll().getByRole('button', { name: 'Open call' }).click();
  expect((await opened).url()).toMatch(/\/console\/calls\/call_/);
  const before = (await site.calls('ui_render')).length;
  await poll().getByRole('button', { name: 'Run again' }).click();
  await expect.poll(async () => (await site.calls('ui_render')).length).toBeGreaterThan(before);
  platform.edit('src/poll.tsx', () => working);
  await poll().getByRole('button', { name: 'Vote' }).waitFor();
});

it('shows warnings about the markup only with the site key, below the block', async () => {
  const { platform } = site;
  let working = '';
  onTestFinished(() => platform.edit('src/poll.tsx', () => working));
  platform.edit('src/poll.tsx', (text) =>
    (working = text).replace('<text style', '<divider size="large" /><text size="big" style'),
  );
  page = await site.open('', { key: '' });
  await expect.poll(async () => (await page.reload(), page.content())).toContain('has no property');
  const note = () => poll().getByRole('note', { name: 'Unknown markup' });
  expect(await note().count()).toBe(0);
  await page.context().close();
  page = await site.open();
  await note().getByText('<text> has no property "size"').waitFor();
  const divider = poll().locator('.m-divider');
  expect(await divider.evaluate((line) => getComputedStyle(line).marginTop)).toBe('14px');
  const opened = page.context().waitForEvent('page');
  await poll().getByRole('button', { name: 'Open call' }).click();
  expect((await opened).url()).toContain('/console/calls/call_');
});

it('keeps the place of a block that loads, and says when it is refreshed', async () => {
  page = await site.open();
  const island = poll().locator('.component');
  await poll().getByText('Yes', { exact: true }).waitFor();
  const { height = 0 } = (await island.boundingBox()) ?? {};
  const key = await page.evaluate(() =>
    Object.keys(sessionStorage).find((one) => /^height .*poll$/.test(one)),
  );
  expect(await page.evaluate((key = '') => Number(sessionStorage.getItem(key)), key)).toBeCloseTo(height, -1);
  site.platform.edit('src/poll.tsx', (text) => text.replace('vote from', 'a vote from'));
  await page.locator('[data-block=poll].refreshed').waitFor();
});

it('moves nothing while an action runs, keeps the focus, and says that it works', async () => {
  page = await site.open();
  const vote = poll().getByRole('button', { name: 'Vote', exact: true });
  const places = (): Promise<string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll('.m-button, .site-block, .site-main h2')].map((element) =>
        JSON.stringify(element.getBoundingClientRect()),
      ),
    );
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/~/render', async (route) => {
    await answered;
    await route.continue();
  });
  await vote.focus();
  const before = await places();
  await page.keyboard.press('Enter');
  await poll().getByText('Working…').waitFor();
  expect(await vote.getAttribute('aria-busy')).toBe('true');
  expect(await places()).toEqual(before);
  // The action is not sent again while it runs.
  await page.keyboard.press('Enter');
  answer();
  await poll().getByRole('status').getByText('Updated').waitFor({ state: 'attached' });
  await poll().getByText('1 vote', { exact: true }).waitFor();
  expect(await vote.evaluate((button) => button === document.activeElement)).toBe(true);
});

it('says that the platform does not respond, and continues when it does', async () => {
  page = await site.open('nowhere');
  await page.route('**/~/follow', (route) => route.abort());
  await page.goto(`${site.platform.siteOrigin}/`);
  const banner = page.getByRole('alert').filter({ hasText: 'platform open site' });
  await banner.waitFor();
  await page.unroute('**/~/follow');
  await banner.waitFor({ state: 'hidden' });
  await poll().getByRole('button', { name: 'Vote' }).waitFor();
});

it.each([
  [390, 'light'],
  [1440, 'dark'],
] as const)(
  'passes the axe checks and cuts off no content at %i px in the %s theme',
  async (width, theme) => {
    for (const path of ['', 'writing', 'nowhere']) {
      page = await site.open(path, { width, theme });
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      if (path !== 'nowhere') await page.context().close();
    }
  },
);

it('shows the list of pages in a menu on a small screen', async () => {
  page = await site.open('', { width: 390 });
  const link = page.locator('#navigation').getByText('Writing pages');
  expect(await link.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  await link.waitFor();
  await page.keyboard.press('Escape');
  await link.waitFor({ state: 'hidden' });
});

const incident = () => page.locator('[data-block=incident]');

it('sends text typed into a block to the script with the next action', async () => {
  page = await site.open();
  await incident().getByRole('textbox', { name: 'Note' }).click();
  await page.keyboard.type('Search is back.');
  await incident().getByRole('button', { name: 'Acknowledge (0)' }).click();
  await incident().getByRole('button', { name: 'Acknowledge (1)' }).waitFor();
  const sent = (await site.calls('ui_render')).find(
    ({ event }) => (event['action'] as { action?: string } | undefined)?.action === 'acknowledge',
  );
  expect(sent?.event).toMatchObject({ componentId: 'incident', state: { note: 'Search is back.' } });
});

it("returns a modal's value to the block that opened the modal", async () => {
  page = await site.open();
  await incident().getByRole('button', { name: 'Details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Details' });
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Searches are fast');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await incident().getByText('Searches are fast').waitFor();
});

it('passes data to a webframe, and handles the actions that the webframe triggers in its block', async () => {
  page = await site.open();
  const frame = poll().frameLocator('.m-webframe iframe');
  await frame.getByText('{}').waitFor();
  await poll().getByText('Yes', { exact: true }).click();
  await frame.getByText('{"answer":"yes"}').waitFor();
  await frame.getByRole('button', { name: 'Vote from the frame' }).click();
  await poll().getByText('1 vote').waitFor();
});

it('explains a webframe whose scripts are out of reach', async () => {
  page = await site.open('events');
  const html = '<script type="module" src="https://scripts.example/frame.js"></script>';
  await page.route('**/frame', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto(`${site.platform.siteOrigin}/`);
  await poll().getByText('This page has not sent @webframe.ready').waitFor();
});

it('makes a picture of a block with an installed browser', async () => {
  const { folder } = site.platform;
  const { code, stderr } = await runPlatform(['render', 'poll', '--screenshot', 'poll.png'], {
    cwd: folder,
    env: { CHROME_PATH: chromiumPath() },
    limitMs: 60_000,
  });
  expect([code, stderr]).toEqual([0, expect.stringContaining('Wrote poll.png')]);
  expect(readImageInfo(join(folder, 'poll.png'))).toMatchObject({ width: 1600, height: 800 });
});
