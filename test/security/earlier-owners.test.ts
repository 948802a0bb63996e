import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startDevPlatform, type DevPlatform } from '../support/dev-platform.js';
import { launchFirefox } from '../support/firefox.js';
import { freePort } from '../support/free-port.js';
import { launchPlainBrowser } from '../support/plain-browser.js';
import { serve } from '../support/serve.js';

interface Tab {
  goto(url: string): Promise<unknown>;
  /** Evaluates an expression whose result is a string. */
  evaluate(expression: string): Promise<string>;
}

/** Everything that an earlier owner of a port can leave behind: a service worker, and files that browsers cache for a year. */
const hostile = (request: Request): Response => {
  const { pathname } = new URL(request.url);
  const worker = `self.addEventListener('install', () => self.skipWaiting());
    self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
    self.addEventListener('fetch', (event) => event.respondWith(new Response(
      '<title>taken over</title>', { headers: { 'Content-Type': 'text/html' } })));`;
  const cached = { 'Cache-Control': 'public, max-age=31536000, immutable' };
  if (pathname === '/sw.js') return new Response(worker, { headers: { 'Content-Type': 'text/javascript' } });
  if (pathname === '/plant')
    return new Response('<title>plant</title>', { headers: { 'Content-Type': 'text/html' } });
  if (/\.(js|css)$/.test(pathname))
    return new Response(`document.title = 'taken over'`, {
      headers: { ...cached, 'Content-Type': 'text/javascript' },
    });
  return new Response('<title>taken over</title>', { headers: { ...cached, 'Content-Type': 'text/html' } });
};

const files = ['/', '/console/', '/console/app.js', '/console/chunk.js', '/~/app.js', '/~/app.css'];
const plants = {
  cache: `Promise.all(${JSON.stringify(files)}.map((file) => fetch(file))).then(() => 'planted')`,
  worker: `navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 'planted')`,
};

let chromium: Awaited<ReturnType<typeof launchPlainBrowser>>;
let firefox: Awaited<ReturnType<typeof launchFirefox>>;
beforeAll(async () => {
  chromium = await launchPlainBrowser();
  firefox = await launchFirefox();
}, 60_000);
afterAll(async () => {
  await chromium.close();
  await firefox.close();
});

const tabs: Record<'Chromium' | 'Firefox', () => Promise<Tab>> = {
  async Chromium() {
    const context: BrowserContext = await chromium.browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    return { goto: (url) => page.goto(url), evaluate: (expression) => page.evaluate<string>(expression) };
  },
  Firefox: async () => firefox.page,
};

async function plant(tab: Tab, port: number, ways: readonly (keyof typeof plants)[]): Promise<void> {
  const owner = await serve(hostile, port);
  await tab.goto(`${owner.url}/plant`);
  for (const way of ways) expect(await tab.evaluate(plants[way])).toBe('planted');
  await owner.close();
}

async function start(options: readonly string[]): Promise<DevPlatform> {
  const platform = await startDevPlatform('console', ['--state', 'memory', ...options]);
  onTestFinished(() => platform.close());
  return platform;
}

const titleAt = async (tab: Tab, url: string): Promise<string> => {
  await tab.goto(url);
  return tab.evaluate('document.title');
};

const browsers = ['Chromium', 'Firefox'] as const;
test.each(browsers)(
  'gives the console and the site addresses for which %s has stored nothing',
  async (browser) => {
    const tab = await tabs[browser]();
    const { consoleOrigin, siteOrigin, key, siteKey } = await start([]);
    for (const origin of [consoleOrigin, siteOrigin]) {
      expect(origin).toMatch(/^http:[/][/]127\.(?!0\.0\.1:)/);
      // The earlier owner had the same port on the address that all programs share.
      await plant(tab, Number(new URL(origin).port), ['cache', 'worker']);
    }
    expect(await titleAt(tab, `${consoleOrigin}/#key=${key}`)).not.toBe('taken over');
    expect(await titleAt(tab, `${siteOrigin}/#key=${siteKey}`)).not.toBe('taken over');
  },
  60_000,
);

// No server can prevent that an earlier service worker responds to the first request. See SECURITY.md.
test.each(browsers)(
  'opens the genuine console and site on fixed ports that %s has cached',
  async (browser) => {
    const tab = await tabs[browser]();
    const ports = { console: await freePort(), site: await freePort() };
    for (const port of Object.values(ports)) await plant(tab, port, ['cache']);
    const options = ['--console-port', String(ports.console), '--site-port', String(ports.site)];
    const { consoleOrigin, siteOrigin, key, siteKey } = await start(options);
    expect(await titleAt(tab, `${consoleOrigin}/?start#key=${key}`)).not.toBe('taken over');
    expect(await titleAt(tab, `${siteOrigin}/?start#key=${siteKey}`)).not.toBe('taken over');
  },
  60_000,
);
