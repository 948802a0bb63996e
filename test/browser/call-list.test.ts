import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console', ['--state', 'memory']);
let page: Page;
afterEach(() => page.context().close());

const rows = () => page.getByRole('listbox', { name: /Calls, newest first/ }).getByRole('option');

it("shows a call's problem in its row, whatever the call's status, and marks replayed calls", async () => {
  const { platform } = console_;
  page = await console_.open('calls');
  await fetch(`${platform.endpoint}/later`);
  await page.getByRole('option', { name: /^GET \/later .* 200/ }).waitFor();
  // The list receives late failures after the call has ended.
  await page
    .getByRole('option', { name: /^Error GET \/later waitUntil failed: Error: Too late. .* 200/ })
    .waitFor();
  const [failed] = await platform.api<{ id: string }[]>('GET', '/calls?path=/later&limit=1');
  await platform.api('POST', `/calls/${failed?.id}/replay`);
  await page.getByRole('option', { name: /^Error Replay GET \/later/ }).waitFor();

  // On a phone, the problem has a line of its own.
  for (const [width, rowHeight] of [
    [390, 44],
    [900, 32],
    [1440, 32],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    const heights = await rows().evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect([...new Set(heights)]).toEqual([rowHeight]);
    const times = await page
      .locator('.entry-time')
      .evaluateAll((all) =>
        all.map((time) => [time.getBoundingClientRect().left, time.scrollWidth > time.clientWidth]),
      );
    expect(new Set(times.map(String)).size).toBe(1);
    expect(times[0]?.[1]).toBe(false);
  }
});

it('does not move the call list when new calls arrive', async () => {
  const { platform } = console_;
  // More calls than fit, because a short list cannot scroll.
  for (let i = 0; i < 40; i += 1) await fetch(`${platform.endpoint}/bytes`);
  page = await console_.open('calls');
  await rows().nth(2).click();
  const selected = page.getByRole('option', { selected: true });
  const top = async (): Promise<number | undefined> => (await selected.boundingBox())?.y;
  await selected.waitFor();
  const before = await top();
  for (let i = 0; i < 40; i += 1) await fetch(`${platform.endpoint}/bytes?new=${i}`);
  await page.getByRole('button', { name: '40 new' }).waitFor();
  expect(await top()).toBe(before);
  await page.getByRole('button', { name: '40 new' }).click();
  await rows().first().getByText('GET /bytes?new=39').waitFor();
  await page.getByRole('button', { name: '40 new' }).waitFor({ state: 'detached' });
});

it('groups calls by the script version that handled them, and keeps the group heading in view', async () => {
  const { platform } = console_;
  page = await console_.open('calls');
  const groups = page.getByRole('listbox').getByRole('group');
  const name = (): Promise<string | null> => groups.first().getAttribute('aria-label');
  for (let i = 0; i < 30; i += 1) await fetch(`${platform.endpoint}/bytes?old=${i}`);
  await groups.first().getByText('GET /bytes?old=29').waitFor();
  const before = await name();
  expect(before).toMatch(/^Version \d+, current, saved at /);
  const [version = ''] = before?.split(',') ?? [];
  platform.edit('src/index.tsx', (text) => `console.debug('grouped');\n${text}`);
  await page.getByRole('group', { name: version, exact: true }).waitFor();
  await fetch(`${platform.endpoint}/bytes?next`);
  await groups.first().getByText('GET /bytes?next').waitFor();
  expect(await name()).not.toBe(before);
  expect(await name()).toContain('current');
  expect(await groups.nth(1).getAttribute('aria-label')).toBe(version);

  const list = page.getByRole('listbox');
  const atTop = () =>
    list.evaluate((element) => {
      const { x, y } = element.getBoundingClientRect();
      return document
        .elementFromPoint(x + 20, y + 12)
        ?.closest('.group-heading')
        ?.textContent?.trim();
    });
  expect(await atTop()).toContain('current');
  await list.evaluate((element) => element.scrollTo(0, 600));
  await expect.poll(atTop).toBe(version);
});

it('copies the file and line of a failure if no editor is set', async () => {
  const { platform } = console_;
  await fetch(`${platform.endpoint}/fail`);
  const [failed] = await platform.api<{ id: string }[]>('GET', '/calls?path=/fail&limit=1');
  page = await console_.open(`calls/${failed?.id}`);
  const place = page.getByRole('note', { name: 'Error' }).getByRole('button', { name: /^src\/index/ });
  await place.click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await place.innerText());
});

it('marks calls that only render blocks, and does not count their problems', async () => {
  const { platform } = console_;
  await platform.api('POST', '/blocks', { component: 'incident', props: {} });
  const counted = async () =>
    (await platform.api<{ errors: { all: number } }>('GET', '/calls/problems')).errors.all;
  const before = await counted();
  page = await console_.open('blocks');
  await page.locator('.m-block').first().waitFor();
  const [shown] = await platform.api<{ id: string; cause?: object }[]>(
    'GET',
    '/calls?type=ui_render&limit=1',
  );
  expect(shown?.cause).toEqual({ type: 'display' });
  expect(await counted()).toBe(before);
  await console_.visit(page, `calls/${shown?.id}`);
  await page.getByRole('article').getByText('The console, to show the block').waitFor();
  await page.getByRole('option', { name: /^Shown by the console/ }).waitFor();
});

it("shows every call's full title in the list while a call is open", async () => {
  const { platform } = console_;
  for (const type of ['space_content_updated', 'site_installation_setup', 'space_installation_setup'])
    await platform.api('POST', '/events', { type });
  await platform.api('POST', '/events', {
    type: 'page_feedback',
    event: { feedback: { rating: 'bad', comment: 'boom' } },
  });
  page = await console_.open('calls');
  for (const width of [900, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await rows().first().click();
    await page.getByRole('article').waitFor();
    const titles = await rows()
      .locator('.entry-title')
      .evaluateAll((all) => all.map((one) => [one.textContent, one.scrollWidth <= one.clientWidth] as const));
    const shown = titles.filter(([title]) => title !== null && /^(page|site|space)_/.test(title));
    expect(shown.length).toBeGreaterThanOrEqual(4);
    expect(shown.filter(([, isWhole]) => !isWhole)).toEqual([]);
  }
});

it('pauses the call list with one key and clears it with another', async () => {
  const { platform } = console_;
  page = await console_.open('calls');
  await rows().first().waitFor();
  await page.keyboard.press('p');
  await fetch(`${platform.endpoint}/status?paused`);
  await page.getByText(/paused, 1 new$/).waitFor();
  expect(await rows().filter({ hasText: '?paused' }).count()).toBe(0);
  await page.keyboard.press('p');
  await rows().filter({ hasText: '?paused' }).waitFor();

  await page.keyboard.press('x');
  await page.getByText('No calls match the filters.').waitFor();
  await fetch(`${platform.endpoint}/status?cleared`);
  await expect.poll(() => rows().count()).toBe(1);
  await page.getByRole('button', { name: 'Reset filters' }).click();
  await expect.poll(() => rows().count()).toBeGreaterThan(1);
});
