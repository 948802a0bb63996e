import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { verifySignature } from '../../src/protocol/signature.js';
import { useConsole } from '../support/console-page.js';
import { serve } from '../support/serve.js';

const console_ = useConsole('console', ['--state', 'memory']);
let page: Page;
afterEach(() => page.context().close());

const signatures: (string | null)[] = [];
let accepted = 0;
let secret = '';
let answers: number[] = [];
let receiver: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  receiver = await serve(async (request) => {
    const signature = request.headers.get('x-platform-signature');
    signatures.push(signature);
    if (secret !== '') {
      const age = { toleranceSeconds: 300 };
      if (!(await verifySignature(await request.arrayBuffer(), signature, secret, age)))
        return new Response('forged', { status: 401 });
      accepted += 1;
    }
    return new Response('noted', { status: answers.shift() ?? 200 });
  });
});
afterAll(() => receiver.close());

const detail = () => page.getByRole('article');
const deliveries = () => page.getByRole('listbox', { name: /Deliveries/ }).getByRole('option');

it('keeps the text typed into a webhook form while the page updates', async () => {
  const { platform } = console_;
  page = await console_.open('webhooks');
  await page.getByRole('button', { name: 'Add an endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an endpoint' });
  await dialog.getByLabel('URL').fill('http://127.0.0.1:3000/half');
  const { id } = await platform.api<{ id: string }>('POST', '/webhooks', {
    space: 'space_local',
    url: 'http://127.0.0.1:3000/other',
    events: ['space_content_updated'],
  });
  await page.getByRole('link', { name: /other/ }).waitFor();
  expect(await dialog.getByLabel('URL').inputValue()).toBe('http://127.0.0.1:3000/half');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: /other/ }).click();
  await detail().getByLabel('URL').fill('http://127.0.0.1:3000/still-typing');
  await platform.api('PATCH', `/webhooks/${id}`, { url: 'http://127.0.0.1:3000/meanwhile' });
  await detail().getByRole('heading', { name: '/meanwhile', exact: true }).waitFor();
  expect(await detail().getByLabel('URL').inputValue()).toBe('http://127.0.0.1:3000/still-typing');
  await platform.api('DELETE', `/webhooks/${id}`);
  await page.getByRole('button', { name: 'Add an endpoint' }).waitFor();
});

it('adds an endpoint and follows a delivery through all its attempts', async () => {
  page = await console_.open('webhooks');
  await page.getByRole('button', { name: 'Add an endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an endpoint' });
  await dialog.getByLabel('URL').fill(`${receiver.url}/hook`);
  await dialog.getByLabel('Space or site').selectOption({ label: 'Site: Local site' });
  await dialog.getByLabel('page_feedback').uncheck();
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await detail().getByRole('heading', { name: '/hook', exact: true }).waitFor();

  // The first attempt waits until the page shows the delivery.
  const [endpoint] = await console_.platform.api<{ id: string }[]>('GET', '/webhooks');
  const path = `/webhooks/${endpoint?.id}`;
  await console_.platform.api('PATCH', path, { enabled: false });
  answers = [500, 503, 200];
  await console_.platform.api('POST', '/events', { type: 'site_view' });
  await deliveries().first().click();
  await detail().getByText('Held', { exact: true }).waitFor();
  await console_.platform.api('PATCH', path, { enabled: true });
  await detail()
    .getByText(/Next attempt in \d/)
    .waitFor();
  await detail().getByText('Attempt 1').waitFor();
  const skip = detail().getByRole('button', { name: 'Skip the wait' });
  // On a busy machine, a wait of one or two seconds can end before the click.
  for (const next of ['Attempt 2', 'Attempt 3'])
    await Promise.any([skip.click(), detail().getByText(next).waitFor()]);
  await detail().getByText('Delivered', { exact: true }).waitFor();
  expect(await detail().locator('.attempt .status').allInnerTexts()).toEqual(['500', '503', '200']);
  expect(await detail().getByText('noted').count()).toBe(3);
  await page.getByRole('link', { name: /hook.*33% succeeded\s*since \d\d:\d\d:\d\d/ }).waitFor();

  // The copied command has a new signature, so a verifying receiver accepts it.
  const found = await console_.platform.api<{ secret: string }>('GET', path);
  secret = found.secret;
  await detail().getByText(`POST ${receiver.url}/hook`).first().click();
  await detail().getByText('X-Platform-Signature').first().waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await detail().getByRole('button', { name: 'Copy as curl' }).first().click();
  await page.getByText('Copied to the clipboard').waitFor();
  const curl = await page.evaluate(() => navigator.clipboard.readText());
  const { stdout } = await promisify(execFile)('sh', ['-c', `${curl} --silent`]);
  expect([stdout, accepted]).toEqual(['noted', 1]);
  secret = '';

  await detail().getByRole('button', { name: 'Resend', exact: true }).click();
  await detail().getByText('Resent from').waitFor();
  await expect.poll(() => deliveries().count()).toBe(2);
  await deliveries().last().getByText('after 3 attempts').waitFor();
});

it("shows the signed content after a 401 response, and checks a receiver's signature", async () => {
  const { platform } = console_;
  secret = 'whsec_of_another_endpoint';
  const body = { space: 'space_local', url: receiver.url, events: ['space_content_updated'] };
  const endpoint = await platform.api<{ id: string }>('POST', '/webhooks', body);
  await platform.api('POST', `/webhooks/${endpoint.id}/ping`);
  page = await console_.open('webhooks');
  await deliveries().first().click();
  const check = detail().locator('.signature-check');
  // The receiver's own words are the headline.
  await detail().getByRole('note').getByText('401: forged').waitFor();
  await detail().getByRole('note').getByText('This response is final').waitFor();
  await deliveries().first().getByText('401: forged').waitFor();
  await check.getByText('responded with 401').waitFor();
  const signed = await check.getByRole('region', { name: 'Signed bytes' }).innerText();
  const header = signatures.at(-1) ?? '';
  expect(signed).toMatch(/^\d+\.\{.*"ping"/);
  const field = check.getByLabel('Signature that your receiver computed');
  await field.fill('0'.repeat(64));
  await check.getByText("This signature doesn't match the one in the header.").waitFor();
  await field.fill(/v1=([0-9a-f]+)/.exec(header)?.[1] ?? '');
  await check.getByText('Correct.').waitFor();
  secret = '';
  await platform.api('DELETE', `/webhooks/${endpoint.id}`);
});

it("rotates an endpoint's secret, sends a ping, then disables, changes and removes the endpoint", async () => {
  page = await console_.open('webhooks');
  await page.getByRole('link', { name: /hook.*127/ }).click();
  await detail().getByRole('button', { name: 'Show' }).click();
  const shown = detail().locator('.secret code');
  await expect.poll(() => shown.innerText()).not.toContain('•');
  const secret = await shown.innerText();
  await detail().getByRole('button', { name: 'Rotate' }).click();
  await detail()
    .getByText(/The previous secret is valid until/)
    .waitFor();
  await expect.poll(() => shown.innerText()).not.toBe(secret);

  await detail().getByRole('button', { name: 'Send a ping' }).click();
  await deliveries()
    .filter({ hasText: /ping\s*200/ })
    .waitFor();
  await expect.poll(() => signatures.at(-1)).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);

  await detail().getByLabel('URL').fill(`${receiver.url}/other`);
  await detail().getByRole('button', { name: 'Change' }).click();
  await detail().getByRole('heading', { name: '/other', exact: true }).waitFor();
  await detail().getByLabel('page_feedback').check();
  await page.getByText('site_view, page_feedback').waitFor();
  await detail().getByRole('button', { name: 'Disable' }).click();
  await detail().getByRole('button', { name: 'Enable' }).waitFor();
  const dialog = page.getByRole('dialog', { name: 'Remove this endpoint?' });
  await detail().getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText(`${receiver.url}/other`).waitFor();
  await dialog.getByText('This also removes its signing secret.').waitFor();
  // Enter presses Cancel.
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await detail().getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  // The delivery used the previous URL.
  await deliveries().filter({ hasText: 'ping' }).getByText('/hook').click();
  await detail().getByText('Attempt 1').waitFor();
  await detail().getByText(`POST ${receiver.url}/hook`).click();
  await detail().getByText('The endpoint was removed').waitFor();
});

it('explains why a delivery is waiting, both in the list and next to its attempts', async () => {
  page = await console_.open('webhooks');
  const { id } = await console_.platform.api<{ id: string }>('POST', '/webhooks', {
    site: 'site_local',
    url: 'http://127.0.0.1:1/',
    events: ['site_view'],
  });
  await console_.platform.api('POST', '/events', { type: 'site_view' });
  const waits = /^refused: nothing is listening on 127\.0\.0\.1:1; next try in \d/;
  const entry = deliveries().first();
  await expect.poll(() => entry.locator('.entry-detail').innerText()).toMatch(waits);
  await entry.click();
  await expect
    .poll(() => detail().getByRole('note').innerText())
    .toMatch(/^Refused: nothing is listening on 127\.0\.0\.1:1; next try in \d/);
  await page.getByRole('link', { name: /0% succeeded/ }).waitFor();
  await page.getByRole('link', { name: /0% succeeded/ }).click();
  await detail()
    .getByText(/^0 of \d requests? succeeded \(0%\), p95 \d+ ms$/)
    .waitFor();
  await detail()
    .getByText(/Last failure .*: refused: nothing is listening/)
    .waitFor();
  await console_.platform.api('DELETE', `/webhooks/${id}`);
});

it('lists only the deliveries to the open endpoint, and shows each receiver on a narrow screen', async () => {
  const { platform } = console_;
  const ids: string[] = [];
  const long = `/hooks/${'a-long-way/'.repeat(8)}`;
  for (const path of ['/first', `${long}second`]) {
    const body = { space: 'space_local', url: receiver.url + path, events: ['space_content_updated'] };
    const { id } = await platform.api<{ id: string }>('POST', '/webhooks', body);
    await platform.api('POST', `/webhooks/${id}/ping`);
    ids.push(id);
  }
  page = await console_.open(`webhooks/endpoints/${ids[0]}`);
  await page.getByRole('heading', { name: 'Deliveries to this endpoint' }).waitFor();
  await expect.poll(() => deliveries().count()).toBe(1);
  // Its URL is in the form, so that it is not repeated in the list. The time is, even where the list is narrow.
  await page.setViewportSize({ width: 900, height: 800 });
  expect(await deliveries().allInnerTexts()).toEqual([
    expect.stringMatching(/ping\s+200\s[^]*\d\d:\d\d:\d\d$/),
  ]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await detail().getByRole('heading', { name: '/first', exact: true }).waitFor();
  await deliveries().first().click();
  await detail().getByText('Attempt 1').waitFor();
  expect(await deliveries().count()).toBe(1);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  const second = deliveries().filter({ hasText: '/second' });
  await second.waitFor();
  expect((await second.boundingBox())?.height).toBe(44);
  // The path is cut at its start, so its end is inside the row.
  const end = second.locator('.entry-at').evaluate((element) => {
    const box = element.getBoundingClientRect();
    const text = element.firstElementChild?.getBoundingClientRect();
    return text && { isCut: text.left < box.left, isEndShown: text.right <= box.right + 1 };
  });
  expect(await end).toEqual({ isCut: true, isEndShown: true });
  for (const id of ids) await platform.api('DELETE', `/webhooks/${id}`);
});

it('shows the deliveries that have failed since the last save', async () => {
  const { platform } = console_;
  const { id } = await platform.api<{ id: string }>('POST', '/webhooks', {
    site: 'site_local',
    url: 'http://127.0.0.1:1/',
    events: ['site_view'],
  });
  page = await console_.open();
  await platform.api('POST', '/events', { type: 'site_view' });
  // Removing an endpoint fails its waiting deliveries.
  await platform.api('DELETE', `/webhooks/${id}`);
  const badge = page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: /^\d+ failed deliver(?:y|ies) since the last save$/ });
  await badge.waitFor();
  await page
    .getByRole('region', { name: 'Now' })
    .getByRole('link', { name: /^\d failed deliver/ })
    .waitFor();
  const card = page
    .locator('.card')
    .filter({ has: page.getByRole('heading', { name: 'Failed webhook deliveries' }) });
  await card.getByText('http://127.0.0.1:1/').first().click();
  await detail().getByText('Failed', { exact: true }).first().waitFor();
  await badge.click();
  expect(new URL(page.url()).search).toBe('?failed');
  await page.getByRole('button', { name: 'Failed', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Failed', pressed: true }).click();
  await deliveries().filter({ hasText: '200' }).first().waitFor();
  await badge.click();
  await page.getByRole('button', { name: 'Failed', pressed: true }).waitFor();
});

it('groups repeated failures, counts all of them, and opens the latest', async () => {
  const { platform } = console_;
  page = await console_.open('webhooks');
  const badges = page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: /failed deliver.* since the last save$/ });
  // A save starts a new count.
  const save = async (): Promise<void> => {
    platform.edit('src/index.tsx', (text) => `${text}\nconsole.debug('saved');\n`);
    await badges.waitFor({ state: 'detached' });
  };
  await save();
  answers = Array.from({ length: 250 }, () => 400);
  const { id } = await platform.api<{ id: string }>('POST', '/webhooks', {
    space: 'space_local',
    url: `${receiver.url}/broken`,
    events: ['space_content_updated'],
  });
  const sent: string[] = [];
  for (let n = 0; n < 250; n += 1)
    sent.push((await platform.api<{ id: string }>('POST', `/webhooks/${id}/ping`)).id);
  const group = page.getByRole('list', { name: 'Repeated failures since the last save' }).getByRole('link');
  await group.getByText('250 times').waitFor();
  await expect
    .poll(() => group.innerText())
    .toMatch(
      /The receiver responded with 400, latest: noted\s*250 times\s*ping to \/broken\s*first \d\d:\d\d:\d\d, last \d\d:\d\d:\d\d/,
    );
  const badge = badges.filter({ hasText: '250 failed deliveries' });
  expect(await badge.locator('[aria-hidden]').innerText()).toBe('99+');
  await group.click();
  await detail()
    .getByText(sent.at(-1) ?? '')
    .waitFor();
  await page.getByRole('link', { name: 'Overview', exact: true }).first().click();
  await page
    .getByRole('region', { name: 'Now' })
    .getByRole('link', { name: /^250 failed deliveries/ })
    .waitFor();
  await page.getByText('250 times · the receiver responded with 400, latest: noted').waitFor();
  await platform.api('DELETE', `/webhooks/${id}`);
  await save();
});
