import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startDevPlatform, type DevPlatform } from '../support/dev-platform.js';
import { launchFirefox, type Firefox } from '../support/firefox.js';
import { freePort } from '../support/free-port.js';
import { launchPlainBrowser } from '../support/plain-browser.js';
import { proved } from '../support/proved.js';
import { serve } from '../support/serve.js';

/** Marks the page in which it runs as the attacker's. */
const mark = `document.documentElement.dataset.planted = ''`;

/** A program that had a port before the platform. Its scripts stay in the browser's cache, and its worker takes over every page. */
const attacker = (request: Request): Response => {
  const { pathname, searchParams } = new URL(request.url);
  const worker = `addEventListener('install', () => skipWaiting());
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));
    addEventListener('fetch', (event) => event.respondWith(new Response('<html data-planted>', {
      headers: { 'Content-Type': 'text/html' } })));`;
  const headers = { 'Content-Type': 'text/javascript', 'Cache-Control': 'public, max-age=315360, immutable' };
  if (pathname.endsWith('.js')) return new Response(pathname === '/sw.js' ? worker : mark, { headers });
  const file = searchParams.get('file') ?? '';
  return new Response(`<!doctype html><title>attacker</title><script type="module" src="${file}"></script>`, {
    headers: { 'Content-Type': 'text/html' },
  });
};

type Browser = Omit<Firefox, 'close'>;

const register = `await navigator.serviceWorker.register('/sw.js', { scope: '/' });
  await navigator.serviceWorker.ready;`;

type Planted = 'a service worker' | 'a cached script' | 'a cached script and a service worker';
const everything = 'a cached script and a service worker';

/** Visits the attacker on this port, and checks that what it leaves in the browser is in effect there. */
async function plant(browser: Browser, port: number, file: string, what: Planted): Promise<void> {
  const program = await serve(attacker, port);
  const page = `${program.url}/page?file=${file}`;
  await browser.goto(page);
  expect(await isPlanted(browser)).toBe(true);
  if (what !== 'a cached script') {
    await browser.run(register);
    await browser.goto('about:blank');
    await browser.goto(`${program.url}/any`);
    expect(await isPlanted(browser)).toBe(true);
  }
  await browser.goto('about:blank');
  await program.close();
}

const isPlanted = (browser: Browser): Promise<boolean> =>
  browser.run(`return document.documentElement.dataset.planted !== undefined`);

/** Opens a page. A service worker may respond to the first request, but the browser's update check must remove it. */
async function open(browser: Browser, url: string, what: Planted): Promise<void> {
  await browser.goto(url);
  if (what !== 'a cached script' && (await isPlanted(browser))) {
    const registrations = `return (await navigator.serviceWorker.getRegistrations()).length`;
    await expect.poll(() => browser.run(registrations)).toBe(0);
    await browser.goto('about:blank');
    await browser.goto(url);
  }
}

/** What the attacker plants, and what shows that the genuine page's script runs. */
const consoleLink = ({ consoleOrigin, key }: DevPlatform): string => `${consoleOrigin}/#key=${key}`;
const siteLink = ({ siteOrigin, siteKey }: DevPlatform): string => `${siteOrigin}/#key=${siteKey}`;
const pages = [
  ['console', '/console/app.js', consoleLink, `sessionStorage.getItem('platform-key') !== null`],
  ['site', '/~/app.js', siteLink, `document.documentElement.dataset.ready !== undefined`],
] as const;

const start = async (options: string[] = [], prepare?: (folder: string) => Promise<void>) => {
  const platform = await startDevPlatform('console', ['--state', 'memory', ...options], prepare);
  onTestFinished(() => platform.close());
  return platform;
};

async function expectGenuine(browser: Browser, shown: string): Promise<void> {
  await expect.poll(() => browser.run(`return ${shown}`)).toBe(true);
  expect(await isPlanted(browser)).toBe(false);
}

describe.each(['Chromium', 'Firefox'])('%s', (name) => {
  let browser: Browser;
  let close = async (): Promise<void> => {};
  beforeAll(async () => {
    if (name === 'Firefox') {
      const firefox = await launchFirefox();
      return void ([browser, close] = [firefox, firefox.close]);
    }
    const chromium = await launchPlainBrowser();
    const page = await (await chromium.browser.newContext()).newPage();
    close = chromium.close;
    browser = {
      goto: async (url) => void (await page.goto(url)),
      run: (body) => page.evaluate(`(async () => { ${body} })()`),
    };
  }, 60_000);
  afterAll(() => close());

  test.each(pages)('runs nothing that a program left on the port of the %s', async (_, file, link, shown) => {
    const platform = await start();
    const { hostname, port } = new URL(link(platform));
    expect(hostname).toMatch(/^127\./);
    expect(hostname).not.toBe('127.0.0.1');
    await plant(browser, Number(port), file, everything);
    await browser.goto(link(platform));
    await expectGenuine(browser, `isSecureContext && ${shown}`);
  });

  describe.each<Planted>(proved([everything, 'a service worker', 'a cached script']))('after %s', (what) => {
    test.each(pages)('opens the genuine %s on a fixed port', async (page, file, link, shown) => {
      const port = await freePort();
      await plant(browser, port, file, what);
      await open(browser, link(await start([`--${page}-port`, String(port)])), what);
      await expectGenuine(browser, shown);
    });

    test('opens the genuine pages of the public port', async () => {
      const script = `import { createIntegration } from 'integration-platform';
        export default createIntegration({ fetch: ({ url }) => url.endsWith('.js')
          ? new Response("document.title = 'own'", { headers: { 'Content-Type': 'text/javascript' } })
          : new Response('<!doctype html><script type="module" src="app.js"></script>', {
              headers: { 'Content-Type': 'text/html' } }) });`;
      const platform = await start([], async (folder) =>
        writeFileSync(join(folder, 'src/index.tsx'), script),
      );
      const { port, pathname } = new URL(platform.endpoint);
      await platform.kill();
      await plant(browser, Number(port), `${pathname}/app.js`, what);
      await platform.restart();
      await open(browser, `${platform.endpoint}/page`, what);
      await expectGenuine(browser, `document.title === 'own'`);
    });
  });
});
