import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console', ['--state', 'memory']);
let page: Page;
afterEach(() => page.context().close());

it('shows the marketplace page for the current manifest', async () => {
  page = await console_.open('listing');
  const market = page.getByRole('article', { name: 'Page in the marketplace' });
  await market.getByRole('heading', { name: 'Harbor Status' }).waitFor();
  await market.getByRole('cell', { name: '10 a month' }).waitFor();
  expect(await market.getByRole('link', { name: 'the guide' }).getAttribute('href')).toBe(
    'https://docs.example.com/harbor',
  );
  await market.getByText('Read the content of your spaces').waitFor();
  const preview = market.getByRole('img', { name: /Preview 1/ });
  await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1600);
  await market.getByRole('button', { name: 'Next image' }).click();
  await market.getByRole('img', { name: /Preview 2/ }).waitFor();

  console_.platform.edit('platform-manifest.yaml', (text) =>
    text.replace('title: Harbor Status', 'title: Harbor'),
  );
  await market.getByRole('heading', { name: 'Harbor', exact: true }).waitFor();
});

it('shows the problems found by publish-check with their positions and fixes, the most severe first', async () => {
  // A warning above the line of the error.
  console_.platform.edit('platform-manifest.yaml', (text) =>
    text.replace(/^externalLinks:\n(?: .*\n)+/m, ''),
  );
  page = await console_.open('listing');
  const findings = page.getByRole('complementary', { name: 'Problems' }).getByRole('listitem');
  const visibility = findings.filter({ hasText: 'publish/visibility' });
  await visibility.getByText('platform-manifest.yaml:22:13').waitFor();
  await visibility.getByText('Set "visibility: public"').waitFor();
  await page
    .getByRole('status')
    .filter({ hasText: /^1 error\d+ warnings$/ })
    .waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  expect((await visibility.boundingBox())?.y).toBeLessThan(200);
  await page.setViewportSize({ width: 1440, height: 900 });
  await findings.filter({ hasText: 'publish/external-links' }).waitFor();
  const found = (await findings.allInnerTexts()).map((text) => ({
    rank: ['Error', 'Warning', 'Info'].indexOf(/^\w+/.exec(text.trim())?.[0] ?? ''),
    files: text.match(/[\w./-]+\.(yaml|tsx):\d+/g)?.length,
  }));
  expect(new Set(found.map(({ rank }) => rank))).toEqual(new Set([0, 1]));
  expect(found.length).toBeGreaterThan(3);
  expect(found).toEqual(found.toSorted((a, b) => a.rank - b.rank));
  // Problems with the same fix are one entry.
  expect(Math.max(...found.map(({ files = 0 }) => files))).toBeGreaterThan(1);
  const checks = page.getByRole('complementary', { name: 'Checks' });
  expect(await page.getByText('publish/visibility').count()).toBe(1);
  await checks.getByText('publish/unique-name').waitFor();
  await checks.getByText(/\d+ passed/).click();
  await checks.getByText('68 characters.').waitFor();

  console_.platform.edit('platform-manifest.yaml', (text) =>
    text.replace('visibility: unlisted', 'visibility: public'),
  );
  await visibility.waitFor({ state: 'detached' });
});

it('begins with the errors and then the listing on a narrow screen, and can show the other problems', async () => {
  page = await console_.open();
  await page.setViewportSize({ width: 390, height: 844 });
  await console_.visit(page, 'listing');
  const problems = page.getByRole('complementary', { name: 'Problems' });
  const more = problems.getByText(/^\d+ more problems/);
  await more.waitFor();
  const market = page.getByRole('article', { name: 'Page in the marketplace' });
  expect((await market.boundingBox())?.y).toBeLessThan(500);
  expect(await problems.getByText('publish/placeholder-url').isVisible()).toBe(false);
  await more.press('Enter');
  await problems.getByText('publish/placeholder-url').waitFor();
});
