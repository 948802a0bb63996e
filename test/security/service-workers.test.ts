import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startDevProject, type DevProject } from '../support/dev-project.js';
import { freePort } from '../support/free-port.js';
import { launchPlainBrowser } from '../support/plain-browser.js';
import { serve } from '../support/serve.js';

/** Serves a service worker for the whole origin, and a page at every other path. */
const respond = async (request: Request, name: string): Promise<Response> => {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname.endsWith('/slow')) await new Promise((resolve) => setTimeout(resolve, 1_000));
  if (request.method === 'OPTIONS')
    return new Response(null, {
      headers: { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' },
    });
  if (!pathname.endsWith('/sw.js'))
    return new Response(`<!doctype html><title>${name}</title><body>`, {
      headers: { 'Content-Type': 'text/html', 'Service-Worker-Allowed': '/' },
    });
  const worker = `self.addEventListener('install', () => self.skipWaiting());
    self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
    self.addEventListener('fetch', (event) => {
      if (event.request.url.includes('${searchParams.get('only') ?? ''}')) event.respondWith(
        new Response('<title>intercepted</title>', { headers: { 'Content-Type': 'text/html' } }));
    });`;
  return new Response(worker, {
    headers: { 'Content-Type': 'text/javascript', 'Service-Worker-Allowed': '/' },
  });
};

let chromium: { browser: Browser; close(): Promise<void> };
let port = 0;
beforeAll(async () => {
  chromium = await launchPlainBrowser();
  port = await freePort();
}, 30_000);
afterAll(() => chromium.close());

/** Starts a project with this name on the port that all projects in this test use in turn. */
async function start(name: string): Promise<DevProject> {
  const project = await startDevProject('projects/boundary', ['--port', String(port)], (folder) => {
    const manifest = join(folder, 'platform-manifest.yaml');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('name: boundary', `name: ${name}`));
    const script = `import { createIntegration } from 'integration-platform';
      const respond = ${respond.toString()};
      export default createIntegration({ fetch: (request) => respond(request, '${name}') });`;
    writeFileSync(join(folder, 'src/index.ts'), script);
  });
  // Also when the test fails, because the next test needs the port.
  onTestFinished(() => project.close());
  return project;
}

/** Serves another program on that port. */
async function startProgram(
  handle: (request: Request) => Response | Promise<Response>,
): Promise<Awaited<ReturnType<typeof serve>>> {
  const program = await serve(handle, port);
  onTestFinished(() => program.close());
  return program;
}

async function openContext(): Promise<BrowserContext> {
  const context = await chromium.browser.newContext();
  onTestFinished(() => context.close());
  return context;
}

const register = (page: Page, url: string): Promise<unknown> =>
  page.evaluate((script) => navigator.serviceWorker.register(script, { scope: '/' }).then(() => {}), url);

const isActive = (page: Page): Promise<unknown> =>
  page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));

/** Waits until the page's origin has no service workers. */
const cleared = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), {
      timeout: 30_000,
    })
    .toBe(0);

const titleAt = async (page: Page, url: string): Promise<string> => {
  await page.goto(url);
  return page.title();
};

const hosts = ['127.0.0.1', 'localhost'];
const base = (host: string, name: string): string => `http://${host}:${port}/v1/integrations/${name}`;
const callback = (host: string): string => `${base(host, 'later')}/oauth?code=secret&state=1`;

test("prevents one project's page from intercepting a later project's OAuth callback", async () => {
  const context = await openContext();
  const page = await context.newPage();
  const earlier = await start('earlier');
  for (const host of hosts) {
    await page.goto(`${base(host, 'earlier')}/page`);
    // The platform's script removes the worker as soon as it is active, so this does not wait until it is.
    await register(page, `${base(host, 'earlier')}/sw.js`);
    await cleared(page);
  }
  await earlier.close();
  await start('later');
  const seen: string[] = [];
  for (const host of hosts) seen.push(await titleAt(page, callback(host)));
  console.log(
    `service worker of an earlier project: ${seen.filter((one) => one !== 'later').length} of 2 OAuth callbacks intercepted`,
  );
  expect(seen).toEqual(['later', 'later']);
}, 60_000);

test("on the first page load after startup, removes another program's service worker", async () => {
  const context = await openContext();
  const page = await context.newPage();
  const program = await startProgram((request) => respond(request, 'program'));
  const before: string[] = [];
  for (const host of hosts) {
    await page.goto(`http://${host}:${port}/page`);
    await page.evaluate(() => localStorage.setItem('left', 'behind'));
    await register(page, '/sw.js?only=/oauth');
    await isActive(page);
    before.push(await titleAt(page, callback(host)));
  }
  await program.close();
  await start('later');
  const after: string[] = [];
  for (const host of hosts) {
    const first = await titleAt(page, `${base(host, 'later')}/page`);
    // After a service worker has served a page, the browser checks for a new version of the worker.
    if (first === 'intercepted') await cleared(page);
    after.push(await titleAt(page, callback(host)));
    expect(await page.evaluate(() => localStorage.getItem('left'))).toBeNull();
    await page.evaluate(() => localStorage.setItem('own', 'kept'));
    await titleAt(page, callback(host));
    expect(await page.evaluate(() => localStorage.getItem('own'))).toBe('kept');
  }
  expect(before).toEqual(['intercepted', 'intercepted']);
  expect(after).toEqual(['later', 'later']);
}, 60_000);

/** Requests that look like the first page load after startup. The user's browser must still clear its storage after them. */
const decoys: [string, (context: BrowserContext, address: string) => Promise<unknown>][] = [
  [
    'a request from another program',
    async (_, address) => {
      const request = get(address, { headers: { 'Sec-Fetch-Dest': 'document' } });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
    },
  ],
  [
    'a page in another browser',
    async (_, address) => {
      const other = await chromium.browser.newContext();
      await (await other.newPage()).goto(address);
      await other.close();
    },
  ],
  [
    'a page that is closed before it loads',
    async (context, address) => {
      const page = await context.newPage();
      const sent = page.waitForRequest((request) => request.url().endsWith('/slow'));
      page.goto(`${address}/slow`).catch(() => {});
      await sent;
      await page.waitForTimeout(300);
      await page.close();
      await page.context().pages()[0]?.waitForTimeout(1_500);
    },
  ],
  [
    'a cross-site fetch with a service worker header',
    async (context, address) => {
      const site = await serve(() => new Response('', { headers: { 'Content-Type': 'text/html' } }));
      const page = await context.newPage();
      await page.goto(site.url.replace('127.0.0.1', 'localhost'));
      await page.evaluate(
        (url) => fetch(url, { headers: { 'Service-Worker': 'script' } }).catch(() => {}),
        address,
      );
      await site.close();
    },
  ],
];

test.each(decoys)(
  "clears an earlier program's storage on the first page, after %s",
  async (way, decoy) => {
    const context = await openContext();
    const page = await context.newPage();
    let updates = 0;
    const program = await startProgram((request) => {
      if (request.headers.has('service-worker')) updates += 1;
      return respond(request, 'program');
    });
    await page.goto(`http://127.0.0.1:${port}/page`);
    await register(page, '/sw.js?only=/oauth');
    await isActive(page);
    const before = await titleAt(page, callback('127.0.0.1'));
    // Waits until the browser has updated the worker, because an update after the start would remove the worker by itself.
    await expect.poll(() => updates).toBeGreaterThan(1);
    await page.goto('about:blank');
    await program.close();
    await start('later');
    await decoy(context, base('127.0.0.1', 'later'));
    await titleAt(page, `${base('127.0.0.1', 'later')}/page`);
    const after = await titleAt(page, callback('127.0.0.1'));
    console.log(`service worker of another program, after ${way}: ${before} before, ${after} after`);
    expect([before, after]).toEqual(['intercepted', 'later']);
  },
  60_000,
);
