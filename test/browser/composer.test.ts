import { afterEach, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { picture, settled, useConsole } from '../support/console-page.js';

const console_ = useConsole('console', ['--state', 'memory']);
let page: Page;
afterEach(() => page.context().close());

const detail = () => page.getByRole('article');

/** The whole page is told that something has changed, and redraws. */
async function changeEverything(): Promise<void> {
  const { platform } = console_;
  const place = '/installations/installation_1/spaces/space_local';
  const told = page.waitForResponse((response) => response.url().endsWith('/console/api/overview'));
  await platform.api('DELETE', place);
  await platform.api('POST', place);
  await told;
  await settled(page);
}

describe('the composer', () => {
  const dialog = () => page.getByRole('dialog', { name: /Send an? (event|request)/ });
  const send = () => dialog().getByRole('button', { name: 'Send', exact: true }).click();
  const mode = (name: string) =>
    dialog().getByRole('group', { name: 'What to send' }).getByText(name).click();

  it('builds an event from its schema, with a form or as JSON, and opens the call', async () => {
    page = await console_.open('calls');
    await page.keyboard.press('n');
    await dialog().getByLabel('Type', { exact: true }).selectOption('page_feedback');
    await dialog().getByLabel('comment').fill('very clear');
    await changeEverything();
    expect(await dialog().getByLabel('comment').inputValue()).toBe('very clear');
    await picture(page, 'calls-composer');
    await send();
    await detail().getByRole('heading', { name: 'page_feedback' }).waitFor();
    await detail().getByText('"very clear"').first().waitFor();

    await page.keyboard.press('n');
    await dialog().getByLabel('Type', { exact: true }).selectOption('site_view');
    await dialog().getByRole('button', { name: 'JSON' }).click();
    const json = dialog().getByLabel('The event as JSON');
    await json.fill('{');
    await dialog().getByText('This is not a JSON object yet.').waitFor();
    await json.fill('{"url":"https://docs.example.com/from-json"}');
    await send();
    await detail().getByText('"https://docs.example.com/from-json"').first().waitFor();
  });

  it('shows every problem of an event at its field', async () => {
    page = await console_.open('calls');
    await page.keyboard.press('n');
    await dialog().getByLabel('Type', { exact: true }).selectOption('content_compute_revision');
    for (const name of [/^props/, /^dependencies/]) await dialog().getByLabel(name).fill('{');
    await send();
    await dialog().getByRole('alert').waitFor();
    for (const name of [/^props/, /^dependencies/])
      expect(await dialog().getByLabel(name).getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    await picture(page, 'calls-composer-problems');
    await dialog().getByRole('button', { name: 'Start over' }).click();
  });

  it('sends a request to the endpoint of a target, and shows every problem at its field', async () => {
    const { platform } = console_;
    page = await console_.open('calls');
    await page.keyboard.press('n');
    await mode('Request');
    await dialog().getByText(`${platform.endpoint}/`).waitFor();
    await dialog().getByLabel('Path below the endpoint').fill('/bytes with space');
    await dialog().getByLabel('Name of header 1').fill('x trace');
    await dialog().getByRole('button', { name: 'JSON' }).click();
    await dialog().getByLabel('Body as JSON').fill('{');
    await send();
    await dialog().getByText('4 fields are invalid.').waitFor();
    expect(await dialog().locator('[aria-invalid=true]').count()).toBe(3);
    await picture(page, 'calls-request-problems');

    await dialog().getByLabel('Method').selectOption('POST');
    await dialog().getByLabel('Path below the endpoint').fill('/hook?a=1');
    expect(await dialog().getByLabel('Value of parameter 1').inputValue()).toBe('1');
    await dialog().getByLabel('Name of header 1').fill('x-trace');
    await dialog().getByLabel('Value of header 1').fill('abc');
    await dialog().getByLabel('Body as JSON').fill('{"composed":true}');
    await picture(page, 'calls-request');
    await send();
    await detail().getByRole('heading', { name: 'POST /hook?a=1' }).waitFor();
    await detail().getByRole('tab', { name: 'Request' }).click();
    await detail().getByRole('row', { name: 'x-trace abc' }).waitFor();

    await detail().getByRole('button', { name: 'Edit and resend' }).click();
    expect(await dialog().getByLabel('Body as JSON').inputValue()).toBe('{"composed":true}');
    await dialog().getByLabel('Path below the endpoint').fill('/hook/again');
    await dialog().getByRole('button', { name: 'File' }).click();
    await dialog()
      .getByLabel('File')
      .setInputFiles({ name: 'a.bin', mimeType: 'application/x-a', buffer: Buffer.from([0, 255, 7]) });
    await dialog().getByText('a.bin, 3 B').waitFor();
    await send();
    await detail().getByRole('heading', { name: 'POST /hook/again?a=1' }).waitFor();
  });
});
