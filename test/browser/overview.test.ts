import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console');
let page: Page;
afterEach(() => page.context().close());

const card = (title: string) =>
  page.locator('.card').filter({ has: page.getByRole('heading', { name: title }) });

const now = () => page.getByRole('region', { name: 'Now' });
const failures = () => card('Failures since the last save');
const calls = () => page.getByRole('listbox', { name: /Calls, newest first/ }).getByRole('option');

it('shows the integration, its URLs and its scopes', async () => {
  const { platform } = console_;
  page = await console_.open();
  expect(await page.title()).toBe('Overview · Harbor Status');
  expect(await page.getByText('space:content:read').isVisible()).toBe(false);
  await page.getByText('Addresses and scopes').press('Enter');
  await page.getByText('space:content:read').waitFor();
  await page.getByRole('button', { name: 'Copy the URL: Public endpoint' }).press('Enter');
  await page.getByText('Copied to the clipboard').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${platform.origin}/v1/integrations/harbor-status`,
  );
});

it('shows the code frame of a broken build while the previous version keeps running', async () => {
  const { platform } = console_;
  page = await console_.open();
  await now().getByText('Build up to date').waitFor();
  platform.edit('src/poll.tsx', (text) =>
    text.replace('initialState: { votes: 0 }', 'initialState: { votes: 0'),
  );
  await now().getByText('Build broken').waitFor();
  await now().getByRole('heading', { name: 'The last save does not build' }).waitFor();
  expect(await card('Build').getByText('is still running').count()).toBe(1);
  const frame = await card('Build').locator('.frame').first().innerText();
  expect(frame).toMatch(/> +\d+ \| .*\n +\| +\^/);
  expect(await card('Build').getByText('src/poll.tsx:').count()).toBeGreaterThan(0);
  expect((await fetch(`${platform.endpoint}/status`)).status).toBe(200);
  const banner = page.getByRole('alert', { name: 'Broken build' });
  const savedAt = /last save at ([\d:]+)/.exec(await now().innerText())?.[1] ?? 'unknown';
  for (const view of ['Configuration', 'Calls', 'Webhooks', 'Listing', 'Blocks']) {
    await page.getByRole('link', { name: view, exact: true }).click();
    await banner.getByText(/^src\/poll\.tsx:\d+:\d+$/).waitFor();
    await banner.getByRole('region', { name: 'Source of src/poll.tsx' }).waitFor();
  }
  await banner.getByText(`Saved at ${savedAt}. The blocks show version`).waitFor();
  await banner.getByRole('button', { name: 'Hide the problem' }).press('Enter');
  await banner.getByRole('region').waitFor({ state: 'hidden' });
  expect((await banner.boundingBox())?.height).toBeLessThan(64);
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  await banner.getByRole('button', { name: 'Show the problem' }).press('Enter');
  await banner.getByRole('region', { name: 'Source of src/poll.tsx' }).waitFor();
  await page.getByRole('link', { name: 'Blocks', exact: true }).click();

  platform.edit('src/poll.tsx', (text) =>
    text.replace('initialState: { votes: 0', 'initialState: { votes: 0 }'),
  );
  await banner.waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await now().getByText('Build up to date').waitFor();
});

it('groups the failures since the last save, and links each group to its calls', async () => {
  const { platform } = console_;
  page = await console_.open();
  platform.edit('src/index.tsx', (text) => `console.debug('first save');\n${text}`);
  await now().getByText('No calls with errors or warnings since the last save').waitFor();
  for (let i = 0; i < 6; i += 1) await fetch(`${platform.endpoint}/fail`);
  await platform.api('POST', '/render', { component: 'elements', space: 'space_local' });
  await now().getByRole('link', { name: '6 errors', exact: true }).waitFor();
  await now().getByRole('link', { name: '1 warning', exact: true }).waitFor();
  await failures().getByRole('link', { name: '2 failures in 7 calls' }).waitFor();
  const group = failures().getByRole('listitem').filter({ hasText: 'TypeError' });
  await group.getByText(/^src\/index\.tsx:\d+:\d+$/).waitFor();
  await group.getByRole('region', { name: 'Source of src/index.tsx' }).waitFor();
  await group.getByText(/^first at [\d:]+, last just now, at [\d:]+$/).waitFor();

  await group.getByRole('link', { name: '6 calls' }).click();
  await page.getByText(/^6 of \d+ calls/).waitFor();
  // Equal failures in a row share one row.
  await calls().getByText('6×').waitFor();
  expect(await calls().count()).toBe(1);
  await calls().getByText('6×').click();
  await expect.poll(() => calls().count()).toBe(6);
  await page.getByRole('link', { name: '6 errors since the last save' }).click();
  await page.getByText(/^6 of \d+ calls/).waitFor();
  await page.getByRole('link', { name: '1 warning since the last save' }).click();
  await page.getByText(/^1 of \d+ calls/).waitFor();

  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await group.getByRole('button', { name: 'Replay' }).press('Enter');
  await page.getByRole('dialog').getByText('Still fails, with the same response').waitFor();
  await page.keyboard.press('Escape');
  await group.getByText('7 calls').waitFor();
  platform.edit('src/index.tsx', (text) => `${text}\nconsole.debug('second save');\n`);
  await now().getByText('No calls with errors or warnings since the last save.', { exact: true }).waitFor();
  await fetch(`${platform.endpoint}/fail`);
  await group.getByText(/^first at [\d:]+, before the last save, last just now, at/).waitFor();
  await group.getByRole('link', { name: /^TypeError/ }).press('Enter');
  await page.getByRole('article').getByText('TypeError').first().waitFor();
});

it('collapses the failures of earlier versions and resets the count on each save', async () => {
  const { platform } = console_;
  page = await console_.open();
  await now().getByText('since the last save', { exact: true }).waitFor();
  const version = await now()
    .getByText(/^Version \d+/)
    .innerText();
  platform.edit('src/index.tsx', (text) => `console.debug('saved');\n${text}`);
  await now().getByText('No calls with errors or warnings since the last save').waitFor();
  await expect
    .poll(() =>
      now()
        .getByText(/^Version \d+/)
        .innerText(),
    )
    .not.toBe(version);
  expect(await failures().count()).toBe(0);
  expect(await page.getByRole('link', { name: /errors? since the last save/ }).count()).toBe(0);
  await page
    .getByRole('button', { name: /^Replay (?:the failure|\d+ failures) on version \d+$/ })
    .press('Enter');
  const verdict = card('still fail');
  const failing = verdict.getByRole('listitem').filter({ hasText: 'Still failing' });
  await failing.first().waitFor();
  const still = await failing.count();
  await now()
    .getByText(new RegExp(`^${still} earlier failures? still fails?$`))
    .waitFor();
  expect(await now().getByText('No errors').count()).toBe(0);
  const heading = verdict.getByRole('heading');
  expect(await heading.innerText()).toMatch(new RegExp(`^\\d+ of \\d+ fixed, ${still} still fails?`));
  await page.setViewportSize({ width: 390, height: 844 });
  expect((await heading.boundingBox())?.height).toBeLessThan(50);
  await page.setViewportSize({ width: 1280, height: 800 });
  const earlier = verdict.getByRole('listitem').filter({ hasText: 'TypeError' });
  await earlier.getByRole('button', { name: /^Details of: TypeError/ }).press('Enter');
  await earlier.getByText(/by version \d+/).waitFor();
  await page.getByRole('button', { name: 'Hide the earlier failures' }).press('Enter');
  expect(await earlier.count()).toBe(0);
  await page.getByRole('button', { name: 'Show the earlier failures' }).press('Enter');
  const all = page.getByRole('link', { name: /^All \d+ errors/ });
  const counts = (await all.innerText()).match(/\d+/g) ?? [];
  await all.click();
  const sum = counts.reduce((before, count) => before + Number(count), 0);
  await page.getByText(new RegExp(`^${sum} of \\d+ calls`)).waitFor();
});

it('checks off completed setup steps, and explains why an installation is pending', async () => {
  const { platform } = console_;
  page = await console_.open();
  // The previous tests have called the endpoint and rendered a block.
  const steps = card('First steps').getByRole('listitem');
  await steps.filter({ hasText: 'Call the public endpoint' }).getByLabel('Done').waitFor();
  const missing = steps.filter({ hasText: 'Configure the installation' });
  await missing.getByRole('link', { name: /^Set Workspace/ }).waitFor();
  const event = steps.filter({ hasText: 'Send an event' });
  await event
    .getByRole('button', { name: 'Copy: npx platform trigger space_content_updated' })
    .press('Enter');
  await page.getByText('Copied to the clipboard').waitFor();
  await platform.api('POST', '/events', { type: 'space_content_updated' });
  await card('First steps').waitFor({ state: 'detached' });
  await card('Installations')
    .getByRole('link', { name: /^Missing or invalid: Workspace/ })
    .press('Enter');
  await page.waitForURL(/installations[/]installation_1$/);
});

it('opens the configuration of each space and each site at a separate URL', async () => {
  page = await console_.open();
  for (const [kind, id] of [
    ['Space', 'space_local'],
    ['Site', 'site_local'],
  ]) {
    await console_.visit(page, `${kind?.toLowerCase()}s/${id}`);
    await page.getByText(`${kind}: Local ${kind?.toLowerCase()}`).waitFor();
  }
});

it('offers only installations that the platform would accept', async () => {
  const { platform } = console_;
  page = await console_.open();
  const change = (from: string, to: string): void =>
    platform.edit('platform-manifest.yaml', (text) =>
      text.replace(`visibility: ${from}`, `visibility: ${to}`),
    );
  change('unlisted', 'private');
  await page.getByRole('button', { name: 'Other organizations' }).press('Enter');
  await page.getByText('Another organization: a private integration can be installed only').waitFor();
  change('private', 'unlisted');
  await page.getByRole('button', { name: 'Install in Another organization using the link' }).waitFor();
});

it('pauses, resumes, uninstalls and installs the integration', async () => {
  const { platform } = console_;
  page = await console_.open();
  const installations = card('Installations');
  const actions = installations.getByRole('button', { name: /^Actions for/ });
  await actions.click();
  await installations.getByRole('button', { name: 'Pause' }).click();
  await installations.getByText('Paused').first().waitFor();
  expect((await fetch(`${platform.endpoint}/status`)).status).toBe(503);
  await actions.click();
  await installations.getByRole('button', { name: 'Resume' }).click();
  await installations.getByText('Pending').first().waitFor();

  await installations.getByRole('button', { name: 'Remove from Local site' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('its public endpoint').waitFor();
  await dialog.getByRole('button', { name: 'Uninstall' }).click();
  const site = installations.getByRole('listitem').filter({ hasText: 'Local site' });
  await site.getByText('not installed').waitFor();
  await installations.getByRole('button', { name: 'Install in Local site' }).click();
  await installations.getByRole('button', { name: 'Remove from Local site' }).waitFor();

  await installations.getByRole('button', { name: 'Other organizations' }).click();
  await installations.getByRole('button', { name: 'Install in Another organization using the link' }).click();
  await installations.getByText('installation_2').waitFor();

  // Everything to be removed is listed, and Enter changes nothing.
  await platform.api('POST', '/webhooks', {
    space: 'space_local',
    url: 'http://127.0.0.1:1/hook',
    events: ['space_content_updated'],
  });
  await platform.api('POST', '/blocks', { component: 'incident', props: {} });
  await actions.first().click();
  await installations.getByRole('button', { name: 'Uninstall' }).click();
  await dialog.getByText('1 webhook endpoint: http://127.0.0.1:1/hook').waitFor();
  await dialog.getByText('1 block: incident', { exact: true }).waitFor();
  await dialog.getByText("Queued tasks don't run, and pending deliveries fail.").waitFor();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await installations.getByText('installation_1').waitFor();

  await actions.last().click();
  await installations.getByRole('button', { name: 'Uninstall' }).click();
  await dialog.getByRole('button', { name: 'Uninstall' }).click();
  await installations.getByText('installation_2').waitFor({ state: 'detached' });
});
