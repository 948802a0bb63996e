import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console');
let page: Page;
afterEach(() => page.context().close());

/** Restarts the platform once it has the typed text, and opens the same view in the new session. */
async function restart(typed: string): Promise<void> {
  const { platform } = console_;
  await expect.poll(async () => JSON.stringify(await platform.api('GET', '/preferences'))).toContain(typed);
  const { pathname } = new URL(page.url());
  await platform.restart();
  await console_.visit(page, pathname.replace('/console/', ''));
}

it('keeps text typed into a configuration field across a restart, and saves it when the field loses focus', async () => {
  page = await console_.open('configuration');
  const field = page.getByLabel('Workspace');
  await field.fill('half a na');
  await restart('half a na');
  expect(await field.inputValue()).toBe('half a na');
  await field.focus();
  await field.blur();
  await page.locator('.property').filter({ has: field }).getByText('Saved').waitFor();
  expect(await console_.platform.api('GET', '/configuration?installation=installation_1')).toMatchObject({
    configuration: { workspace: 'half a na' },
  });
});

it('keeps an unfinished event in the composer across a restart', async () => {
  page = await console_.open('calls');
  await page.keyboard.press('n');
  const dialog = page.getByRole('region', { name: 'Send an event' });
  const type = dialog.getByLabel('Type', { exact: true });
  const json = dialog.getByLabel('The event as JSON');
  await type.selectOption('site_view');
  await dialog.getByRole('button', { name: 'JSON' }).click();
  await json.fill('{ "url": "https://half');
  await restart('https://half');
  expect(await json.inputValue()).toBe('{ "url": "https://half');
  expect(await type.inputValue()).toBe('site_view');
  await dialog.getByRole('button', { name: /^Close/ }).click();
  await page.keyboard.press('n');
  expect(await json.inputValue()).toBe('{ "url": "https://half');
  await dialog.getByRole('button', { name: 'Start over' }).click();
  expect(await json.count()).toBe(0);
});

it('keeps an unfinished webhook endpoint across a restart', async () => {
  page = await console_.open('webhooks');
  await page.getByRole('button', { name: 'Add an endpoint' }).click();
  const address = page.getByRole('dialog').getByRole('textbox').first();
  await address.fill('http://127.0.0.1:3000/half');
  await restart('http://127.0.0.1:3000/half');
  expect(await address.inputValue()).toBe('http://127.0.0.1:3000/half');
});

it("keeps invalid JSON in a block's props, and an unfinished prop name, across a restart", async () => {
  await console_.platform.api('POST', '/blocks', { component: 'incident', props: {} });
  page = await console_.open('blocks');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const name = inspector.getByRole('textbox', { name: 'Name of a new prop' });
  const json = inspector.getByRole('textbox', { name: 'The props as JSON' });
  await inspector.getByRole('tab', { name: 'Props' }).click();
  await name.fill('severi');
  await restart('severi');
  expect(await name.inputValue()).toBe('severi');
  await inspector.getByRole('button', { name: 'JSON', exact: true }).click();
  await json.fill('{ "incident": ');
  await restart('incident');
  expect(await json.inputValue()).toBe('{ "incident": ');
});
