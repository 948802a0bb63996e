import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { settled, useConsole } from '../support/console-page.js';

const console_ = useConsole('console', ['--state', 'memory']);
let page: Page;
afterEach(() => page.context().close());

const detail = () => page.getByRole('article');

async function changeEverything(): Promise<void> {
  const { platform } = console_;
  const place = '/installations/installation_1/spaces/space_local';
  const told = page.waitForResponse((response) => response.url().endsWith('/console/api/overview'));
  await platform.api('DELETE', place);
  await platform.api('POST', place);
  await told;
  await settled(page);
}

const dialog = () => page.getByRole('region', { name: /Send an? (event|request)/ });
const send = () =>
  dialog()
    .getByRole('button', { name: /^Send( again)?$/ })
    .click();
const result = () => dialog().getByRole('region', { name: 'Result' });
const rows = () => page.getByRole('listbox').getByRole('option');
const mode = (name: string) => dialog().getByRole('group', { name: 'What to send' }).getByText(name).click();

it('builds an event from its schema, in a form or as JSON, and shows the result', async () => {
  page = await console_.open('calls');
  await page.keyboard.press('n');
  await dialog().getByLabel('Type', { exact: true }).selectOption('page_feedback');
  await dialog().getByLabel('comment').fill('very clear');
  await changeEverything();
  expect(await dialog().getByLabel('comment').inputValue()).toBe('very clear');
  await send();
  await result().getByText('200').first().waitFor();
  await rows().filter({ hasText: 'page_feedback' }).waitFor();
  await result().getByRole('link', { name: 'Open the call' }).click();
  await detail().getByRole('heading', { name: 'page_feedback' }).waitFor();
  await detail().getByText('"very clear"').first().waitFor();

  await page.keyboard.press('n');
  await dialog().getByLabel('Type', { exact: true }).selectOption('site_view');
  await dialog().getByRole('button', { name: 'JSON' }).click();
  const json = dialog().getByLabel('The event as JSON');
  await json.fill('{');
  await dialog().getByText('Line 1, column 2: Expected ').waitFor();
  await json.fill('[]');
  await dialog().getByText('The event must be a JSON object.').waitFor();
  await json.fill('{\n  "url": 1\n  "b": 2\n}');
  await dialog().getByText('Line 3, column 3: Expected "," or "}".').waitFor();
  await dialog().getByRole('button', { name: 'Go to line 3' }).click();
  expect(await json.evaluate((area: HTMLTextAreaElement) => area.selectionStart)).toBe(15);
  await json.fill('{"url":"https://docs.example.com/from-json"}');
  await send();
  await result().getByRole('link', { name: 'Open the call' }).click();
  await detail().getByText('"https://docs.example.com/from-json"').first().waitFor();
});

it('shows each problem in an event next to its field', async () => {
  page = await console_.open('calls');
  await page.keyboard.press('n');
  await dialog().getByLabel('Type', { exact: true }).selectOption('content_compute_revision');
  for (const name of [/^props/, /^dependencies/]) await dialog().getByLabel(name).fill('{');
  await send();
  await dialog().getByRole('alert').waitFor();
  for (const name of [/^props/, /^dependencies/])
    expect(await dialog().getByLabel(name).getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  await dialog().getByRole('button', { name: 'Start over' }).click();
});

it("sends a request to a target's endpoint and shows each problem next to its field", async () => {
  const { platform } = console_;
  page = await console_.open('calls');
  await page.keyboard.press('n');
  await mode('Request');
  await dialog().getByText(`${platform.endpoint}/`).waitFor();
  await dialog().getByLabel('Path after the endpoint URL').fill('/bytes with space');
  await dialog().getByLabel('Name of header 1').fill('x trace');
  await dialog().getByRole('button', { name: 'JSON' }).click();
  await dialog().getByLabel('Body as JSON').fill('{');
  await send();
  await dialog().getByText('4 fields are invalid.').waitFor();
  expect(await dialog().locator('[aria-invalid=true]').count()).toBe(3);

  await dialog().getByLabel('Method').selectOption('POST');
  await dialog().getByLabel('Path after the endpoint URL').fill('/hook?a=1');
  expect(await dialog().getByLabel('Value of parameter 1').inputValue()).toBe('1');
  await dialog().getByLabel('Name of header 1').fill('x-trace');
  await dialog().getByLabel('Value of header 1').fill('abc');
  await dialog().getByLabel('Body as JSON').fill('{"composed":true}');
  await send();
  await result().getByRole('link', { name: 'Open the call' }).click();
  await detail().getByRole('heading', { name: 'POST /hook?a=1' }).waitFor();
  await detail().getByRole('tab', { name: 'Request' }).click();
  await detail().getByRole('row', { name: 'x-trace abc' }).waitFor();

  await detail().getByRole('button', { name: 'Edit and resend' }).click();
  const json = dialog().getByLabel('Body as JSON');
  expect(await json.inputValue()).toBe('{\n  "composed": true\n}');
  await dialog().getByRole('button', { name: 'Fold line 1' }).click();
  expect(await json.inputValue()).toBe('{⟦…1⟧}');
  await dialog().getByRole('button', { name: 'Open line 1' }).click();
  expect(await json.inputValue()).toBe('{\n  "composed": true\n}');
  await dialog().getByLabel('Path after the endpoint URL').fill('/hook/again');
  await dialog().getByRole('button', { name: 'File' }).click();
  await dialog()
    .getByLabel('File')
    .setInputFiles({ name: 'a.bin', mimeType: 'application/x-a', buffer: Buffer.from([0, 255, 7]) });
  await dialog().getByText('a.bin, 3 B').waitFor();
  await send();
  await result()
    .getByRole('row', { name: /^Status/ })
    .waitFor();
  await rows().filter({ hasText: 'POST /hook/again?a=1' }).waitFor();
  await page.keyboard.press('Escape');
  await detail().getByRole('heading', { name: 'POST /hook?a=1' }).waitFor();
});

it('keeps the composer open next to the list, sends an event with Ctrl+Enter and compares the call with the previous one', async () => {
  page = await console_.open('calls');
  await page.keyboard.press('n');
  await mode('Request');
  await dialog().getByRole('button', { name: 'Start over' }).click();
  await dialog().getByLabel('Path after the endpoint URL').fill('/status');
  await page.keyboard.press('Control+Enter');
  await result().getByText('200 warning').waitFor();
  expect(await result().getByText('Compared with').count()).toBe(0);
  await dialog().getByLabel('Path after the endpoint URL').fill('/later');
  await page.keyboard.press('Control+Enter');
  await result().getByText('Compared with the previous call').waitFor();
  await result().getByRole('row', { name: /^Time/ }).waitFor();
  await result().getByRole('region', { name: 'Differences between the responses' }).waitFor();
  await expect.poll(() => rows().count()).toBeGreaterThan(1);
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
});

it('scrolls to a new result in a narrow window', async () => {
  page = await console_.open('calls');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press('n');
  await mode('Request');
  await dialog().getByLabel('Path after the endpoint URL').fill('/status');
  await page.keyboard.press('Control+Enter');
  const link = result().getByRole('link', { name: 'Open the call' });
  await link.waitFor();
  await expect.poll(async () => (await link.boundingBox())?.y).toBeLessThan(422);
});

it('lists events that have a handler before all others', async () => {
  page = await console_.open('calls');
  await page.keyboard.press('n');
  await mode('Event');
  const types = dialog().getByLabel('Type', { exact: true });
  await types.waitFor();
  const groups = await types
    .locator('optgroup')
    .evaluateAll((all: HTMLOptGroupElement[]) => all.map(({ label }) => label));
  expect(groups).toEqual(['With a handler', 'Without a handler']);
  const handled = await types.locator('optgroup').first().locator('option').allInnerTexts();
  expect(handled).toContain('ui_render');
});

it('saves a named event in the project', async () => {
  page = await console_.open('calls');
  await page.keyboard.press('n');
  await mode('Request');
  await dialog().getByLabel('Path after the endpoint URL').fill('/saved');
  await dialog().getByRole('button', { name: 'Save as' }).click();
  await dialog().getByLabel('Name', { exact: true }).fill('the saved one');
  await dialog().getByRole('button', { name: 'Save', exact: true }).click();
  await dialog().getByLabel('Path after the endpoint URL').fill('/other');
  await expect
    .poll(async () => JSON.stringify(await console_.platform.api('GET', '/preferences')))
    .toContain('saved call the saved one');
  await page.context().close();

  page = await console_.open('calls');
  await page.keyboard.press('n');
  await dialog().getByLabel('Saved').selectOption('the saved one');
  expect(await dialog().getByLabel('Path after the endpoint URL').inputValue()).toBe('/saved');
  await dialog().getByRole('button', { name: 'Delete the saved one' }).click();
  await expect
    .poll(async () => JSON.stringify(await console_.platform.api('GET', '/preferences')))
    .not.toContain('saved call');
});
