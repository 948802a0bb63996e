import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console');
let page: Page;
afterEach(() => page.context().close());

const rows = () => page.getByRole('listbox', { name: /Calls, newest first/ }).getByRole('option');
const status = () => page.getByText('Live', { exact: true });

declare global {
  interface Window {
    cut: () => void;
    mend: () => void;
  }
}

/** A network that can be interrupted. It blocks only the stream. */
function fragileNetwork(): void {
  const whole = window.fetch;
  let broken = false;
  let cutter = new AbortController();
  window.cut = () => {
    broken = true;
    cutter.abort();
  };
  window.mend = () => {
    broken = false;
    cutter = new AbortController();
  };
  window.fetch = async (input, init) => {
    if (!new Request(input).url.endsWith('/stream')) return whole(input, init);
    if (broken) throw new TypeError('Failed to fetch');
    const response = await whole(input, init);
    return new Response(
      response.body?.pipeThrough(new TransformStream(), { signal: cutter.signal }),
      response,
    );
  };
}

it('keeps a configuration change while the platform is unresponsive, then saves it', async () => {
  page = await console_.open('configuration', { first: fragileNetwork });
  await status().waitFor();
  await page.evaluate(() => window.cut());
  await page.getByText('Offline', { exact: true }).waitFor();
  await page.getByLabel('Region').selectOption('ap-south');
  await page.getByText("Not saved: the platform isn't responding.").waitFor();
  const read = async (): Promise<unknown> =>
    (await console_.platform.api<{ configuration: { region?: string } }>('GET', '/configuration'))
      .configuration.region;
  expect(await read()).not.toBe('ap-south');
  await page.evaluate(() => window.mend());
  await expect.poll(read).toBe('ap-south');
  await page.getByText('Not saved').waitFor({ state: 'detached' });
  expect(await page.getByLabel('Region').inputValue()).toBe('ap-south');
});

it('shows every event after an interrupted connection is restored', async () => {
  const { platform } = console_;
  page = await console_.open('calls', { first: fragileNetwork });
  await page.getByRole('searchbox').fill('line-');
  await page.getByText('No matches').waitFor();
  await page.evaluate(() => window.cut());
  await page.getByText('Offline', { exact: true }).waitFor();
  for (let i = 0; i < 40; i += 1) await fetch(`${platform.endpoint}/offline-${i}`);
  expect(await rows().count()).toBe(0);
  await page.evaluate(() => window.mend());
  await status().waitFor();
  for (let i = 0; i < 40; i += 1) await fetch(`${platform.endpoint}/online-${i}`);
  await expect.poll(() => rows().first().getAttribute('aria-setsize')).toBe('80');
});
