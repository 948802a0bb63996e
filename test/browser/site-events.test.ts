import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { useSite } from '../support/site-page.js';

const site = useSite('site', ['--state', 'memory'], async (folder) => {
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-qm', 'Start'],
  ])
    git(folder, args);
});

const git = (cwd: string, args: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd });

const received: { type: string; eventId: string }[] = [];
const receiver = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  request.on('end', () => {
    received.push(JSON.parse(text) as (typeof received)[number]);
    response.end('ok');
  });
});
beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  for (const target of [
    { events: ['site_view', 'page_feedback'], site: 'site_local' },
    { events: ['space_content_updated'], space: 'space_local' },
  ])
    // The platform is ready before the integration is installed on every target.
    await vi.waitFor(() => site.platform.api('POST', '/webhooks', { url, ...target }), { timeout: 60_000 });
});
afterAll(() => void receiver.close());

let page: Page;
afterEach(() => page?.context().close());

/** Returns a type's newest call once the number of calls has grown. */
async function next(type: string, act: () => Promise<unknown>): Promise<{ event: Record<string, unknown> }> {
  const before = (await site.calls(type)).length;
  await act();
  await expect.poll(async () => (await site.calls(type)).length).toBeGreaterThan(before);
  return (await site.calls(type)).at(-1) as { event: Record<string, unknown> };
}

const delivered = (event: Record<string, unknown>): Promise<void> =>
  expect.poll(() => received.some(({ eventId }) => eventId === event['eventId'])).toBe(true);

it('sends a view event to the script and to a webhook receiver when a page is opened', async () => {
  const inSpace = await next('space_view', async () => (page = await site.open()));
  expect(inSpace.event).toMatchObject({ spaceId: 'space_local', visitor: { cookies: { plan: 'pro' } } });
  await page.getByRole('main').getByRole('link', { name: 'the guide' }).focus();
  const { event } = await next('site_view', () => page.keyboard.press('Enter'));
  expect(event).toMatchObject({
    siteId: 'site_local',
    url: `${site.platform.siteOrigin}/guides/first`,
    referrer: '',
    visitor: { cookies: { plan: 'pro' } },
  });
  await delivered(event);
});

it('sends feedback to the script and to a webhook receiver when a page is rated with the keyboard', async () => {
  page = await site.open();
  const { event } = await next('page_feedback', async () => {
    await page.getByRole('button', { name: 'Yes' }).press('Enter');
    await page.keyboard.type('It helped.');
    await page.getByRole('button', { name: 'Send' }).press('Enter');
  });
  expect(event).toMatchObject({ feedback: { rating: 'good', comment: 'It helped.' } });
  await delivered(event);
});

it("calls the script with the block's state and the page's properties when a button is pressed", async () => {
  page = await site.open();
  const block = page.locator('[data-block=counter]');
  await block.getByText('Pressed 3 times').waitFor();
  const { event } = await next('ui_render', () => block.getByRole('button', { name: 'Count' }).click());
  expect(event).toMatchObject({ componentId: 'counter', props: { start: 3 }, action: { action: 'count' } });
  await block.getByText('Pressed 4 times').waitFor();
});

it('notifies the script and a webhook receiver, and updates open pages, when a page is saved', async () => {
  page = await site.open('guides/first');
  const { event } = await next('space_content_updated', async () =>
    site.platform.edit('docs/guides/first.md', (text) => `${text}\nEven less.\n`),
  );
  expect(event).toMatchObject({ spaceId: 'space_local', updatedBy: [{ id: 'user_local' }] });
  await delivered(event);
  await page.getByText('Even less.').waitFor();
});

it('sends both Git sync events when a page is committed', async () => {
  const { folder } = site.platform;
  const { event: update } = await next('space_content_updated', async () =>
    writeFileSync(join(folder, 'docs/new.md'), '# New'),
  );
  const { event } = await next('space_gitsync_completed', async () => {
    git(folder, ['add', '.']);
    git(folder, ['commit', '-qm', 'Add a page']);
  });
  const commitId = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim();
  expect(event).toMatchObject({ revisionId: update['revisionId'], commitId, state: 'success' });
  expect((await site.calls('space_gitsync_started')).at(-1)?.event).toMatchObject({ commitId });
});

it('signs a visitor in through the script, and removes the token from the URL', async () => {
  const conditions =
    '{% if visitor.claims.plan == "pro" %}\n## For pros\n{% else %}\n## For others\n{% endif %}\n';
  // An open page would reload, which closes its menu.
  await next('space_content_updated', async () =>
    site.platform.edit('docs/guides/first.md', (text) => `${text}\n${conditions}`),
  );
  page = await site.open('guides/first');
  const menu = page.locator('.visitor');
  // The heading, and its entry in the table of contents.
  const conditional = async (): Promise<string[]> => {
    const shown = page.locator('h2, .site-toc a').filter({ hasText: /^For /, visible: true });
    return (await shown.allInnerTexts()).map((text) => text.replace(/\W*$/, ''));
  };
  await expect.poll(conditional).toEqual(['For others', 'For others']);
  await menu.getByText('Anonymous', { exact: true }).click();
  await menu.getByRole('link', { name: 'Sign in' }).click();
  // The page itself removes the token, which is no navigation.
  await expect.poll(() => page.url()).toBe(`${site.platform.siteOrigin}/guides/first?tab=2`);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await menu.getByText('Signed in').click();
  expect(JSON.parse(await menu.locator('.visitor-claims').innerText())).toMatchObject({
    sub: 'ada',
    plan: 'pro',
  });
  expect(await conditional()).toEqual(['For pros', 'For pros']);
  await menu.getByRole('button', { name: 'Sign out' }).click();
  await menu.getByText('Anonymous', { exact: true }).waitFor();
});

it('replaces an anonymous visitor with a new anonymous visitor', async () => {
  page = await site.open();
  const idOf = async (act: () => Promise<unknown>): Promise<unknown> =>
    ((await next('site_view', act)).event['visitor'] as { anonymousId: string }).anonymousId;
  const first = await idOf(() => page.reload());
  expect(await idOf(() => page.reload())).toBe(first);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await page.locator('.visitor').getByText('Anonymous', { exact: true }).click();
  const other = page.getByRole('button', { name: 'Read as another anonymous visitor' });
  expect(await idOf(() => other.press('Enter'))).not.toBe(first);
});

it.each(['', 'x.y.z', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJldmUifQ.'])('rejects the token "%s"', async (token) => {
  const { siteOrigin } = site.platform;
  const response = await fetch(`${siteOrigin}//attacker.test/?jwt_token=${token}`, { redirect: 'manual' });
  expect(response.status).toBe(401);
  expect(await response.text()).toContain('jwt_token is not valid');
});
