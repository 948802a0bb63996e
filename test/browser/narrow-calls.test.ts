import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console');
let page: Page;
afterEach(() => page.context().close());

const phone = { width: 390, height: 844 };
const rows = () => page.getByRole('option');

async function failedCall(): Promise<string> {
  const { platform } = console_;
  await fetch(`${platform.endpoint}/fail`);
  const [call] = await platform.api<{ id: string }[]>('GET', '/calls?path=/fail&limit=1');
  return call?.id ?? '';
}

it('shows why a call failed on a second line in a narrow list, and the line of code in each list', async () => {
  await failedCall();
  page = await console_.open('calls');
  const row = rows().filter({ hasText: 'GET /fail' }).first();
  await row.getByText(/^src\/index\.tsx:\d+$/).waitFor();
  const title = row.locator('.entry-title');
  const reason = row.getByText(/^TypeError: Cannot read/);
  expect((await reason.boundingBox())?.y).toBeLessThan(((await title.boundingBox())?.y ?? 0) + 8);

  await page.setViewportSize(phone);
  await expect
    .poll(async () => ((await reason.boundingBox())?.y ?? 0) - ((await title.boundingBox())?.y ?? 0))
    .toBeGreaterThan(12);
  expect((await reason.boundingBox())?.width).toBeGreaterThan(250);
  const line = await row.locator('.entry-at').boundingBox();
  expect(line?.y).toBeCloseTo((await reason.boundingBox())?.y ?? 0, 0);
  expect((line?.x ?? 0) + (line?.width ?? 0)).toBeLessThan(phone.width);
  expect(line?.width).toBeGreaterThan(70);
});

it('keeps the line of code beside a long path out of the next column', async () => {
  await fetch(`${console_.platform.endpoint}/fail?${'x'.repeat(200)}`);
  page = await console_.open('calls');
  await page.setViewportSize({ width: 1024, height: 800 });
  const row = rows().filter({ hasText: 'GET /fail?x' }).first();
  await row.getByText(/^src\/index\.tsx:\d+$/).waitFor();
  const line = await row.locator('.entry-at').boundingBox();
  const next = await row.locator('.entry-target').boundingBox();
  expect((line?.x ?? 0) + (line?.width ?? 0)).toBeLessThanOrEqual(next?.x ?? 0);
});

it('keeps the Reset filters button away from the Clear button', async () => {
  await failedCall();
  page = await console_.open('calls');
  await page.setViewportSize(phone);
  await page.getByRole('button', { name: 'Failed', exact: true }).click();
  const box = async (name: string) => {
    const found = await page.getByRole('button', { name, exact: true }).boundingBox();
    if (!found) throw new Error('Not shown');
    return found;
  };
  const [filters, reset, clear] = [await box('Filters'), await box('Reset filters'), await box('Clear')];
  expect(reset.x - filters.x - filters.width).toBeLessThan(20);
  expect(clear.x - reset.x - reset.width).toBeGreaterThan(60);
});

it('shows rarely used filters on request, or when one of them is set', async () => {
  page = await console_.open('calls');
  await page.setViewportSize(phone);
  await page.keyboard.press('f');
  const host = page.getByLabel('Outbound host');
  expect(await page.getByLabel('Status', { exact: true }).isVisible()).toBe(true);
  expect(await host.isVisible()).toBe(false);
  const statuses = page.getByLabel('Status', { exact: true }).getByRole('option');
  await expect.poll(() => statuses.allInnerTexts()).toContainEqual(expect.stringMatching(/^200 \(\d+\)$/));
  await page.getByRole('button', { name: 'More filters', expanded: false }).click();
  await host.fill('example');
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  expect(await host.inputValue()).toBe('example');
});

it('copies a call in several formats from a menu, and shows how many tabs do not fit', async () => {
  const { platform } = console_;
  await fetch(`${platform.endpoint}/status`);
  const [call] = await platform.api<{ id: string }[]>('GET', '/calls?path=/status&limit=1');
  page = await console_.open(`calls/${call?.id}`);
  const copy = page.getByRole('button', { name: 'Copy as curl' });
  const actions = page.getByRole('button', { name: 'Copy', exact: true });
  await actions.waitFor();
  await page.setViewportSize(phone);
  expect(await copy.isVisible()).toBe(false);
  await actions.click();
  expect(await copy.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  expect(await copy.isVisible()).toBe(false);
  await actions.click();
  await copy.click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('curl');
  expect(await copy.isVisible()).toBe(false);

  const more = page.getByRole('button', { name: /^Show \d more tabs?$/ });
  await more.click();
  await more.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Outbound' }).click();
  expect(new URL(page.url()).pathname).toMatch(/\/outbound$/);

  // A page that opens with the last tab selected shows this tab completely, although its count arrives later.
  await page.reload();
  const isWhole = (tab: Element): boolean => {
    const bar = tab.parentElement?.getBoundingClientRect();
    const box = tab.getBoundingClientRect();
    return bar !== undefined && box.left >= bar.left && box.right <= bar.right + 1;
  };
  await expect.poll(() => page.getByRole('tab', { selected: true }).evaluate(isWhole)).toBe(true);
  await expect.poll(() => more.count()).toBe(0);
});
