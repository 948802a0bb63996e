import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console', ['--state', 'memory']);
let page: Page;
afterEach(() => page.context().close());

const dialog = () => page.getByRole('dialog');
const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click();

it('records a call from its page, and explains why a recording could not be written', async () => {
  const { platform } = console_;
  await fetch(`${platform.endpoint}/status`);
  page = await console_.open('calls');
  await page
    .getByRole('option', { name: /GET \/status/ })
    .first()
    .click();
  await page.getByRole('article').getByRole('button', { name: 'Record' }).click();
  await expect.poll(() => dialog().getByRole('checkbox', { checked: true }).count()).toBe(1);
  const name = dialog().getByLabel('Name');
  await expect.poll(() => name.inputValue()).toMatch(/^get-status-\w{6}$/);
  await dialog()
    .getByText(`recordings/${await name.inputValue()}.json`, { exact: true })
    .waitFor();
  await name.fill('../outside');
  await press('Record 1 call');
  await dialog().getByRole('alert').getByText('"../outside" is not a valid name for a recording.').waitFor();
  await dialog().getByLabel('Name').fill('from-console');
  await press('Record 1 call');
  await dialog().getByRole('heading', { name: 'Recorded 1 call' }).waitFor();
  await dialog().getByText('platform replay recordings/from-console.json').waitFor();
  const read = () =>
    JSON.parse(readFileSync(join(platform.folder, 'recordings/from-console.json'), 'utf8')) as {
      calls: { name: string }[];
    };
  expect(read().calls.map(({ name }) => name)).toEqual(['GET /status']);
  await dialog().locator('.dialog-foot').getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Record' }).first().click();
  const ticks = dialog().getByRole('checkbox');
  await ticks.nth(1).check();
  await dialog().getByLabel('Name').fill('from-console');
  await press('Record 2 calls');
  await dialog().getByRole('alert').getByText('already exists').waitFor();
  expect(read().calls).toHaveLength(1);
  await press('Replace the file');
  await dialog().getByRole('heading', { name: 'Recorded 2 calls' }).waitFor();
  expect(read().calls).toHaveLength(2);
});

it('finds calls to record by search and by failure, and keeps the selected ones', async () => {
  const { platform } = console_;
  await fetch(`${platform.endpoint}/fail`);
  await fetch(`${platform.endpoint}/status?page=2`);
  page = await console_.open('calls');
  await page.getByRole('button', { name: 'Record' }).first().click();
  const calls = dialog().getByRole('group', { name: 'Calls' });
  await calls.getByLabel(/GET \/status\?page=2/).check();
  await dialog().getByRole('button', { name: 'Failed', exact: true }).click();
  await expect.poll(() => calls.getByRole('checkbox').count()).toBe(2);
  await calls.getByLabel(/GET \/fail .*TypeError/).check();
  await dialog().getByRole('searchbox').fill('type:no_such_event');
  await expect.poll(() => calls.getByRole('checkbox', { checked: true }).count()).toBe(2);
  await dialog().getByRole('searchbox').press('Enter');
  await press('Record 2 calls');
  await dialog().getByRole('heading', { name: 'Recorded 2 calls' }).waitFor();
  await dialog()
    .getByText(/platform replay recordings\/get-fail-\w{6}\.json/)
    .waitFor();
});
