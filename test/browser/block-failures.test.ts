import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { picture, useConsole } from '../support/console-page.js';

const console_ = useConsole('console', ['--state', 'memory']);
let page: Page;
beforeEach(async () => {
  for (const { id } of await console_.platform.api<{ id: string }[]>('GET', '/blocks'))
    await console_.platform.api('DELETE', `/blocks/${id}`);
});
afterEach(() => page.context().close());

const insert = (component: string): Promise<unknown> =>
  console_.platform.api('POST', '/blocks', { component, space: 'space_local', props: {} });
const block = (title: string) => page.getByRole('region', { name: `Block ${title}` });
const inspector = () => page.getByRole('complementary', { name: 'Inspector' });

it('asks for confirmation before an action, and links a failed action to its call', async () => {
  await insert('incident');
  page = await console_.open('blocks');
  await block('Incident').getByRole('button', { name: 'Close', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Close it?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await block('Incident').getByRole('alert').count()).toBe(0);
  await block('Incident').getByRole('button', { name: 'Close', exact: true }).click();
  await dialog.getByRole('button', { name: 'Close it' }).click();
  const alert = block('Incident').getByRole('alert');
  await alert.getByText('Error: the incident cannot be closed').waitFor();
  await alert.getByText(/^src\/incident\.tsx:\d+:\d+$/).waitFor();
  await inspector().getByRole('tab', { name: 'Markup failed' }).waitFor();
  await picture(page, 'block-failure');

  const failed = () => console_.platform.api<unknown[]>('GET', '/calls?type=ui_render&outcome=error');
  const before = (await failed()).length;
  await alert.getByRole('button', { name: 'Run again' }).click();
  await expect.poll(async () => (await failed()).length).toBe(before + 1);
  await inspector().getByRole('tab', { name: 'Actions' }).click();
  await expect.poll(() => inspector().locator('.action-step code').allInnerTexts()).toEqual(['fail', 'fail']);
  await block('Incident').getByRole('button', { name: 'View the call and its logs' }).click();
  await page.getByText('the incident cannot be closed').first().waitFor();
});

it('shows a failed action on a narrow screen, and marks its handler and its call in the inspector', async () => {
  await insert('incident');
  page = await console_.open('blocks');
  await page.setViewportSize({ width: 390, height: 844 });
  const widths = page.getByRole('group', { name: 'Width' }).getByRole('button');
  const options = page.getByRole('button', { name: 'Page options' });
  expect(await widths.count()).toBe(0);
  await options.click();
  await expect.poll(() => widths.allInnerTexts()).toEqual(['360 px', 'Full']);
  await options.click();
  expect(await inspector().evaluate((pane) => pane.clientHeight)).toBeLessThan(60);

  await block('Incident').getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close it' }).click();
  const alert = block('Incident').getByRole('alert');
  await alert.getByText(/^fail failed at \d\d:\d\d:\d\d$/).waitFor();
  const [box, stage] = [await alert.boundingBox(), await page.locator('.stage').boundingBox()];
  if (!box || !stage) throw new Error('Not shown');
  expect(box.y).toBeGreaterThanOrEqual(stage.y);
  expect(box.y + box.height).toBeLessThanOrEqual(stage.y + stage.height);

  // The tab is marked while the pane is still closed.
  await inspector().getByRole('img', { name: 'failed' }).waitFor();
  await inspector().getByRole('tab', { name: 'Markup' }).click();
  const marked = inspector().locator('.tree-line', { hasText: 'failed' });
  expect(await marked.allInnerTexts()).toEqual([expect.stringContaining('onPress=fail')]);
  await inspector().getByRole('tab', { name: 'Log' }).click();
  const failed = inspector().locator('li[aria-current]');
  await failed.locator('.log.error').getByText('Error: the incident cannot be closed').waitFor();
  await inspector().getByRole('button', { name: 'Block details' }).click();
  expect(await failed.isVisible()).toBe(false);
  await block('Incident').getByRole('button', { name: 'Acknowledge (0)' }).click();
  await block('Incident').getByText('1').first().waitFor();
  expect(await alert.count()).toBe(0);
});
