import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

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

it('lists the blocks of the manifest on an empty page, without an inspector', async () => {
  page = await console_.open('blocks');
  const first = page.getByRole('button', { name: 'Poll Ask readers a question' });
  await first.waitFor();
  expect(await inspector().count()).toBe(0);
  await first.press('Enter');
  await block('Poll').getByText('Was this page of help?').waitFor();
  await inspector().getByRole('tab', { name: 'Markup' }).waitFor();
  expect(await first.count()).toBe(0);
});

it('inserts blocks from the quick-insert menu with only the keyboard', async () => {
  page = await console_.open('blocks');
  await page.locator('.first-blocks').getByRole('button').first().waitFor();
  await page.keyboard.press('Control+/');
  const menu = page.getByRole('listbox', { name: 'Blocks' });
  expect(await menu.getByRole('option').allInnerTexts()).toEqual([
    'Incident\nA live card for one incident',
    'Poll\nAsk readers a question',
    'All elements\nEvery element of the markup on one page',
  ]);
  await page.keyboard.type('readers');
  await page.keyboard.press('Enter');
  await block('Poll').getByText('Was this page of help?').waitFor();
  await page.keyboard.press('Control+/');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await block('Incident').getByText('Searches are slow').waitFor();
});

it('turns a pasted link into a block', async () => {
  page = await console_.open('blocks');
  await page.evaluate(() => navigator.clipboard.writeText('https://status.example.com/incidents/4711'));
  await page.locator('.paper').click();
  await page.keyboard.press('Control+v');
  await block('Incident').getByText('Incident 4711').waitFor();
  await inspector().getByRole('tab', { name: 'Actions' }).click();
  await inspector().getByText('@link.unfurl').first().waitFor();
  await inspector().getByRole('tab', { name: 'Props' }).click();
  expect(await inspector().getByLabel('url', { exact: true }).inputValue()).toBe(
    'https://status.example.com/incidents/4711',
  );
});

it('renders a block in another theme, at another width and in another text direction', async () => {
  await insert('incident');
  page = await console_.open('blocks');
  await block('Incident').waitFor();
  const paper = page.locator('.paper');
  await page.getByRole('group', { name: 'Theme' }).getByText('Dark').click();
  await page.getByRole('button', { name: 'RTL' }).click();
  await page.getByRole('button', { name: '360' }).click();
  expect(await paper.evaluate((e) => [e.clientWidth < 362, getComputedStyle(e).direction])).toEqual([
    true,
    'rtl',
  ]);
  await expect
    .poll(async () => {
      const [last] = (await console_.platform.api<{ id: string }[]>('GET', '/calls?type=ui_render')).slice(
        -1,
      );
      const { event } = await console_.platform.api<{ event: { context: unknown } }>(
        'GET',
        `/calls/${last?.id}`,
      );
      return event.context;
    })
    .toMatchObject({ type: 'document', theme: 'dark' });
});

it("binds a component's inputs to its state, sends its actions and shows its markup", async () => {
  await insert('incident');
  page = await console_.open('blocks');
  await block('Incident').getByLabel('Note').fill('looking');
  await block('Incident').getByRole('button', { name: 'Acknowledge (0)' }).click();
  await block('Incident').getByRole('button', { name: 'Acknowledge (1)' }).waitFor();

  await inspector().getByRole('tab', { name: 'Markup' }).click();
  await inspector().getByRole('button', { name: 'hstack' }).waitFor();
  await inspector().getByRole('tab', { name: 'State' }).click();
  expect(await inspector().getByLabel('note', { exact: true }).inputValue()).toBe('looking');
  await inspector().getByLabel('note', { exact: true }).fill('seen');
  await expect.poll(() => block('Incident').getByLabel('Note').inputValue()).toBe('seen');
  await inspector().getByLabel('note', { exact: true }).fill('looking');

  await inspector().getByRole('tab', { name: 'Actions' }).click();
  await inspector().getByText('"acknowledge"').waitFor();
  const diff = inspector().getByRole('region', { name: 'State before and after' });
  expect(await diff.locator('.diff-line.removed').innerText()).toMatch(/: 0/);
  expect(await diff.locator('.diff-line.added').innerText()).toMatch(/: 1/);
  await inspector().getByRole('button', { name: 'Restore the previous state' }).click();
  await block('Incident').getByRole('button', { name: 'Acknowledge (0)' }).click();
  await block('Incident').getByRole('button', { name: 'Acknowledge (1)' }).waitFor();
  expect(await inspector().locator('.action-step').count()).toBe(2);
  await inspector().getByRole('button', { name: 'Send acknowledge' }).click();
  await block('Incident').getByRole('button', { name: 'Acknowledge (2)' }).waitFor();
  await inspector().getByRole('link', { name: 'Rendered' }).waitFor();
  await inspector().getByRole('tab', { name: 'Log' }).click();
  await inspector().getByText("acknowledged { note: 'looking' }").first().waitFor();

  await block('Incident').getByRole('button', { name: 'Store the title' }).click();
  await block('Incident').getByText('looking', { exact: true }).waitFor();
  expect(await console_.platform.api('GET', '/blocks')).toMatchObject([{ props: { title: 'looking' } }]);
});

it('opens a modal and receives its return value', async () => {
  await insert('incident');
  page = await console_.open('blocks');
  await block('Incident').getByRole('button', { name: 'Details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Details' });
  await dialog.getByText('Of this incident').waitFor();
  await dialog.getByLabel('Title').fill('Searches are back');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await block('Incident').getByText('Searches are back').waitFor();
});

it('rerenders a component with changed props and stores them in the block', async () => {
  await insert('incident');
  page = await console_.open('blocks');
  await inspector().getByRole('tab', { name: 'Props' }).click();
  await inspector().getByLabel('Name of a new prop').fill('title');
  await page.keyboard.press('Enter');
  const title = inspector().getByLabel('title', { exact: true });
  await title.fill('Logins fail');
  await block('Incident').getByText('Logins fail').waitFor();
  await inspector().getByRole('button', { name: 'JSON', exact: true }).click();
  const json = inspector().getByLabel('The props as JSON', { exact: true });
  await json.fill('{ "title": "Logins ');
  await inspector().getByText('Enter a valid JSON object.').waitFor();
  await json.fill('{ "title": "Logins work", "url": "https://status.example.com/incidents/7" }');
  await block('Incident').getByText('https://status.example.com/incidents/7').waitFor();
  await inspector().getByRole('button', { name: 'Form', exact: true }).click();
  await inspector().getByRole('button', { name: 'Remove url' }).click();
  await block('Incident').getByText('Open since').waitFor();
  expect(await title.inputValue()).toBe('Logins work');
  await page.reload();
  await block('Incident').getByText('Logins work').waitFor();
});

it('opens the quick-insert menu where it is fully visible', async () => {
  await insert('incident');
  page = await console_.open('blocks');
  await block('Incident').getByText('Note').waitFor();
  await page.setViewportSize({ width: 390, height: 760 });
  await page.keyboard.press('Control+/');
  const last = page.getByRole('listbox', { name: 'Blocks' }).getByRole('option').last();
  const stage = await page.locator('.stage').boundingBox();
  const box = await last.boundingBox();
  if (!stage || !box) throw new Error('Not shown');
  expect(box.y + box.height).toBeLessThanOrEqual(stage.y + stage.height);
});

it('exchanges messages with a webframe that has no origin', async () => {
  await insert('poll');
  page = await console_.open('blocks');
  const frame = page.frameLocator('.m-webframe iframe');
  await frame.getByText('{}').waitFor();
  await block('Poll').getByLabel('Yes').check();
  await frame.getByText('{"answer":"yes"}').waitFor();
  await frame.getByRole('button', { name: 'Vote from the frame' }).click();
  await block('Poll').getByText('1 vote', { exact: true }).waitFor();
  await frame.getByRole('button', { name: 'Grow' }).click();
  const iframe = block('Poll').locator('iframe');
  await expect
    .poll(() => iframe.evaluate((e) => Math.round((e.clientWidth / e.clientHeight) * 10) / 10))
    .toBe(1.6);
  const inside = page.frames().find(({ parentFrame }) => parentFrame !== null && page.frames().length > 1);
  expect(
    await page
      .frames()
      .at(-1)
      ?.evaluate(() => window.origin),
  ).toBe('null');
  expect(inside).toBeDefined();
});

it('renders every markup element', async () => {
  await insert('elements');
  page = await console_.open('blocks');
  const all = block('All elements');
  await all.getByText('hologram', { exact: true }).waitFor();
  for (const part of [
    '.m-block',
    '.m-text strong',
    '.m-text em',
    '.m-text code',
    '.hint',
    '.m-box',
    '.m-vstack',
    '[type=radio]:checked',
    '.m-webframe iframe[sandbox]',
    '.prose h3',
    '.m-divider.line.large',
    '.m-hstack',
    'input.control',
    'select.control',
    '.combobox',
    '.token-chip',
    '[role=switch][aria-checked=true]',
    '.tick',
    'textarea.control',
    '.code-number',
    '.m-code-top',
    '.m-code-edit',
    '.m-image',
    '.m-card.pressable',
    '.m-stepper',
    '.m-link',
    '.m-button.primary',
    '.m-button.bare',
    '.m-unknown',
  ]) {
    expect(await all.locator(part).count(), part).toBeGreaterThan(0);
  }
  expect(await all.locator('.m-unknown').count()).toBe(1);
  await all.getByRole('combobox', { name: 'Tags' }).click();
  await expect.poll(() => all.getByRole('option', { name: 'guide' }).locator('svg').count()).toBe(1);
  await all.getByRole('combobox', { name: 'Channel' }).click();
  await page.getByRole('option', { name: '#incidents' }).click();
  await all.getByRole('combobox', { name: 'Beside it' }).click();
  await all.getByRole('option', { name: '#ops' }).waitFor();
  expect(await all.getByRole('option', { name: '#incidents' }).count()).toBe(0);
  await all.getByRole('option', { name: '#ops' }).click();
  await all.getByRole('combobox', { name: 'Specification' }).fill('petstore');
  await page.keyboard.press('Enter');
  await all.getByRole('button', { name: '2 Second' }).click();
  await all.getByText('The second step').waitFor();
  const done = all.getByRole('button', { name: 'Done' });
  expect(await done.isDisabled()).toBe(true);
  await all.getByRole('button', { name: 'Back' }).click();
  await all.getByText('The first step').waitFor();
  await all.getByRole('button', { name: 'Next' }).click();
  await all.getByText('The second step').waitFor();
  await all.getByLabel('Plan').selectOption('free');
  await done.click();
  await inspector().getByRole('tab', { name: 'Markup' }).click();
  expect(await inspector().locator('.tree-mark').first().getAttribute('title')).toMatch(/hologram/);
  await inspector().getByRole('tab', { name: 'State' }).click();
  await inspector().getByRole('button', { name: 'JSON', exact: true }).click();
  const state = inspector().getByLabel('The state as JSON', { exact: true });
  for (const value of ['"incidents"', '"ops"', '"petstore"', '"two"', '"free"', '"all done"'])
    expect(await state.inputValue()).toContain(value);
  await page.locator('.stage').evaluate((stage) => stage.scrollTo(0, 700));
});

it('highlights the same element in both panes and scrolls it into view', async () => {
  for (const component of ['elements', 'elements', 'incident']) await insert(component);
  const [, second] = await console_.platform.api<{ id: string }[]>('GET', '/blocks');
  page = await console_.open(`blocks/${second?.id}`);
  const target = page.locator(`#block-${second?.id}`);
  await expect.poll(async () => Math.abs(await topOf(target, page.locator('.stage')))).toBeLessThan(4);

  await inspector().getByRole('tab', { name: 'Markup' }).click();
  await inspector()
    .locator('.tree-line', { hasText: /^divider/ })
    .first()
    .hover();
  await page.locator('.paper [data-highlighted] > .m-divider').waitFor();
  await target.locator('.m-divider').first().hover();
  expect(await inspector().locator('[data-highlighted]').innerText()).toMatch(/^divider/);
  await page.locator('.stage-bar').hover();
  expect(await page.locator('[data-highlighted]').count()).toBe(0);

  const splitter = page.getByRole('separator', { name: 'Inspector width' });
  const width = () => inspector().evaluate((pane) => pane.clientWidth);
  await splitter.press('ArrowLeft');
  expect([await width(), await splitter.getAttribute('aria-valuenow')]).toEqual([376, '376']);
  await splitter.press('Home');
  expect(await width()).toBe(260);
  const box = await splitter.boundingBox();
  await page.mouse.move(box?.x ?? 0, 300);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) - 140, 320, { steps: 3 });
  await page.mouse.up();
  expect(await width()).toBe(400);
  await page.reload();
  await expect.poll(width).toBe(400);
  await splitter.dblclick();
  expect(await width()).toBe(360);
});

const topOf = async (inner: Locator, outer: Locator): Promise<number> =>
  ((await inner.boundingBox())?.y ?? 0) - ((await outer.boundingBox())?.y ?? 0);

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

  const failed = () => console_.platform.api<unknown[]>('GET', '/calls?type=ui_render&outcome=error');
  const before = (await failed()).length;
  await alert.getByRole('button', { name: 'Run again' }).click();
  await expect.poll(async () => (await failed()).length).toBe(before + 1);
  await inspector().getByRole('tab', { name: 'Actions' }).click();
  await expect.poll(() => inspector().locator('.action-step code').allInnerTexts()).toEqual(['fail', 'fail']);
  await block('Incident').getByRole('button', { name: 'Open call' }).click();
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
