import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { picture, useConsole } from '../support/console-page.js';

const console_ = useConsole('console', ['--state', 'memory']);
let page: Page;
afterEach(() => page.context().close());

const card = () =>
  page.locator('.card').filter({ has: page.getByRole('heading', { name: /queued tasks?$/ }) });

it('lists queued tasks with their due times and reasons, runs one and cancels another', async () => {
  const { platform } = console_;
  const version = async () => (await platform.api<{ version: number }>('GET', '/overview')).version;
  platform.edit('src/index.tsx', (text) =>
    text.replace("task: { type: 'sync' },", "task: { type: 'sync' }, schedule: 3600,"),
  );
  await expect.poll(version, { timeout: 10_000 }).toBe(2);
  page = await console_.open();
  expect(await card().count()).toBe(0);
  for (const _ of [1, 2]) await fetch(`${platform.endpoint}/sync?to=${platform.origin}/nowhere`);
  await page.getByRole('heading', { name: '2 queued tasks' }).waitFor();
  const first = card().getByRole('listitem').first();
  await first.getByText(/^Due in (59 min|60 min)/).waitFor();
  await first.getByText('Queued by').waitFor();
  expect(await first.getByRole('link', { name: /^call_/ }).count()).toBe(1);
  await picture(page, 'tasks');
  await first.getByRole('button', { name: /^Cancel/ }).click();
  await page.getByRole('heading', { name: '1 queued task' }).waitFor();
  await card()
    .getByRole('button', { name: /^Run now/ })
    .click();
  await page.getByRole('article').getByText('task sync').waitFor();
  expect(await platform.api('GET', '/tasks')).toEqual([]);
});
