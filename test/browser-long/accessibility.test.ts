import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { picture, useConsole } from '../support/console-page.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const console_ = useConsole('console', ['--state', 'memory']);
let page: Page;
afterEach(() => page.context().close());

let call = '';
let endpoint = '';
let delivery = '';
beforeAll(async () => {
  const { platform } = console_;
  for (const component of ['elements', 'incident'])
    await platform.api('POST', '/blocks', { component, space: 'space_local', props: {} });
  await fetch(`${platform.endpoint}/status`);
  await fetch(`${platform.endpoint}/fail`);
  const [newest] = (await platform.api<{ id: string }[]>('GET', '/traffic')).slice(-1);
  call = newest?.id ?? '';
  ({ id: endpoint } = await platform.api<{ id: string }>('POST', '/webhooks', {
    space: 'space_local',
    url: `${platform.endpoint}/hook`,
    events: ['space_content_updated'],
  }));
  ({ id: delivery } = await platform.api<{ id: string }>('POST', `/webhooks/${endpoint}/ping`));
});

const views = (): [name: string, path: string][] => [
  ['overview', ''],
  ['configuration', 'configuration'],
  ['blocks', 'blocks'],
  ['events', 'events'],
  ['event', `events/${call}`],
  ['webhooks', 'webhooks'],
  ['endpoint', `webhooks/endpoints/${endpoint}`],
  ['delivery', `webhooks/deliveries/${delivery}`],
  ['listing', 'listing'],
];

async function findings(): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  // The page's policy lets no script in; the debugger may.
  await session.send('Runtime.evaluate', { expression: axe });
  const { result } = await session.send('Runtime.evaluate', {
    expression: 'axe.run(document, { iframes: false }).then((results) => JSON.stringify(results.violations))',
    awaitPromise: true,
  });
  const violations = JSON.parse(String(result.value)) as AxeResults['violations'];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical' || impact === 'moderate')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
    );
}

describe.each(['light', 'dark'] as const)('in %s', (theme) => {
  describe.each(['desk', 'phone'] as const)('on a %s', (size) => {
    it.each([
      'overview',
      'configuration',
      'blocks',
      'events',
      'event',
      'webhooks',
      'endpoint',
      'delivery',
      'listing',
    ])('%s is readable by everyone and fits', async (name) => {
      const path = views().find(([one]) => one === name)?.[1];
      page = await console_.open(path, { size, theme });
      await page.waitForTimeout(700);
      await picture(page, `${name}-${size}-${theme}`);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
      expect(await findings()).toEqual([]);
    });
  });
});

it('is used by keyboard alone', async () => {
  page = await console_.open();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
  const outline = await page.evaluate(
    () => getComputedStyle(document.activeElement ?? document.body).outlineStyle,
  );
  expect(outline).toBe('solid');
  for (const [keys, heading] of [
    ['gc', 'Configuration'],
    ['gb', 'Blocks'],
    ['ge', 'Events'],
    ['gw', 'Webhooks'],
    ['gl', 'Listing'],
    ['go', 'Overview'],
  ] as const) {
    await page.keyboard.press(keys[0] ?? '');
    await page.keyboard.press(keys[1] ?? '');
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  }
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('t');
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
});
