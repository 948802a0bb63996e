import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console', ['--oauth-provider', 'local', '--state', 'memory']);
let page: Page;
afterEach(() => page.context().close());

const card = () =>
  page.locator('.card', { has: page.getByRole('heading', { name: 'Connection, step by step' }) });
const step = (name: string) => card().getByRole('listitem').filter({ hasText: name });

async function connect(button: string, decision: string): Promise<void> {
  const popup = page.context().waitForEvent('page');
  await page.getByRole('button', { name: button }).click();
  const provider = await popup;
  await provider.getByRole('heading', { name: 'Connect Harbor Status?' }).waitFor();
  await provider.getByRole('button', { name: decision, exact: true }).click();
}

it('shows the steps of an OAuth connection and retries from the step that failed', async () => {
  page = await console_.open('configuration');
  await connect('Connect Harbor', 'Allow, with an expired code');
  const failed = page.getByRole('alert').filter({ hasText: 'failed at the step Token exchange' });
  await failed.waitFor();
  const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? NaN;
  expect(await top('.card:has(.connection-steps)')).toBeLessThan(await top('.installation-screen'));
  await failed.getByRole('button', { name: 'Show the steps' }).click();
  await step('Token exchange')
    .getByText('The token endpoint responded with 400: invalid_grant: The code has expired.')
    .waitFor();
  await step('Token exchange')
    .getByText(/^src\/index\.tsx:\d+:\d+$/)
    .waitFor();
  await step('Token exchange').getByText('POST https://harbor.example.com/oauth/token').waitFor();
  await step('extractCredentials').getByText('Not reached').waitFor();
  // The error is reported once, and the installation is not merely pending.
  expect(await card().locator('.failure').count()).toBe(0);
  await page.getByRole('navigation', { name: 'Targets' }).getByText('Failed', { exact: true }).waitFor();
  // Above the steps: the provider's own sentence, its code, the time, line and call, and what to do next.
  const notice = card().locator('.failed-step');
  expect(await notice.innerText()).toMatch(
    /^Token exchange failed: The code has expired\.\s+invalid_grant\s*\d\d:\d\d:\d\d\.\d{3}\s*src\/index\.tsx:\d+:\d+\s*call_\w+\s*Connect again\. A code can be used only once/,
  );
  for (const size of [
    { width: 900, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    const { y = NaN, height = NaN } = (await notice.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(size.height / 2);
  }
  await page.setViewportSize({ width: 1280, height: 800 });

  await connect('Connect again', 'Allow');
  await card().getByText('Connected', { exact: true }).waitFor();
  expect(await failed.count()).toBe(0);
  // What is connected is in the upper half of the first screen at every width, although its field is far down. The height of
  // the banner depends on the length of this start's address.
  const account = page.locator('.screen-banner.account');
  await account.getByText('Scope').waitFor();
  for (const width of [390, 900, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const { y = NaN, height = NaN } = (await account.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(440);
  }
  expect(await account.innerText()).toMatch(
    /^Harbor account connected since [\d :-]+\s+Token expires [\d :-]+, in (59 min|1 h 0 min)\s+Scope incidents:read$/,
  );
  // The form offers to connect again, and the card does not repeat it.
  await expect
    .poll(() => page.getByRole('button', { name: /^Connect/ }).allInnerTexts())
    .toEqual(['Connect again']);
  expect(await top('.card:has(.connection-steps)')).toBeGreaterThan(await top('.installation-screen'));
  const exchange = step('Token exchange');
  await exchange.getByRole('button').click();
  expect(await exchange.locator('.connection-details').innerText()).toMatch(
    /access_token\s+•••[^]*refresh_token\s+•••/,
  );
  await step('Stored').getByRole('button').click();
  await step('Stored').getByText('configuration.oauth_credentials').waitFor();
  expect(await card().getByRole('combobox', { name: 'Attempt' }).locator('option').count()).toBe(2);

  await step('Authorize').getByRole('button').click();
  await step('Authorize').getByRole('link', { name: 'View the call' }).click();
  await page.getByText('GET /oauth').first().waitFor();
});

it('shows a token refresh in any kind of call, and still offers to connect again', async () => {
  const { platform } = console_;
  page = await console_.open('configuration');
  await connect('Connect again', 'Allow');
  await card().getByText('Connected', { exact: true }).waitFor();
  const refresh = `await fetch('http://127.0.0.1:9/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'rt-1' }),
  }).catch(() => {});`;
  platform.edit('src/index.tsx', (text) =>
    text.replace(
      'installation_setup: async (event) =>',
      `$& { ${refresh} },\n    other: async (event: any) =>`,
    ),
  );
  await page.getByText(/^v2 /).waitFor();
  await platform.api('POST', '/events', { type: 'installation_setup' });
  await card().getByText('Token refresh failed: no response').waitFor();
  await step('Token refresh').getByText('no response').waitFor();
  await card().getByRole('button', { name: 'Connect again' }).waitFor();
});
