import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CDPSession, Page } from 'playwright-core';
import { settled, useConsole } from '../support/console-page.js';
import { amount, proved } from '../support/proved.js';
import { serve } from '../support/serve.js';
import { accessibilityFindings } from '../support/site-page.js';

const console_ = useConsole(
  'console',
  ['--state', 'memory', '--oauth-provider', 'local'],
  // Its task stays in the queue.
  async (folder) => {
    const script = join(folder, 'src/index.tsx');
    const text = readFileSync(script, 'utf8');
    writeFileSync(script, text.replace("task: { type: 'sync' },", '$& schedule: 3600,'));
  },
);
const themes = ['light', 'dark'] as const;
/** Each theme at one width, because the colors do not depend on it, and both themes at all widths in `npm run prove`. */
const checked = proved(
  [
    [390, 'light'],
    [1440, 'dark'],
    [900, 'light'],
    [900, 'dark'],
    [390, 'dark'],
    [1440, 'light'],
  ] as const,
  2,
);
const height = 800;
let page: Page;
let session: CDPSession;
afterAll(() => page.context().close());

interface View {
  name: string;
  path: string;
  unfold?: () => Promise<void>;
  /** Opens the view's main dialog. */
  open?: () => Promise<void>;
}

const views: View[] = [
  { name: 'overview', path: '' },
  { name: 'configuration', path: 'configuration' },
  { name: 'configuration-space', path: 'installations/installation_1/spaces/space_local' },
  { name: 'blocks', path: 'blocks' },
  { name: 'calls', path: 'calls' },
  { name: 'webhooks', path: 'webhooks' },
  { name: 'listing', path: 'listing' },
  {
    name: 'filters',
    path: 'calls',
    unfold: async () => {
      await page.getByRole('button', { name: /^Filters/ }).click();
      await page.getByRole('button', { name: 'More filters' }).click();
      await page.getByLabel('Outbound host').waitFor();
    },
  },
  { name: 'keyboard', path: '', open: () => page.keyboard.press('?') },
  { name: 'palette', path: '', open: () => page.keyboard.press('Control+k') },
  { name: 'request', path: 'calls', unfold: () => compose('Request', 'Path after the endpoint URL') },
  { name: 'composer-event', path: 'calls', unfold: () => compose('Event', 'How to edit the event') },
  {
    name: 'composer-result',
    path: 'calls',
    unfold: async () => {
      await compose('Request', 'Path after the endpoint URL');
      await page.getByLabel('Path after the endpoint URL').fill('/status');
      for (const before of [0, 1]) {
        await page.keyboard.press('Control+Enter');
        await page
          .getByText('Compared with the previous call')
          .first()
          .waitFor({ state: before ? 'visible' : 'detached' });
        await page
          .getByRole('region', { name: 'Result' })
          .getByRole('link', { name: 'Open the call' })
          .waitFor();
      }
    },
  },
  {
    name: 'uninstall',
    path: '',
    open: async () => {
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Uninstall' }).click();
    },
  },
  {
    name: 'add-endpoint',
    path: 'webhooks',
    open: () => page.getByRole('button', { name: 'Endpoint', exact: true }).click(),
  },
];

async function compose(mode: string, label: string): Promise<void> {
  await page.keyboard.press('n');
  await page.getByRole('group', { name: 'What to send' }).getByText(mode, { exact: true }).click();
  await page.getByLabel(label).waitFor();
}

let rejecting: Awaited<ReturnType<typeof serve>>;
afterAll(() => rejecting.close());

beforeAll(async () => {
  const { platform } = console_;
  for (const component of ['elements', 'incident'])
    await platform.api('POST', '/blocks', { component, space: 'space_local', props: { title: 'Slow one' } });
  await fetch(`${platform.endpoint}/sync?to=${platform.origin}/nowhere`);
  for (let i = 0; i < 20; i += 1) await fetch(`${platform.endpoint}/status?n=${i}`);
  await fetch(`${platform.endpoint}/fail`);
  const [reached, newest] = (await platform.api<{ id: string }[]>('GET', '/calls')).slice(-2);
  const endpoint = await platform.api<{ id: string }>('POST', '/webhooks', {
    space: 'space_local',
    url: `${platform.endpoint}/hook`,
    events: ['space_content_updated'],
  });
  const delivery = await platform.api<{ id: string }>('POST', `/webhooks/${endpoint.id}/ping`);
  rejecting = await serve(() => new Response('forged', { status: 401 }));
  const closed = await platform.api<{ id: string }>('POST', '/webhooks', {
    space: 'space_local',
    url: rejecting.url,
    events: ['space_content_updated'],
  });
  const rejected = await platform.api<{ id: string }>('POST', `/webhooks/${closed.id}/ping`);
  const replayed = await platform.api<{ call: string }>('POST', `/calls/${newest?.id}/replay`);
  views.push(
    { name: 'replay', path: `calls/${replayed.call}` },
    { name: 'rejected', path: `webhooks/deliveries/${rejected.id}` },
    { name: 'event', path: `calls/${newest?.id}` },
    { name: 'outbound', path: `calls/${reached?.id}`, unfold: showOutbound },
    { name: 'endpoint', path: `webhooks/endpoints/${endpoint.id}` },
    { name: 'delivery', path: `webhooks/deliveries/${delivery.id}` },
  );
  page = await console_.open('configuration');
  await failToConnect();
  session = await page.context().newCDPSession(page);
});

async function showOutbound(): Promise<void> {
  await page.getByRole('tab', { name: /^Outbound/ }).click();
  await page.locator('.outbound summary').first().click();
  await page.locator('.outbound-details').waitFor();
}

/** Creates an OAuth connection that fails at the token exchange and shows its steps. */
async function failToConnect(): Promise<void> {
  const popup = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Connect Harbor' }).click();
  const provider = await popup;
  await provider.getByRole('button', { name: 'Allow, with an expired code', exact: true }).click();
  await page.getByRole('heading', { name: 'Connection, step by step' }).waitFor();
  await provider.close();
}

/** Navigates like a console link, without loading a new page. */
async function show({ path, unfold, open }: View): Promise<void> {
  await page.keyboard.press('Escape');
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, `/console/${path}`);
  await drawn();
  await settled(page);
  await unfold?.();
  if (!open) return;
  await open();
  await page.getByRole('dialog').waitFor();
  // Focus must start at the dialog's first control, not at its close button.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('.dialog')?.className))
    .toBeDefined();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).not.toBe('Close');
}

const drawn = (): Promise<void> =>
  page.evaluate(async () => {
    for (let i = 0; i < 2; i += 1) await new Promise(requestAnimationFrame);
  });

/** Returns elements that overflow the window, their card or their dialog. */
const overflow = (): string[] => {
  const scrolls = (element: Element): boolean =>
    element.id !== 'main' && /auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX);
  const sticksOut = (element: Element): boolean => {
    const { width, right } = element.getBoundingClientRect();
    if (width === 0) return false;
    // An open dialog covers everything, regardless of where it is declared.
    let inside = element;
    while (inside.parentElement && !inside.matches('.dialog')) {
      inside = inside.parentElement;
      if (scrolls(inside)) return false;
      if (inside.matches('.card') && right > inside.getBoundingClientRect().right) return true;
    }
    return right > innerWidth;
  };
  return [...document.querySelectorAll('body *')]
    .filter(sticksOut)
    .map((element) => element.outerHTML.slice(0, 120));
};

/** A quick check for many widths: only the parts of the page that scroll vertically. */
const sideways = `[...document.querySelectorAll('html, #main, .split-list, .split-detail, .card, .dialog-body, .inspector, .stage, .stage-bar')]
  .filter((element) => element.scrollWidth > element.clientWidth + 1)
  .map((element) => (element.id || element.className || element.tagName) + ' by ' + (element.scrollWidth - element.clientWidth)).join(', ')`;

async function sweep(): Promise<string[]> {
  const found: string[] = [];
  // Steps by 16 px while the layout changes, then by 128 px. In most suites, the steps are larger.
  const [step, wide] = [amount(64, 16), amount(384, 128)];
  const widths = [
    ...Array.from({ length: 784 / step }, (_, i) => 360 + step * i),
    ...Array.from({ length: 1536 / wide }, (_, i) => 1152 + wide * i),
  ];
  for (const width of widths) {
    await session.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
    const { result } = await session.send('Runtime.evaluate', { expression: sideways });
    if (result.value !== '') found.push(`${width} px: ${String(result.value)}`);
  }
  await session.send('Emulation.clearDeviceMetricsOverride');
  return found;
}

it(
  'shows every view and dialog without horizontal scrolling at widths from 360 to 2560 px',
  { timeout: 120_000 },
  async () => {
    const found: Record<string, string[]> = {};
    for (const view of views) {
      await show(view);
      const problems = await sweep();
      if (problems.length > 0) found[view.name] = problems;
    }
    expect(found).toEqual({});
  },
);

it.each(checked)('passes the accessibility checks at %d px in the %s theme', async (width, theme) => {
  const found: Record<string, string[]> = {};
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  for (const view of views) {
    await show(view);
    const problems = [...(await page.evaluate(overflow)), ...(await accessibilityFindings(page))];
    if (problems.length > 0) found[view.name] = problems;
  }
  expect(found).toEqual({});
});

it('shows the code frame of a broken build on narrow and wide screens in both themes', async () => {
  const { platform } = console_;
  platform.edit('src/poll.tsx', (text) => text.replace('initialState: {', 'initialState: { {'));
  const found: Record<string, string[]> = {};
  for (const path of ['blocks', 'calls', 'configuration']) {
    await show({ name: path, path });
    await page.getByRole('alert', { name: 'Broken build' }).waitFor();
    for (const width of [360, 1280])
      for (const theme of themes) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        const problems = [...(await page.evaluate(overflow)), ...(await accessibilityFindings(page))];
        if (problems.length > 0) found[`${path} ${width} ${theme}`] = problems;
      }
  }
  expect(found).toEqual({});
});
