import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';
import { proved } from '../support/proved.js';
import { cause, installTwice, seededFaults, writeSeededFaults } from '../support/seeded-faults.js';

let outside: { close(): Promise<void> } | undefined;
const options = ['--state', 'memory', '--oauth-provider', 'local', '--timeout', '20'];
const console_ = useConsole('projects/author', options, async (folder) => {
  outside = await writeSeededFaults(folder);
});
let page: Page;
beforeAll(async () => {
  await installTwice(console_.platform);
  page = await console_.open();
});
afterAll(async () => {
  await page.context().close();
  await outside?.close();
});

const costs: string[] = [];
afterAll(() => console.log(`clicks and seconds from Now to the line or the reason:\n${costs.join('\n')}`));

const now = () => page.getByRole('region', { name: 'Now' });
const version = () =>
  now()
    .getByText(/^Version/)
    .innerText();
const shown = async (what: RegExp): Promise<boolean> => what.test(await page.locator('#main').innerText());

it.each(proved(seededFaults, 5).map((fault) => [fault.name, fault] as const))(
  'shows the line or the cause of a fault within one click: %s',
  { timeout: 60_000 },
  async (name, fault) => {
    const { platform } = console_;
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    const before = await version();
    platform.edit('src/index.ts', (text) => `console.debug('${name}');\n${text}`);
    await expect.poll(version).not.toBe(before);
    await now().getByText('No calls with errors or warnings since the last save').waitFor();
    expect(await shown(fault.shows)).toBe(false);
    await cause(fault, platform);
    const began = performance.now();
    let clicks = 0;
    const reached = (): Promise<boolean> =>
      expect
        .poll(() => shown(fault.shows), { timeout: clicks === 0 ? 2500 : 5000 })
        .toBe(true)
        .then(
          () => true,
          () => false,
        );
    while (!(await reached())) {
      clicks += 1;
      if (clicks > 1) break;
      await page.locator('.group-title').first().click();
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    costs.push(`${name.padEnd(18)}${clicks > 1 ? 'never' : `${clicks} clicks`}  ${seconds} s`);
    await fault.end?.(platform);
    expect(clicks).toBeLessThanOrEqual(1);
  },
);

const faultOf = (name: string) => seededFaults.find((fault) => fault.name === name)!;

it('shows how long a loop has been running, even on a page that is opened later', async () => {
  const { platform } = console_;
  const loop = faultOf('loop');
  await cause(loop, platform);
  const late = await console_.open('listing');
  const banner = late.getByRole('alert', { name: 'Busy script' });
  await banner.getByText(/^src\/index\.ts:\d+:\d+$/).waitFor();
  const seconds = async (): Promise<number> => parseInt(await banner.getByRole('timer').innerText(), 10);
  const first = await seconds();
  await expect.poll(seconds).toBeGreaterThan(first);
  await banner.getByRole('button', { name: 'Stop' }).click();
  await banner.waitFor({ state: 'detached' });
  await late.context().close();
});

it('links a likely cause to its file or command', async () => {
  const { platform } = console_;
  await cause(faultOf('property'), platform);
  await cause(faultOf('secret'), platform);
  const newest = async (what: string): Promise<string> => {
    const calls = await platform.api<{ id: string }[]>('GET', `/calls?path=/${what}`);
    return calls.at(-1)?.id ?? '';
  };
  await console_.visit(page, `calls/${await newest('property')}`);
  const verdict = page.getByRole('note', { name: 'Error' });
  await verdict.getByRole('button', { name: 'Copy: npx platform config set channel=<value>' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'npx platform config set channel=<value>',
  );
  await console_.visit(page, `calls/${await newest('secret')}`);
  await verdict.getByRole('button', { name: '.env', exact: true }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('.env');
});
