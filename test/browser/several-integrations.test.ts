import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

const names = ['harbor', 'lighthouse'];

const console_ = useConsole('console', [...names, '--state', 'memory'], async (folder) => {
  const made = names.map((name) => join(folder, name));
  mkdirSync(made[0] ?? '');
  const script = join(folder, 'src/index.tsx');
  const later = "task: { type: 'sync' }, schedule: 3600,";
  writeFileSync(script, readFileSync(script, 'utf8').replace("task: { type: 'sync' },", later));
  for (const part of ['assets', 'src', 'platform-manifest.yaml'])
    renameSync(join(folder, part), join(made[0] ?? '', part));
  cpSync(made[0] ?? '', made[1] ?? '', { recursive: true });
  for (const [nth, name] of names.entries()) {
    const file = join(made[nth] ?? '', 'platform-manifest.yaml');
    const text = readFileSync(file, 'utf8').replace(
      /^name: .*\ntitle: .*$/m,
      `name: ${name}\ntitle: The ${name}`,
    );
    writeFileSync(file, text);
  }
});
let page: Page;
afterEach(() => page.context().close());

const facet = () => page.getByRole('main').getByLabel('Show only this integration');
const choose = (name: string) => facet().selectOption(name);
const optionsOf = async (): Promise<string[]> => facet().getByRole('option').allInnerTexts();

/** Calls the console API of one integration. */
async function send(name: string, path: string, body: object): Promise<void> {
  const { consoleOrigin, api } = console_.platform;
  const listed = await api<{ name: string; key: string }[]>('GET', '/integrations');
  const response = await fetch(`${consoleOrigin}/console/api${path}`, {
    method: 'POST',
    headers: {
      'X-Platform-Token': listed.find((one) => one.name === name)?.key ?? '',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${name} ${path}: ${await response.text()}`);
}

const call = (name: string, path: string): Promise<Response> =>
  fetch(`${console_.platform.origin}/v1/integrations/${name}/installations/installation_1${path}`);

/** `harbor` gets two of everything, and `lighthouse` one. */
beforeAll(async () => {
  const { origin, api } = console_.platform;
  const installed = async (): Promise<number> => {
    const { installations } = await api<{ installations: { spaces: unknown[] }[] }>('GET', '/overview');
    return installations.flatMap(({ spaces }) => spaces).length;
  };
  await vi.waitFor(async () => expect(await installed()).toBe(2), { timeout: 30_000 });
  for (const name of ['harbor', 'harbor', 'lighthouse']) {
    await call(name, `/sync?to=${origin}/nowhere`);
    await call(name, '/fail');
  }
  for (const name of names) {
    const events = ['space_content_updated'];
    await send(name, '/webhooks', { space: 'space_local', url: `${origin}/nowhere/${name}`, events });
  }
  for (const name of ['harbor', 'harbor', 'lighthouse'])
    await send(name, '/events', { type: 'space_content_updated' });
});

it('limits the failures and the calls of all integrations to one', async () => {
  page = await console_.open();
  // The failures, with the calls of each.
  const groups = page.getByRole('main').getByRole('listitem');
  await groups.getByText('harbor', { exact: true }).first().waitFor();
  await groups.getByText('lighthouse', { exact: true }).first().waitFor();
  await choose('lighthouse');
  await groups.getByText('harbor', { exact: true }).first().waitFor({ state: 'detached' });
  await groups.getByText('lighthouse', { exact: true }).first().waitFor();
  await page.getByRole('main').getByRole('link', { name: '1 call', exact: true }).first().click();
  expect(new URL(page.url()).searchParams.get('integration')).toBe('lighthouse');
  const rows = page.getByRole('listbox', { name: 'Calls, newest first' }).getByRole('option');
  await expect.poll(() => rows.count()).toBe(1);

  await console_.visit(page, 'calls?type=fetch');
  await expect.poll(() => rows.count()).toBe(6);
  await page
    .getByRole('button', { name: /Filter/ })
    .first()
    .click();
  await page.getByLabel('Integration', { exact: true }).last().selectOption('harbor');
  await expect.poll(() => rows.count()).toBe(4);
  await expect.poll(() => rows.getByText('lighthouse').count()).toBe(0);

  await page.getByLabel('Integration', { exact: true }).first().waitFor();
});

it('limits the tasks to one integration, also while they change', async () => {
  page = await console_.open('tasks');
  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  await heading('3 queued tasks');
  expect(await optionsOf()).toEqual(['All integrations', 'harbor (2)', 'lighthouse (1)']);
  await choose('lighthouse');
  await heading('1 queued task');
  await call('harbor', `/sync?to=${console_.platform.origin}/nowhere`);
  await expect.poll(optionsOf).toEqual(['All integrations', 'harbor (3)', 'lighthouse (1)']);
  await heading('1 queued task');
  const tasks = page.getByRole('main').getByRole('listitem');
  await tasks.getByText('· lighthouse').waitFor();
  expect(await tasks.getByText('· harbor').count()).toBe(0);
});

it('limits the endpoints and deliveries to one integration, also while they change', async () => {
  page = await console_.open('webhooks');
  const rows = page.getByRole('listbox', { name: 'Deliveries, newest first' }).getByRole('option');
  await expect.poll(() => rows.count()).toBe(3);
  expect(await optionsOf()).toEqual(['All integrations', 'harbor', 'lighthouse']);
  await choose('harbor');
  await expect.poll(() => rows.count()).toBe(2);
  await page
    .getByRole('listitem')
    .getByRole('link', { name: /^\/nowhere\/harbor/ })
    .waitFor();
  expect(await page.getByRole('link', { name: /nowhere\/lighthouse/ }).count()).toBe(0);
  await send('lighthouse', '/events', { type: 'space_content_updated' });
  await send('harbor', '/events', { type: 'space_content_updated' });
  await expect.poll(() => rows.count()).toBe(3);
  expect(await rows.getByText('lighthouse', { exact: true }).count()).toBe(0);
  await choose('');
  await expect.poll(() => rows.count()).toBe(5);
  // Both have a delivery with the same number.
  await rows.getByText('lighthouse', { exact: true }).last().click();
  await page.getByText('dlv_1@lighthouse').first().waitFor();
});

it('finds another integration by its name', async () => {
  page = await console_.open('tasks');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Find/ }).fill('The light');
  await page.keyboard.press('Enter');
  await page.getByText('The lighthouse').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/tasks');
  await page.getByRole('heading', { name: '1 queued task', exact: true }).waitFor();
  expect(await facet().count()).toBe(0);
});
