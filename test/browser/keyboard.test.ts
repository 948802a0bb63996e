import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console', ['--state', 'memory']);
let page: Page;
afterEach(() => page.context().close());

it('navigates through the whole console with only the keyboard', async () => {
  page = await console_.open();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  const outline = await page.evaluate(
    () => getComputedStyle(document.activeElement ?? document.body).outlineStyle,
  );
  expect(outline).toBe('solid');
  for (const [keys, heading] of [
    ['gc', 'Configuration'],
    ['gb', 'Blocks'],
    ['ga', 'Calls'],
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

it('sends an event and reads its result with only the keyboard', async () => {
  page = await console_.open();
  const label = (): Promise<string | null | undefined> =>
    page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent);
  const tabTo = async (wanted: RegExp): Promise<void> => {
    for (let i = 0; i < 30 && !wanted.test((await label()) ?? ''); i += 1) await page.keyboard.press('Tab');
  };
  for (const key of ['g', 'a']) await page.keyboard.press(key);
  await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor();
  await page.keyboard.press('n');
  const composer = page.getByRole('region', { name: 'Send an event' });
  await composer.getByLabel('Target').waitFor();
  await tabTo(/^Type/);
  await page.keyboard.type('page_feedback');
  await tabTo(/^comment/);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('without a mouse');
  await page.keyboard.press('Enter');
  await composer.getByRole('link', { name: 'Open the call' }).press('Enter');
  const detail = page.getByRole('article', { name: 'page_feedback' });
  await detail.getByText('"without a mouse"').waitFor();
  await page.keyboard.press('j');
  await detail.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByRole('article').waitFor({ state: 'detached' });
});

it('finds views, calls, events, installations and actions with Ctrl+K', async () => {
  const { platform } = console_;
  await fetch(`${platform.endpoint}/status`);
  page = await console_.open();
  const palette = page.getByRole('dialog', { name: 'Find' });
  const find = async (text: string, option: RegExp): Promise<void> => {
    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').fill(text);
    await palette.getByRole('option', { name: option }).first().waitFor();
    await page.keyboard.press('Enter');
    await palette.waitFor({ state: 'detached' });
  };
  await find('webhooks', /^View Webhooks/);
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await find('page_feedback', /^Event Send page_feedback/);
  const composer = page.getByRole('region', { name: 'Send an event' });
  expect(await composer.getByLabel('Type', { exact: true }).inputValue()).toBe('page_feedback');
  await find('site_view', /^Event Send site_view/);
  await expect.poll(() => composer.getByLabel('Type', { exact: true }).inputValue()).toBe('site_view');
  const [call] = await platform.api<{ id: string }[]>('GET', '/calls?type=fetch');
  await find(call?.id ?? '', new RegExp(`^Call GET /status ${call?.id} .*200`));
  await page.getByRole('article', { name: 'GET /status' }).waitFor();
  for (let n = 0; n < 8; n += 1) await fetch(`${platform.endpoint}/status?of=many`);
  await find('of=many', /^Call GET \/status\?of=many /);
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('of=many');
  await palette.getByRole('option', { name: 'Calls Show all 8 calls with “of=many”' }).click();
  await expect.poll(() => new URL(page.url()).search).toContain('of%3Dmany');
  await fetch(`${platform.endpoint}/fail`);
  await find('open failed', /^Action Open the latest failed call$/);
  await page.getByRole('article', { name: 'GET /fail' }).waitFor();
  const block = await platform.api<{ id: string }>('POST', '/blocks', { component: 'poll', props: {} });
  await find('block poll', /^Block .* poll$/);
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/console/blocks/${block.id}`);
  await find('property Channel', /^Property Channel Local organization$/);
  await page.getByRole('heading', { name: 'Configuration', level: 1 }).waitFor();
  await find('installation Local org', /^Installation /);
  await page.getByRole('heading', { name: 'Configuration', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('nothing is called this');
  await palette.getByText('Nothing found.').waitFor();
  await palette.getByRole('option', { name: /^Calls Search calls for “nothing is called this”/ }).waitFor();
  await page.keyboard.press('Enter');
  await palette.waitFor({ state: 'detached' });
  await expect.poll(() => new URL(page.url()).search).toContain('nothing');
});

it('replays, edits and switches tabs with the keys that the help lists', async () => {
  const { platform } = console_;
  await fetch(`${platform.endpoint}/later`);
  const [call] = await platform.api<{ id: string }[]>('GET', '/calls?type=fetch&path=/later');
  page = await console_.open(`calls/${call?.id}`);
  const detail = page.getByRole('article');
  await page.keyboard.press(']');
  await detail.getByRole('tab', { name: 'Request', selected: true }).waitFor();
  await page.keyboard.press('[');
  await detail.getByRole('tab', { name: 'Summary', selected: true }).waitFor();
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.keyboard.press('d');
  const scrolled = () => page.locator('.split-detail').evaluate((pane) => pane.scrollTop);
  expect(await scrolled()).toBe(0);
  await page.keyboard.press('PageDown');
  await expect.poll(scrolled).toBeGreaterThan(100);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard' });
  for (const what of [
    'Replay the call',
    'Edit and resend the call',
    'Next tab',
    'Close the call',
    'Find anything',
    'Close the composer',
    'Insert a block',
  ])
    await help.getByText(what, { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByText('Same response').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('e');
  await page.getByRole('region', { name: 'Send a request' }).waitFor();
});

it('reaches every control with Tab, and shows which control has focus', async () => {
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
