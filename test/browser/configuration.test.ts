import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console', '--oauth-provider local --oauth approve --state memory'.split(' '));
let page: Page;
afterEach(() => page.context().close());

interface Configuration {
  status: string;
  configuration: Record<string, unknown>;
}
const stored = (part = ''): Promise<Configuration> =>
  console_.platform.api('GET', `/configuration?installation=installation_1${part}`);
const setups = async (): Promise<number> =>
  (await console_.platform.api<unknown[]>('GET', '/calls?type=installation_setup')).length;

const saved = (label: string) =>
  page
    .locator('.property')
    .filter({ has: page.getByLabel(label).first() })
    .getByText('Saved');

it('sends an event for each edit, and activates the installation once all properties are set', async () => {
  page = await console_.open('configuration');
  const banner = page.locator('.screen-banner');
  await banner.getByText('Workspace, Channel, Harbor account').waitFor();
  const before = await setups();

  await page.getByLabel('Workspace').fill('acme');
  await page.getByLabel('Workspace').press('Enter');
  await banner.getByText('Channel, Harbor account').waitFor();

  await page.getByLabel('Region').selectOption('us-east');
  await saved('Region').waitFor();
  await page.getByLabel('Alert after').fill('12');
  await page.getByLabel('Alert after').blur();
  await saved('Alert after').waitFor();
  await page.getByRole('switch', { name: 'Tell the readers' }).click();
  await saved('Tell the readers').waitFor();

  const channel = page.getByRole('combobox', { name: 'Channel' });
  await channel.fill('op');
  await page.getByRole('option', { name: '#ops' }).waitFor();
  expect(await page.getByRole('option').filter({ hasText: '#' }).allInnerTexts()).toEqual(['#ops']);
  await channel.press('Enter');
  await banner.getByText('This property is missing or invalid').waitFor();
  expect(await setups()).toBe(before + 5);

  const popup = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Connect Harbor' }).click();
  const flow = await popup;
  await banner.getByText('Harbor account connected').waitFor();
  await page.locator('.screen-head').getByText('Active', { exact: true }).waitFor();
  await page.getByText('Connected', { exact: true }).first().waitFor();
  if (!flow.isClosed()) await flow.waitForEvent('close', { timeout: 5000 });

  expect(await stored()).toMatchObject({
    status: 'active',
    configuration: {
      workspace: 'acme',
      region: 'us-east',
      threshold: 12,
      notify: false,
      channel: 'ops',
      oauth_credentials: expect.anything(),
    },
  });
  await page.getByRole('link', { name: /pending → active/ }).waitFor();

  await page.getByRole('button', { name: 'Disconnect' }).click();
  const dialog = page.getByRole('dialog', { name: 'Disconnect Harbor account?' });
  await dialog.getByText('This removes the stored credentials.').waitFor();
  // Enter presses Cancel.
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Connected', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await banner.getByText('This property is missing or invalid').waitFor();
});

it('saves the typed text when the field loses focus, and uses the same text size as a rendered form', async () => {
  page = await console_.open('configuration');
  const workspace = page.getByLabel('Workspace');
  await workspace.fill('saved-by-leaving');
  await page.getByText('Each edit is saved when you leave its field.').click();
  await page.locator('.property', { has: workspace }).getByText('Saved', { exact: true }).waitFor();
  expect(await console_.platform.api('GET', '/installations')).toMatchObject([
    { configuration: { workspace: 'saved-by-leaving' } },
  ]);
  const size = (label: string) =>
    page.getByLabel(label).evaluate((element) => getComputedStyle(element).fontSize);
  const here = await size('Workspace');
  await page.getByRole('link', { name: /Local space/ }).click();
  await page.getByLabel('Layout').waitFor();
  expect(await size('Layout')).toBe(here);
});

it('explains next to the field why a value was rejected', async () => {
  page = await console_.open('configuration');
  await console_.platform.api('PATCH', '/configuration', { set: { region: 'mars' } });
  await page.locator('.property').getByText('It must be one of eu-west, us-east, ap-south.').waitFor();
  await console_.platform.api('PATCH', '/configuration', { set: { region: 'eu-west' } });
});

it('keeps the text typed into a configuration field while the page updates', async () => {
  const { platform } = console_;
  page = await console_.open('configuration');
  const workspace = page.getByLabel('Workspace');
  await workspace.fill('half a na');
  await platform.api('PATCH', '/configuration', { set: { region: 'ap-south' } });
  await expect.poll(() => page.getByLabel('Region').inputValue()).toBe('ap-south');
  await platform.api('PATCH', '/configuration', { set: { workspace: 'from elsewhere' } });
  await page.getByRole('region', { name: 'Stored configuration' }).getByText('"from elsewhere"').waitFor();
  platform.edit('src/index.tsx', (text) => text.replace("version: 'one'", "version: 'typed'"));
  await page.getByText('v2 · unlisted').waitFor();
  expect(await workspace.inputValue()).toBe('half a na');
  await page.keyboard.type('me');
  await page.keyboard.press('Enter');
  await page.keyboard.type(', and more');
  await expect.poll(async () => (await stored()).configuration.workspace).toBe('half a name');
  await page.getByRole('region', { name: 'Stored configuration' }).getByText('"half a name"').waitFor();
  expect(await workspace.inputValue()).toBe('half a name, and more');
});

it('does not select an option from the results of an earlier search', async () => {
  page = await console_.open('configuration');
  const channel = page.getByRole('combobox', { name: 'Channel' });
  await channel.click();
  await page.getByRole('option', { name: '#incidents' }).waitFor();
  await channel.pressSequentially('ran');
  await channel.press('Enter');
  await page.getByRole('option', { name: '#incidents' }).waitFor({ state: 'detached' });
  expect((await stored()).configuration.channel).not.toBe('incidents');
  await channel.press('Enter');
  await expect.poll(async () => (await stored()).configuration.channel).toBe('random');
});

it('saves the configuration of a site', async () => {
  page = await console_.open('configuration');
  await page.getByRole('link', { name: /Local site/ }).click();
  expect(await page.getByLabel('Banner text').inputValue()).toBe('We are looking into it.');
  await page.getByLabel('Banner text').fill('All is well.');
  await page.getByLabel('Banner text').press('Tab');
  await saved('Banner text').waitFor();
  expect(await stored('&site=site_local')).toMatchObject({ configuration: { banner: 'All is well.' } });
  expect(page.url()).toContain('/console/installations/installation_1/sites/site_local');
});

it("renders a space's configuration screen with the component that the manifest specifies", async () => {
  page = await console_.open('installations/installation_1/spaces/space_local');
  await page.getByLabel('Layout').selectOption('list');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The component is complete.').waitFor();
  expect(await stored('&space=space_local')).toMatchObject({ configuration: { layout: 'list' } });
});
