import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console', ['--state', 'memory', '--not-installed']);
let page: Page;
afterEach(() => page.context().close());

it('explains in each empty view what is missing and what to do next', async () => {
  page = await console_.open('listing');
  for (const [path, title, command] of [
    ['', 'Not installed'],
    ['configuration', 'Not installed'],
    ['blocks', 'Not installed'],
    ['calls', 'Nothing has happened yet', 'platform trigger '],
    ['webhooks', 'Not installed'],
  ] as const) {
    await console_.visit(page, path);
    await page.locator('.empty').filter({ hasText: title }).waitFor();
    if (command !== undefined) await page.getByRole('button', { name: `Copy: npx ${command}` }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBeGreaterThan(0);
  }
  await console_.visit(page, 'calls/call_unknown');
  await page.getByText('Call not found').waitFor();
});

it('renders the console before any data arrives, without claiming that lists are empty', async () => {
  page = await console_.open();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/console\/api\/(?!stream)/, async (route) => {
    await released;
    await route.continue().catch(() => {
      // The page that sent the request is closed.
    });
  });
  for (const path of ['configuration', 'blocks', 'calls', 'webhooks', 'listing', '']) {
    await page.goto(`${console_.platform.consoleOrigin}/console/${path}`);
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    await page.locator('main .loading').waitFor();
    expect(await page.locator('.empty').count()).toBe(0);
  }
  release();
  await page.getByText('Build up to date').waitFor();
  await expect.poll(() => page.locator('.loading').count()).toBe(0);
});

it('shows pages without claiming that the integration is installed, and installs it in the space', async () => {
  page = await console_.open('pages');
  const article = page.getByRole('article');
  await article.getByText('where you can try Harbor Status').waitFor();
  // The reason is given once, next to the button.
  expect(await page.getByText("isn't installed in this space").count()).toBe(1);
  await article.getByText('Incident block, not shown until the integration is installed here').waitFor();
  await page.getByLabel('Visibility').waitFor();
  await page.getByText('Visibility', { exact: true }).waitFor();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('navigation', { name: 'Pages' }).getByText('events', { exact: true }).waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  await page.getByText("isn't installed in this space").waitFor({ state: 'detached' });
  await article.getByRole('region', { name: 'Block Incident' }).waitFor();
});

it('installs the integration from each view that needs an installation', async () => {
  const { platform } = console_;
  for (const [path, name] of [
    ['blocks', 'Incident A live card for one incident'],
    ['configuration', 'Connect Harbor'],
    ['webhooks', 'Add an endpoint'],
  ] as const) {
    const installed = await platform.api<{ installations: { id: string }[] }>('GET', '/overview');
    for (const { id } of installed.installations) await platform.api('DELETE', `/installations/${id}`);
    page = await console_.open(path);
    await page.getByRole('button', { name: 'Install in Local space' }).click();
    await page.getByRole('button', { name }).waitFor();
    if (path !== 'webhooks') await page.context().close();
  }
});
