import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startDevPlatform, type DevPlatform } from '../support/dev-platform.js';
import { freePort } from '../support/free-port.js';
import { launchPlainBrowser } from '../support/plain-browser.js';

let platform: DevPlatform;
let chromium: { browser: Browser; close(): Promise<void> };
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [platform, chromium] = await Promise.all([startDevPlatform('console'), launchPlainBrowser()]);
}, 60_000);
afterAll(async () => {
  await chromium.close();
  await platform.close();
});
beforeEach(async () => {
  context = await chromium.browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
});
afterEach(() => context.close());

const link = (path = ''): string => `${platform.consoleOrigin}/${path}#key=${platform.key}`;
const isLive = (tab: Page): Promise<void> => tab.getByText('Live', { exact: true }).waitFor();
const newTab = async (open: () => Promise<void>): Promise<Page> => {
  const [tab] = await Promise.all([context.waitForEvent('page'), open()]);
  return tab;
};

it('removes the console key from the URL, and still works after a page reload', async () => {
  await page.goto(link('console/calls'));
  await isLive(page);
  expect(page.url()).toBe(`${platform.consoleOrigin}/console/calls`);
  await page.reload();
  await isLive(page);
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(platform.key);
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

it.each<[string, () => Promise<void>]>([
  ['the button in the console', () => page.getByRole('button', { name: 'Open in a new tab' }).click()],
  ['Ctrl-click', () => page.getByRole('link', { name: 'Webhooks' }).click({ modifiers: ['ControlOrMeta'] })],
  ['a middle click', () => page.getByRole('link', { name: 'Webhooks' }).click({ button: 'middle' })],
])('passes the console key to a second tab opened with %s', async (_, open) => {
  await page.goto(link());
  await isLive(page);
  const tab = await newTab(open);
  await isLive(tab);
  expect(await tab.evaluate(() => window.opener as unknown)).toBeNull();
});

it('reads the console key from a link that is opened in an existing tab', async () => {
  await page.goto(link('console/calls'));
  await isLive(page);
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(link('console/calls'));
  await isLive(page);
  expect(page.url()).toBe(`${platform.consoleOrigin}/console/calls`);
});

it.each(['light', 'dark'] as const)(
  'explains where to find the link, then opens the view (%s)',
  async (theme) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(`${platform.consoleOrigin}/console/webhooks`);
    await page.getByRole('heading', { name: 'Open the console with its link' }).waitFor();
    await page.getByText('With --print, it prints the link').waitFor();
    const field = page.getByLabel('Link from the terminal');
    await field.fill('https://example.com/#key=abc');
    await field.press('Enter');
    await page.getByText("This isn't a console link.").waitFor();
    // Wrapped like in a terminal.
    await field.fill(link().replace('#key=', '#ke y='));
    await page.getByRole('button', { name: 'Continue' }).click();
    await isLive(page);
    expect(page.url()).toBe(`${platform.consoleOrigin}/console/webhooks`);
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  },
);

it('reports that the session has ended if the console key is outdated', async () => {
  await page.goto(`${platform.consoleOrigin}/console/calls#key=of-an-earlier-start`);
  await page.getByRole('heading', { name: 'This session has ended' }).waitFor();
  expect(page.url()).toBe(`${platform.consoleOrigin}/console/calls`);
  expect(await page.evaluate(() => sessionStorage.length)).toBeLessThan(2);
});

it('reports the end of the session at once, and takes the tab with its drafts to the next session', async () => {
  await page.goto(link('console/blocks'));
  await isLive(page);
  await page.keyboard.press('t');
  await page.getByRole('button', { name: 'RTL' }).click();
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await page.getByLabel('Workspace').fill('half a name');
  await expect
    .poll(async () => JSON.stringify(await platform.api('GET', '/preferences')))
    .toContain('half a name');
  await platform.kill();

  const notice = page.getByRole('alert', { name: 'This session has ended' });
  await notice.getByText(/^platform dev of Harbor Status stopped at \d\d:\d\d:\d\d\./).waitFor();
  await notice.getByRole('button', { name: 'Copy: npx platform dev' }).waitFor();
  await page.getByText('Offline', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Keyboard shortcuts (?)' }).click();
  const dialog = page.getByRole('dialog', { name: 'Keyboard' });
  await dialog.getByRole('alert').getByRole('button', { name: 'Copy: npx platform dev' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  // The page's content can still be read and copied.
  expect(await page.getByLabel('Workspace').inputValue()).toBe('half a name');
  await page.setViewportSize({ width: 390, height: 844 });
  expect((await notice.boundingBox())?.height).toBeLessThan(844 / 3);
  await notice.getByText('Or paste a link').click();
  await notice.getByLabel('Link from the terminal').waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(() => delete document.documentElement.dataset.theme);

  // Input made while the platform is stopped is carried over.
  await page.getByLabel('Workspace').fill('typed while away');
  await page.getByLabel('Region').selectOption('us-east');
  await page.getByText('Not saved: this session has ended.').nth(1).waitFor();
  await page.getByRole('link', { name: 'Blocks' }).click();
  await page.getByRole('link', { name: 'Configuration' }).click();
  expect(await page.getByLabel('Workspace').inputValue()).toBe('typed while away');

  await platform.restart();
  await isLive(page);
  expect(page.url()).toBe(`${platform.consoleOrigin}/console/configuration`);
  expect(await page.getByLabel('Workspace').inputValue()).toBe('typed while away');
  expect(await page.getByLabel('Region').inputValue()).toBe('us-east');
  const unsaved = page.locator('.property-unsaved');
  expect(await unsaved.allInnerTexts()).toHaveLength(2);
  await unsaved.getByRole('button', { name: 'Save' }).first().click();
  await unsaved.getByRole('button', { name: 'Save' }).last().click();
  await expect.poll(() => unsaved.count()).toBe(0);
  expect(await platform.api('GET', '/configuration?installation=installation_1')).toMatchObject({
    configuration: { workspace: 'typed while away', region: 'us-east' },
  });
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
  await page.getByRole('link', { name: 'Blocks' }).click();
  await page.locator('.paper[dir=rtl]').waitFor();
});

it('continues at the same address, but not while a dialog is open', async () => {
  const fixed = await startDevPlatform('console', [
    '--state',
    'memory',
    '--console-port',
    String(await freePort()),
  ]);
  try {
    await page.goto(`${fixed.consoleOrigin}/console/calls#key=${fixed.key}`);
    await isLive(page);
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard' });
    await dialog.waitFor();
    await fixed.restart();
    await dialog.getByRole('alert').waitFor();
    await page.waitForTimeout(1500);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await isLive(page);
    expect(page.url()).toBe(`${fixed.consoleOrigin}/console/calls`);
  } finally {
    await fixed.close();
  }
});
