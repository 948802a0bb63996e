import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { serve } from '../support/serve.js';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console', ['--state', 'memory'], async (folder) =>
  writeFileSync(join(folder, 'platform.dev.yaml'), 'limits:\n  requestBytes: 100\n'),
);
let page: Page;
afterEach(() => page.context().close());

const rows = () => page.getByRole('listbox', { name: /Calls, newest first/ }).getByRole('option');
const detail = () => page.getByRole('article');
const run = (command: string): string => execFileSync('bash', ['-c', command], { encoding: 'utf8' });
async function copyAs(format: string): Promise<void> {
  await detail().getByRole('button', { name: 'Copy', exact: true }).click();
  await detail().getByRole('button', { name: format }).click();
}

const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

it('updates the call list live, newest first, with filters, search and keyboard navigation', async () => {
  const { platform } = console_;
  page = await console_.open('calls');
  await fetch(`${platform.endpoint}/status`);
  await expect
    .poll(() => rows().first().innerText())
    .toMatch(/GET \/status\s+GET \S+health failed: .*\s+Local organization\s+200\s+\d+ ms\s+\d\d:\d\d:\d\d/);
  await fetch(`${platform.endpoint}/fail`);
  await page.getByRole('option', { name: /^Error GET \/fail TypeError: .* 500 \d+ ms/ }).waitFor();

  await page.getByRole('button', { name: 'Failed' }).click();
  await expect.poll(() => rows().count()).toBe(1);
  await page.getByRole('button', { name: 'Failed' }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('reading the status');
  await expect.poll(() => rows().count()).toBe(1);
  await rows().first().getByText('GET /status').waitFor();
  await page.getByRole('searchbox').fill('nothing like this');
  await page.getByRole('button', { name: 'Show all calls' }).click();
  await rows().first().waitFor();

  await page.locator('body').click({ position: { x: 5, y: 400 } });
  await page.keyboard.press('j');
  await detail().getByRole('heading', { name: 'GET /fail' }).waitFor();
  await page.keyboard.press('j');
  await detail().getByRole('heading', { name: 'GET /status' }).waitFor();
  await page.keyboard.press('k');
  await detail().getByRole('heading', { name: 'GET /fail' }).waitFor();
});

it('marks calls that came close to a limit, and can list only those calls', async () => {
  const { platform } = console_;
  for (const length of [80, 81])
    await fetch(`${platform.endpoint}/status?${length}`, { method: 'PUT', body: 'x'.repeat(length) });
  page = await console_.open('calls?near=true');
  await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringMatching(/[?]81[^]*Near a limit/)]);
  await rows().first().click();
  await detail().getByText('Near a limit: request body 81 B of 100 B.').waitFor();
});

it('can be used with the keyboard, keeps filters in the URL, shows counts and includes new calls', async () => {
  const { platform } = console_;
  await fetch(`${platform.endpoint}/status`);
  page = await console_.open('calls');
  const counts = page.getByRole('status').filter({ hasText: /calls?/ });
  const query = (): string => decodeURIComponent(new URL(page.url()).search);

  const toMore = Array<string>(6).fill('Tab');
  for (const key of ['f', ...toMore, 'Enter', 'Tab', 'Tab']) await page.keyboard.press(key);
  await expect.poll(() => page.getByLabel('Method').getByRole('option').count()).toBeGreaterThan(1);
  await page.keyboard.press('ArrowDown');
  await expect.poll(query).toBe('?method=GET');
  // Filters that are typed are shown in the fields too.
  const search = page.getByLabel(/^Search ids/);
  await search.fill('method:GET status:2xx,404 path:fil=ter');
  await expect.poll(query).toBe('?status=2xx,404&method=GET&path=fil=ter');
  await expect.poll(() => page.getByLabel('Status', { exact: true }).inputValue()).toBe('2xx,404');
  await expect.poll(() => page.getByLabel('Path', { exact: true }).inputValue()).toBe('fil=ter');
  await page.getByText('No calls match the filters.').waitFor();
  await page.getByLabel('Status', { exact: true }).press('Escape');
  await expect.poll(() => counts.innerText()).toMatch(/^0 of \d+ calls$/);
  expect(query()).toBe('?status=2xx,404&method=GET&path=fil=ter');
  expect(await page.getByLabel('Status', { exact: true }).count()).toBe(0);

  await fetch(`${platform.endpoint}/status?fil=ter`);
  await fetch(`${platform.endpoint}/status?other`);
  await expect.poll(() => rows().count()).toBe(1);
  await expect.poll(() => counts.innerText()).toMatch(/^1 of \d+ calls$/);
  await page.keyboard.press('j');
  await detail().getByRole('heading', { name: 'GET /status?fil=ter' }).waitFor();
  await page.reload();
  await expect.poll(() => rows().count()).toBe(1);
  await detail().getByRole('heading', { name: 'GET /status?fil=ter' }).waitFor();
  await page.getByRole('button', { name: 'Reset filters' }).click();
  await expect.poll(query).toBe('');
  await expect.poll(() => rows().count()).toBeGreaterThan(2);

  await search.fill('status:5x');
  await page.getByText('"5x" is not a valid status').waitFor();
  await search.fill('');
  await rows().first().waitFor();
});

it('accepts filters typed into the search field, and still shows them there after a page reload', async () => {
  const { platform } = console_;
  await fetch(`${platform.endpoint}/fail?typed`);
  await fetch(`${platform.endpoint}/status?typed`);
  await platform.api('POST', '/events', { type: 'page_feedback', set: { 'feedback.comment': 'boom' } });
  page = await console_.open('calls');
  await page.keyboard.press('/');
  await page.keyboard.type('status:5xx -type:page_feedback typed');
  await expect.poll(() => rows().count()).toBe(1);
  await rows().first().getByText('GET /fail?typed').waitFor();
  expect(new URL(page.url()).search).toBe('?search=typed&type=-page_feedback&status=5xx');
  expect(await page.getByRole('searchbox').inputValue()).toBe('status:5xx -type:page_feedback typed');
  await page.reload();
  await expect
    .poll(() => page.getByRole('searchbox').inputValue())
    .toBe('-type:page_feedback status:5xx typed');
  await page.getByRole('searchbox').fill('failed');
  await page.getByRole('button', { name: 'Failed', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Reset filters' }).click();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');
});

it('suggests filters and their values while typing, and names a word that is no filter', async () => {
  await fetch(`${console_.platform.endpoint}/status`);
  page = await console_.open('calls');
  const search = page.getByRole('searchbox');
  const suggested = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
  await search.pressSequentially('stat');
  await suggested.filter({ hasText: 'status:' }).waitFor();
  await search.press('ArrowDown');
  await search.press('Enter');
  await suggested.filter({ hasText: /^200\d+ calls?$/ }).click();
  expect(await search.inputValue()).toBe('status:200 ');
  await search.fill('stat:200');
  await page.getByText('There is no filter stat:').waitFor();
  await page.locator('.typed-chips > .wrong', { hasText: 'stat:200' }).waitFor();
  await search.fill('status:9xx failed');
  await page.getByText('status: takes statuses such as').waitFor();
  expect(await page.locator('.typed-chips > .filter').allTextContents()).toEqual(['failed']);
});

it('shows the picture and the markup of a render, and inserts a block with its props', async () => {
  const { platform } = console_;
  await platform.api('POST', '/render', { component: 'poll', space: 'space_local' });
  const [call] = await platform.api<{ id: string }[]>('GET', '/calls?type=ui_render&limit=1');
  page = await console_.open(`calls/${call?.id}`);
  const rendered = detail().getByRole('region', { name: 'Rendered block' });
  await rendered.locator('.m-block').waitFor();
  await rendered.getByRole('button', { name: 'Markup' }).click();
  await rendered.getByRole('region', { name: 'Markup' }).waitFor();
  await rendered.getByRole('button', { name: 'Open in Blocks with these props' }).click();
  await page.waitForURL(/\/blocks\/\w+$/);
});

it('shows the request body that made a call fail below its code, and selects a time span', async () => {
  const { platform } = console_;
  await fetch(`${platform.endpoint}/fail`, { method: 'POST', body: '{"order":"ord_7"}' });
  page = await console_.open('calls');
  await rows().filter({ hasText: 'POST /fail' }).first().click();
  await detail().getByRole('heading', { name: 'Request body' }).waitFor();
  await detail().getByText('"ord_7"').waitFor();
  for (let n = 0; n < 20; n += 1) await fetch(`${platform.endpoint}/bytes?n=${n}`);
  const box = await page.getByRole('img', { name: /calls from/ }).boundingBox();
  if (!box) throw new Error('There is no histogram.');
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + 20);
  await page.mouse.up();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toMatch(/^since:\S+ until:\S+$/);
});

it("shows a call's envelope, headers, bodies, outbound requests and timeline", async () => {
  const { platform } = console_;
  await fetch(`${platform.endpoint}/status?deep=1`, { headers: { 'X-Trace': 'abc' } });
  page = await console_.open('calls');
  await rows().filter({ hasText: '/status?deep=1' }).click();
  await detail().getByRole('listitem').filter({ hasText: '127.0.0.1:9' }).waitFor();
  await detail().getByText('Envelope and limits').click();
  await detail().getByRole('region', { name: 'environment' }).getByText('apiEndpoint').waitFor();
  await detail().getByRole('tab', { name: 'Request' }).click();
  await detail().getByRole('row', { name: 'x-trace abc' }).waitFor();
  await detail().getByRole('tab', { name: 'Response' }).click();
  // A small body is expanded.
  await detail().getByText('"Slow searches"').waitFor();
  await detail().locator('.json-toggle').last().click();
  await detail().getByText('{ 2 keys }').click();
  await detail().getByText('"Slow searches"').waitFor();
  await detail()
    .getByRole('tab', { name: /Outbound/ })
    .click();
  await detail().getByText('GET http://127.0.0.1:9/health', { exact: true }).waitFor();
  await detail().getByText('No response').waitFor();
});

it('shows a call and everything it caused on one timeline, with links in both directions', async () => {
  const { platform } = console_;
  const receiver = await serve(
    async (request) => new Response(`got ${await request.text()}`, { headers: { 'X-Reply': 'yes' } }),
  );
  await fetch(`${platform.endpoint}/sync?to=${receiver.url}/intake`);
  await receiver.close();
  page = await console_.open('calls');
  await rows().filter({ hasText: 'GET /sync' }).first().click();
  const timeline = detail().locator('.timeline');
  await timeline.getByText('Task sync').waitFor();
  await detail()
    .getByRole('note', { name: 'Error' })
    .getByText('waitUntil failed: Error: The index is locked.')
    .waitFor();
  await timeline.getByText('see above').first().waitFor();
  expect(await detail().getByText('Error: The index is locked.').count()).toBe(1);
  const kinds = await timeline.locator('li > .quiet').allInnerTexts();
  expect([...new Set(kinds)].sort()).toEqual(['call', 'fetch', 'log', 'response', 'task', 'waitUntil']);

  await detail().getByText('ran as').getByRole('link').click();
  await detail().getByRole('heading', { name: 'task' }).waitFor();
  await detail().getByText('Task queued by').getByRole('link').click();
  await detail().getByRole('heading', { name: 'GET /sync' }).waitFor();

  await timeline.getByRole('button', { name: 'POST 127.0.0.1' }).first().click();
  await detail().getByRole('row', { name: 'authorization Bearer •••' }).waitFor();
  await detail().getByRole('row', { name: 'x-reply yes' }).waitFor();
  await detail().getByText('got {"page":2}').waitFor();
});

it('shows a binary body in hexadecimal and offers the full download', async () => {
  const { platform } = console_;
  const bytes = Uint8Array.from({ length: 3000 }, (_, i) => (i * 7) % 256);
  await fetch(`${platform.endpoint}/bytes`, { method: 'POST', body: bytes });
  page = await console_.open('calls');
  await rows().filter({ hasText: '/bytes' }).first().click();
  await detail().getByRole('tab', { name: 'Response' }).click();
  await detail().getByText('00 07 0e 15 1c 23 2a 31  38 3f 46 4d 54 5b 62 69').first().waitFor();
  const download = page.waitForEvent('download');
  await detail().getByRole('button', { name: 'Download' }).click();
  const stream = await (await download).createReadStream();
  const hash = createHash('sha256');
  for await (const piece of stream) hash.update(piece as Buffer);
  const wanted = createHash('sha256').update(bytes).digest('hex');
  expect(hash.digest('hex')).toBe(wanted);

  await copyAs('Copy as curl');
  await expect.poll(clipboard).toContain('base64 -d');
  const command = (await clipboard()).replace('curl', 'curl -s');
  expect(run(`{ ${command}\n} | sha256sum`)).toContain(wanted);
});

it("shows the line of the author's code that caused a failure", async () => {
  const { platform } = console_;
  await fetch(`${platform.endpoint}/fail`);
  page = await console_.open('calls');
  await rows().filter({ hasText: 'TypeError: Cannot read properties' }).first().click();
  const verdict = detail().getByRole('note', { name: 'Error' });
  await verdict.getByText(/^src\/index\.tsx:\d+:\d+$/).waitFor();
  await detail().getByRole('region', { name: 'Source of src/index.tsx' }).waitFor();
  expect(await detail().getByText('Cannot read properties').count()).toBe(1);
  const text = await detail().locator('.log-text').first().innerText();
  expect(text).toMatch(/^ +at failDeep \(src\/index\.tsx:\d+:\d+\)/);
  expect(text).not.toContain('node_modules');
  const frames = detail().getByText('platform frames').first();
  await frames.click();
  await detail().getByText('serveEnvelope').first().waitFor();
});

it('keeps the same tab open from call to call, and hides empty tabs', async () => {
  const { platform } = console_;
  await fetch(`${platform.endpoint}/status?tab=1`);
  await fetch(`${platform.endpoint}/bytes`, { method: 'POST', body: 'silent' });
  await fetch(`${platform.endpoint}/status?tab=2`);
  page = await console_.open('calls');
  const chosen = () => detail().getByRole('tab', { selected: true }).innerText();
  await rows().filter({ hasText: '/status?tab=2' }).click();
  await detail().getByRole('tab', { name: /Logs/ }).click();
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/call_\w+\/logs$/);
  await page.keyboard.press('j');
  await detail().getByRole('heading', { name: 'POST /bytes' }).waitFor();
  expect(await detail().getByRole('tab').allInnerTexts()).toEqual(['Summary', 'Request', 'Response']);
  expect(await chosen()).toBe('Summary');
  await page.keyboard.press('j');
  await detail().getByRole('heading', { name: 'GET /status?tab=1' }).waitFor();
  expect(await chosen()).toMatch(/^Logs/);
  await page.reload();
  await detail().getByText('reading the status').waitFor();
  expect(await chosen()).toMatch(/^Logs/);
});

it('ends the timeline at the current time while a call is running', async () => {
  const { platform } = console_;
  const slow = fetch(`${platform.endpoint}/slow`);
  page = await console_.open('calls');
  await rows().filter({ hasText: 'GET /slow' }).click();
  const end = detail().locator('.timeline-axis span').last();
  await expect.poll(() => end.innerText()).toMatch(/^[2-9]\.\d\d s$/);
  await detail().getByText('HTTP request').waitFor();
  await slow;
});

it('replays a call with new code and shows the differences', async () => {
  const { platform } = console_;
  await fetch(`${platform.endpoint}/status`);
  page = await console_.open('calls');
  await rows().filter({ hasText: 'GET /status' }).first().click();
  await detail().getByRole('button', { name: 'Replay' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay' });
  const verdict = dialog.getByRole('status');
  await verdict.getByText('Same response').waitFor();
  await verdict.getByText("The code hasn't changed: version 1 handled both calls.").waitFor();
  await dialog.getByRole('region', { name: 'response body' }).waitFor();
  const newest = dialog.getByRole('columnheader', { name: /^Now/ }).getByRole('link');
  const first = await newest.getAttribute('href');
  await dialog.getByRole('button', { name: 'Replay again' }).click();
  await expect.poll(() => newest.getAttribute('href')).not.toBe(first);
  await dialog.getByRole('button', { name: 'Close' }).click();
  platform.edit('src/index.tsx', (text) => text.replace("version: 'one'", "version: 'two'"));
  await page.getByText('v2 · unlisted').waitFor();
  await detail().getByRole('button', { name: 'Replay' }).click();
  await verdict.getByText('The response changed').waitFor();
  await verdict.getByText('The code changed from version 1 to version 2.').waitFor();
  expect(await dialog.locator('.diff-line.removed').innerText()).toContain('"version": "one"');
  expect(await dialog.locator('.diff-line.added').innerText()).toContain('"version": "two"');
  await dialog.getByRole('button', { name: 'Open the new call' }).click();
  await detail().getByText('Compared with the replayed call').waitFor();
  await detail()
    .getByRole('row', { name: /^Outbound requests/ })
    .waitFor();
});

it('copies a call as a working curl command or platform command', async () => {
  const { platform } = console_;
  page = await console_.open('calls');
  await rows().first().waitFor();
  // A short list shows new calls while another one is open.
  await page.keyboard.press('x');
  await page.getByText('No calls match the filters.').waitFor();
  await fetch(`${platform.endpoint}/hook?it's`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Quote': "it's" },
    body: JSON.stringify({ quote: "it's", line: 'a\nb' }),
  });
  await rows().filter({ hasText: 'POST /hook' }).first().click();
  await copyAs('Copy as curl');
  await page.getByText('Copied to the clipboard').waitFor();
  const command = await clipboard();
  expect(run(command.replace('curl', 'curl -s'))).toBe('{"received":true}');
  await expect.poll(() => rows().filter({ hasText: 'POST /hook' }).count()).toBe(2);

  await platform.api('POST', '/events', { type: 'page_feedback', set: { 'feedback.comment': "it's good" } });
  await rows().filter({ hasText: 'page_feedback' }).first().click();
  await copyAs('Copy as platform trigger');
  await expect.poll(clipboard).toContain('platform trigger page_feedback');
  const trigger = await clipboard();
  expect(trigger).toContain(`--set "feedback.comment=it's good"`);
  const built = `node bin/platform.js --cwd ${platform.folder}`;
  expect(run(trigger.replace('platform', built))).toMatch(/^page_feedback +200/);
  await expect.poll(() => rows().filter({ hasText: 'page_feedback' }).count()).toBe(2);
  await copyAs('Copy as curl');
  await expect.poll(clipboard).toContain('--form-string');
  expect(run((await clipboard()).replace('curl', 'curl -s'))).toBe('OK');
});
