import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AxeResults } from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';
import { picture, settled, useConsole } from '../support/console-page.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const console_ = useConsole('console', ['--state', 'memory']);
let page: Page;
afterEach(() => page.context().close());

const views: [name: string, path: string][] = [
  ['overview', ''],
  ['configuration', 'configuration'],
  ['configuration-space', 'installations/installation_1/spaces/space_local'],
  ['blocks', 'blocks'],
  ['events', 'events'],
  ['webhooks', 'webhooks'],
  ['listing', 'listing'],
];

beforeAll(async () => {
  const { platform } = console_;
  for (const component of ['elements', 'incident'])
    await platform.api('POST', '/blocks', {
      component,
      space: 'space_local',
      props: { title: 'Slow search' },
    });
  await fetch(`${platform.endpoint}/status`);
  await fetch(`${platform.endpoint}/fail`);
  const [newest] = (await platform.api<{ id: string }[]>('GET', '/traffic')).slice(-1);
  const endpoint = await platform.api<{ id: string }>('POST', '/webhooks', {
    space: 'space_local',
    url: `${platform.endpoint}/hook`,
    events: ['space_content_updated'],
  });
  const delivery = await platform.api<{ id: string }>('POST', `/webhooks/${endpoint.id}/ping`);
  views.push(
    ['event', `events/${newest?.id}`],
    ['endpoint', `webhooks/endpoints/${endpoint.id}`],
    ['delivery', `webhooks/deliveries/${delivery.id}`],
  );
});

/** As a link of the console does: without a new page. */
async function go(path: string): Promise<void> {
  await page.evaluate(async (address) => {
    history.pushState(null, '', address);
    window.dispatchEvent(new PopStateEvent('popstate'));
    for (let i = 0; i < 2; i += 1) await new Promise(requestAnimationFrame);
  }, `/console/${path}`);
  await settled(page);
}

async function findings(session: CDPSession): Promise<string[]> {
  const { result } = await session.send('Runtime.evaluate', {
    expression:
      "axe.run(document, { iframes: false, resultTypes: ['violations'] }).then((results) => JSON.stringify(results.violations))",
    awaitPromise: true,
  });
  const violations = JSON.parse(String(result.value)) as AxeResults['violations'];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical' || impact === 'moderate')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
    );
}

/** What sticks out of the window, or of the card that it is in. */
const overflow = (): string[] => {
  const scrolls = (element: Element): boolean =>
    element.id !== 'main' && /auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX);
  const sticksOut = (element: Element): boolean => {
    const { width, right } = element.getBoundingClientRect();
    if (width === 0) return false;
    for (let around = element.parentElement; around; around = around.parentElement) {
      if (scrolls(around)) return false;
      if (around.matches('.card, .dialog') && right > around.getBoundingClientRect().right) return true;
    }
    return right > innerWidth;
  };
  return [...document.querySelectorAll('body *')]
    .filter(sticksOut)
    .map((element) => element.outerHTML.slice(0, 120));
};

describe.each(['light', 'dark'] as const)('in %s', (theme) => {
  it.each(['desk', 'phone'] as const)('every view is readable by everyone and fits a %s', async (size) => {
    page = await console_.open('', { size, theme });
    const session = await page.context().newCDPSession(page);
    // The page's policy lets no script in; the debugger may.
    await session.send('Runtime.evaluate', { expression: axe });
    const found: Record<string, string[]> = {};
    for (const [name, path] of views) {
      await go(path);
      await picture(page, `${name}-${size}-${theme}`);
      const problems = [...(await page.evaluate(overflow)), ...(await findings(session))];
      if (problems.length > 0) found[name] = problems;
    }
    expect(found).toEqual({});
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

it('sends an event and reads what came of it by keyboard alone', async () => {
  page = await console_.open();
  const label = (): Promise<string | null | undefined> =>
    page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent);
  const tabTo = async (wanted: RegExp): Promise<void> => {
    for (let i = 0; i < 30 && !wanted.test((await label()) ?? ''); i += 1) await page.keyboard.press('Tab');
  };
  for (const key of ['g', 'e']) await page.keyboard.press(key);
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('dialog', { name: 'Send an event' }).getByLabel('Where it happens').waitFor();
  await tabTo(/^Type/);
  await page.keyboard.type('page_feedback');
  await tabTo(/^comment/);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('without a mouse');
  await page.keyboard.press('Enter');
  const detail = page.getByRole('article', { name: 'page_feedback' });
  await detail.getByText('"without a mouse"').waitFor();
  await page.keyboard.press('j');
  await detail.waitFor({ state: 'detached' });
});

it('reaches every control with Tab, and shows where the focus is', async () => {
  page = await console_.open('configuration');
  const controls = page.locator('main').locator('a, input, select, textarea, button, [tabindex="0"]');
  const wanted = await controls.count();
  const unseen: string[] = [];
  let reached = 0;
  for (let i = 0; i < 60 && reached < wanted; i += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element?.closest('main')) return undefined;
      const frame = element.closest('.combobox-field') ?? element;
      return { what: element.outerHTML.slice(0, 100), outline: getComputedStyle(frame).outlineStyle };
    });
    if (!at) continue;
    reached += 1;
    if (at.outline !== 'solid') unseen.push(at.what);
  }
  expect(unseen).toEqual([]);
  expect(reached).toBe(wanted);
});
