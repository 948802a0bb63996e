import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console', ['--state', 'memory', '--typecheck'], async (folder) => {
  const manifest = join(folder, 'platform-manifest.yaml');
  const blocks = readFileSync(manifest, 'utf8').replace(
    'blocks:',
    'blocks:\n  - id: polls\n    title: Polls',
  );
  writeFileSync(manifest, blocks);
});
let page: Page;
afterEach(() => page.context().close());

const unknown = () => page.getByRole('note', { name: 'Unknown markup' });

it.each(['light', 'dark'] as const)(
  'reports unknown markup at its block and call (%s theme)',
  async (theme) => {
    const { platform } = console_;
    const { id } = await platform.api<{ id: string }>('POST', '/blocks', {
      component: 'elements',
      space: 'space_local',
      props: {},
    });
    page = await console_.open('blocks', { theme });
    await unknown().getByText('hologram').waitFor();
    const [warning, block] = await Promise.all([
      unknown().boundingBox(),
      page.locator('.m-block').boundingBox(),
    ]);
    expect(block?.y).toBeGreaterThan((warning?.y ?? NaN) + (warning?.height ?? NaN));
    await console_.visit(page, 'calls');
    const entries = page.getByRole('listbox', { name: /Calls, newest first/ }).getByRole('option');
    await entries.filter({ hasText: 'Component elements: <hologram>' }).first().click();
    await unknown().getByText('hologram').waitFor();
    await platform.api('DELETE', `/blocks/${id}`);
  },
);

it('reports a block without a component at startup', async () => {
  page = await console_.open();
  const build = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Build' }) });
  await build.getByText('The script has no component polls.').waitFor();
  expect(await build.getByText('Did you mean "poll"?').count()).toBe(1);
});

it('shows why types are not checked, and how to enable the check', async () => {
  page = await console_.open();
  const now = page.getByRole('region', { name: 'Now' });
  await now.getByText('Types are not checked', { exact: true }).waitFor();
  await now
    .getByText(/^TypeScript is not installed in this project\. Install it with: npm install/)
    .waitFor();
});

it('numbers the lines of editable code and shows a placeholder for a missing image', async () => {
  await console_.platform.api('POST', '/blocks', { component: 'elements', props: {} });
  page = await console_.open('blocks');
  const block = page.locator('.paper');
  expect(await block.locator('.m-code-gutter').innerText()).toBe('7\n8\n9');
  const edited = block.locator('.m-code-gutter + .m-code-edit');
  await edited.fill('one\ntwo\nthree\nfour');
  await expect.poll(() => block.locator('.m-code-gutter').innerText()).toBe('7\n8\n9\n10');
  await edited.scrollIntoViewIfNeeded();
  await block.getByText(/Image not found: .*no-such-picture[.]png/).waitFor();
});

it('keeps code left to right on a right-to-left page', async () => {
  await console_.platform.api('POST', '/blocks', { component: 'elements', props: {} });
  page = await console_.open('blocks');
  const code = page.locator('.paper .m-code');
  await code.first().waitFor();
  await page.getByRole('button', { name: 'RTL' }).click();
  await page.locator('.paper[dir=rtl]').waitFor();
  const directions = await code
    .locator('.code, .m-code-gutter, .m-code-edit')
    .evaluateAll((all) => all.map((element) => getComputedStyle(element).direction));
  expect(directions.length).toBeGreaterThanOrEqual(3);
  expect(new Set(directions)).toEqual(new Set(['ltr']));
});
