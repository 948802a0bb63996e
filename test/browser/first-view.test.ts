import { expect, it } from 'vitest';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console');

it('shows the overview and the calls before loading the script for the other views', async () => {
  const { platform } = console_;
  await fetch(`${platform.endpoint}/first`);
  const [call] = await platform.api<{ id: string }[]>('GET', '/calls?path=/first&limit=1');
  const page = await console_.open();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/console\/[^/]+\/later\.js$/, (route) => held.then(() => route.continue()));

  await page.reload();
  await page.getByRole('link', { name: /GET \/first/ }).waitFor();
  await console_.visit(page, `calls/${call?.id}`);
  await page.getByRole('article', { name: 'GET /first' }).waitFor();
  await page.keyboard.press('Control+k');
  expect(await page.getByRole('dialog').count()).toBe(0);
  release();
  await page.getByRole('dialog', { name: 'Find' }).waitFor();
  await page.context().close();
});
