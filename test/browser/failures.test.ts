import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console', ['--state', 'memory'], async (folder) =>
  writeFile(join(folder, 'platform.dev.yaml'), 'editor: vscode\n'),
);
let page: Page;
afterEach(() => page.context().close());

async function rebuild(file: string, change: (text: string) => string): Promise<void> {
  const { platform } = console_;
  const version = async (): Promise<number> =>
    (await platform.api<{ version: number }>('GET', '/overview')).version;
  const before = await version();
  platform.edit(file, change);
  await expect.poll(version).toBeGreaterThan(before);
}

const newestCall = async (type: string): Promise<string> => {
  const calls = await console_.platform.api<{ id: string }[]>('GET', `/calls?type=${type}&limit=1`);
  return calls[0]?.id ?? '';
};

it('shows the code as it was when it failed, even if the file has changed since', async () => {
  const { platform } = console_;
  expect((await fetch(`${platform.endpoint}/fail`)).status).toBe(500);
  await rebuild('src/index.tsx', (text) => `// one\n// two\n// three\nconsole.debug('edited');\n${text}`);
  page = await console_.open();
  await page
    .getByRole('link', {
      name: "TypeError: Cannot read properties of undefined (reading 'code')",
      exact: true,
    })
    .click();
  const failure = page.getByRole('article');
  const link = failure.getByRole('note').getByRole('link', { name: /^src\/index\.tsx:\d+:\d+$/ });
  const place = await link.innerText();
  expect(await link.getAttribute('href')).toMatch(new RegExp(`^vscode://file/.+/${place}$`));
  await expect
    .poll(() => failure.locator('.code-line.marked').innerText())
    .toContain('new Response(null, { status: status.code })');
  expect(await failure.locator('.code-error').allInnerTexts()).toEqual(['code']);
});

it('wraps long source lines, so that the error is visible in a narrow window', async () => {
  const { platform } = console_;
  await rebuild('src/index.tsx', (text) =>
    text.replace('new Response(null, { status:', `[${'0, '.repeat(80)}] && new Response(null, { status:`),
  );
  expect((await fetch(`${platform.endpoint}/fail`)).status).toBe(500);
  page = await console_.open(`calls/${await newestCall('fetch')}`);
  await page.setViewportSize({ width: 390, height: 844 });
  const error = page.locator('.code-error').first();
  await error.waitFor();
  const { hidden, number, left, right } = await error.evaluate((element) => {
    const code = element.closest('pre');
    const { left, right } = element.getBoundingClientRect();
    return {
      hidden: (code?.scrollWidth ?? 0) - (code?.clientWidth ?? 0),
      number: code?.querySelector('.code-number')?.getBoundingClientRect().right ?? 0,
      left,
      right,
    };
  });
  expect(hidden).toBe(0);
  expect(left).toBeGreaterThanOrEqual(number);
  expect(right).toBeLessThanOrEqual(390);
});

it('shows the line at which a configuration component throws', async () => {
  const render = '  async render() {\n    return (';
  await rebuild('src/space-settings.tsx', (text) =>
    text
      .replace(render, `  async render() {\n    if (channels) throw new Error('no layouts');\n    return (`)
      .concat('\nconst channels = true;\n'),
  );
  page = await console_.open('installations/installation_1/spaces/space_local');
  const alert = page.getByRole('alert').filter({ hasText: 'Error: no layouts' });
  await alert.getByText(/^src\/space-settings\.tsx:\d+:\d+$/).waitFor();
});

it('shows setup events under Configuration regardless of the call filters', async () => {
  const { platform } = console_;
  await rebuild('src/index.tsx', (text) =>
    text.replace('console.info(`setup: ${event.status}`)', 'Promise.reject(new Error(event.status))'),
  );
  page = await console_.open('calls?type=fetch');
  await platform.api('PATCH', '/configuration', { set: { workspace: 'docs' } });
  await page.getByRole('link', { name: 'Configuration', exact: true }).click();
  const setup = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Setup events' }) });
  await setup.getByText('500 failed').first().click();
  await page.getByRole('note', { name: 'Error' }).getByText('Error: pending').waitFor();
});

it('shows a warning on a call that needs a scope the manifest does not request', async () => {
  const { platform } = console_;
  await rebuild('platform-manifest.yaml', (text) => text.replace('  - space:content:read\n', ''));
  await platform.api('POST', '/events', { type: 'space_content_updated' });
  page = await console_.open(`calls/${await newestCall('space_content_updated')}`);
  await page.getByRole('note', { name: 'Warning' }).getByText('space:content:read').waitFor();
});

it('shows a banner for a broken manifest in every view until the manifest is fixed', async () => {
  const { platform } = console_;
  page = await console_.open('calls');
  const change = (from: string, to: string): void =>
    platform.edit('platform-manifest.yaml', (text) => text.replace(from, to));
  change('visibility: unlisted', 'visibility: hidden');
  const banner = page.getByRole('alert', { name: 'Broken build' });
  for (const view of ['Configuration', 'Blocks', 'Calls', 'Webhooks', 'Listing']) {
    await page.getByRole('link', { name: view, exact: true }).click();
    await banner.getByText('The manifest has errors.').waitFor();
    await banner.getByText(/^platform-manifest\.yaml:\d+:\d+$/).waitFor();
    await banner.getByRole('region', { name: 'Source of platform-manifest.yaml' }).waitFor();
  }
  change('visibility: hidden', 'visibility: unlisted');
  await banner.waitFor({ state: 'hidden' });
});

it('distinguishes a load failure from a build failure in the banner', async () => {
  const { platform } = console_;
  page = await console_.open('calls');
  const banner = page.getByRole('alert', { name: 'Broken build' });
  platform.edit('src/index.tsx', (text) => `throw new Error('not today');\n${text}`);
  await banner.getByText('The last save fails to load.').waitFor();
  await banner.getByText('Error: not today').first().waitFor();
  platform.edit('src/index.tsx', (text) => text.replace("throw new Error('not today');\n", ''));
  await banner.waitFor({ state: 'hidden' });
});
