import { afterEach, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { picture, useConsole } from '../support/console-page.js';

const console_ = useConsole('console');
let page: Page;
afterEach(() => page.context().close());

const card = (title: string) =>
  page.locator('.card').filter({ has: page.getByRole('heading', { name: title }) });

describe('overview', () => {
  it('names the integration, its addresses and its scopes', async () => {
    const { platform } = console_;
    page = await console_.open();
    await page.getByRole('heading', { name: 'Harbor Status', level: 2 }).waitFor();
    expect(await page.title()).toBe('Overview · Harbor Status');
    expect(await page.getByText('space:content:read').count()).toBe(1);
    await page.getByRole('button', { name: 'Copy the address: Public endpoint' }).click();
    await page.getByText('Copied to the clipboard').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${platform.origin}/v1/integrations/harbor-status`,
    );
    await picture(page, 'overview');
  });

  it('shows the code frame of a broken build until it is fixed, while the previous version runs', async () => {
    const { platform } = console_;
    page = await console_.open();
    await card('Build').getByText('Up to date').waitFor();
    platform.edit('src/poll.tsx', (text) =>
      text.replace('initialState: { votes: 0 }', 'initialState: { votes: 0'),
    );
    await card('Build').getByText('Broken').waitFor();
    expect(await card('Build').getByText('is still running').count()).toBe(1);
    const frame = await card('Build').locator('.frame').first().innerText();
    expect(frame).toMatch(/> +\d+ \| .*\n +\| +\^/);
    expect(await card('Build').getByText('src/poll.tsx:').count()).toBeGreaterThan(0);
    expect((await fetch(`${platform.endpoint}/status`)).status).toBe(200);
    await picture(page, 'overview-broken');
    const banner = page.getByRole('alert', { name: 'Broken build' });
    for (const view of ['Configuration', 'Calls', 'Webhooks', 'Listing', 'Blocks']) {
      await page.getByRole('link', { name: view, exact: true }).click();
      await banner.getByText(/^src\/poll\.tsx:\d+:\d+$/).waitFor();
      await banner.getByRole('region', { name: 'Source of src/poll.tsx' }).waitFor();
      if (view === 'Calls') await picture(page, 'calls-broken');
    }
    await banner.getByText('The blocks show version').waitFor();
    await picture(page, 'blocks-broken');

    platform.edit('src/poll.tsx', (text) =>
      text.replace('initialState: { votes: 0', 'initialState: { votes: 0 }'),
    );
    await banner.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await card('Build').getByText('Up to date').waitFor();
  });

  it('counts few calls in text, and charts twenty and more', async () => {
    const { platform } = console_;
    page = await console_.open();
    await fetch(`${platform.endpoint}/fail`);
    const activity = card('Activity');
    await activity.getByText(/^\d+ calls, 1 failed/).waitFor();
    expect(await activity.getByRole('table').count()).toBe(0);
    await Promise.all(Array.from({ length: 20 }, () => fetch(`${platform.endpoint}/status`)));
    const handler = activity.getByRole('row', { name: /^fetch/ });
    await expect.poll(() => handler.innerText()).toMatch(/^fetch\s+2\d\s+\S+ m?s\s+\S+ m?s$/);
    const minutes = activity.getByRole('list', { name: 'Calls per minute' }).getByRole('listitem');
    expect((await minutes.allInnerTexts()).join()).toMatch(/^\d\d:\d\d: \d+ calls/);
    expect(await activity.locator('.bar.failures').count()).toBe(1);
    await picture(page, 'overview-activity');
  });

  it('pauses, resumes, uninstalls and installs', async () => {
    const { platform } = console_;
    page = await console_.open();
    const installations = card('Installations');
    await installations.getByRole('button', { name: 'Pause' }).click();
    await installations.getByText('Paused').first().waitFor();
    expect((await fetch(`${platform.endpoint}/status`)).status).toBe(503);
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

    await installations
      .getByRole('button', { name: /^Install through the link.*Another organization$/ })
      .click();
    await installations.getByText('installation_2').waitFor();

    // Everything that goes with it is listed, and Enter changes nothing.
    await platform.api('POST', '/webhooks', {
      space: 'space_local',
      url: 'http://127.0.0.1:1/hook',
      events: ['space_content_updated'],
    });
    await platform.api('POST', '/blocks', { component: 'incident', props: {} });
    await installations.getByRole('button', { name: 'Uninstall' }).first().click();
    await dialog.getByText('1 webhook endpoint: http://127.0.0.1:1/hook').waitFor();
    await dialog.getByText(/^1 block: incident \(block_\w+\)$/).waitFor();
    await picture(page, 'overview-uninstall');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await installations.getByText('installation_1').waitFor();

    await installations.getByRole('button', { name: 'Uninstall' }).last().click();
    await dialog.getByRole('button', { name: 'Uninstall' }).click();
    await installations.getByText('installation_2').waitFor({ state: 'detached' });
  });
});
