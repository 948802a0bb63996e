import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attacks } from '../support/console-attacks.js';
import { startDevPlatform, type DevPlatform } from '../support/dev-platform.js';
import { launchPlainBrowser } from '../support/plain-browser.js';
import { serve } from '../support/serve.js';

/** Serves any page of an attacker, with the headers that the query asks for. */
const respond = (request: Request): Response => {
  const { pathname, searchParams } = new URL(request.url);
  const worker = `self.addEventListener('install', () => self.skipWaiting());
    self.addEventListener('activate', (event) =>
      event.waitUntil(self.registration.navigationPreload.enable().then(() => self.clients.claim())));
    self.addEventListener('fetch', (event) => event.respondWith(new Response('replaced')));`;
  const headers = { 'Access-Control-Allow-Origin': '*', ...JSON.parse(searchParams.get('headers') ?? '{}') };
  return pathname.endsWith('/sw.js')
    ? new Response(worker, { headers: { 'Content-Type': 'text/javascript', 'Service-Worker-Allowed': '/' } })
    : new Response('<!doctype html><title>hostile</title><body>', {
        headers: { 'Content-Type': 'text/html', ...headers },
      });
};

let platform: DevPlatform;
let stranger: Awaited<ReturnType<typeof serve>>;
let chromium: { browser: Browser; close(): Promise<void> };
/** What the stranger's server was sent. */
let received = '';

beforeAll(async () => {
  const script = `import { createIntegration } from 'integration-platform';
    export default createIntegration({ fetch: ${respond.toString()} });`;
  [platform, stranger, chromium] = await Promise.all([
    startDevPlatform('console', ['--state', 'memory'], async (folder) =>
      writeFileSync(join(folder, 'src/index.tsx'), script),
    ),
    serve((request) => {
      received += `${request.url} ${JSON.stringify([...request.headers])}`;
      return respond(request);
    }),
    launchPlainBrowser(),
  ]);
}, 60_000);
afterAll(async () => {
  await Promise.all([chromium.close(), stranger.close()]);
  await platform.close();
});

test('protects the console from being read, framed, navigated or replaced by hostile pages', async () => {
  const { consoleOrigin, key } = platform;
  // A page of another site, and a page of the script.
  const bases = [`${stranger.url.replace('127.0.0.1', 'localhost')}/`, `${platform.endpoint}/`];
  const names = Object.keys(attacks);
  const succeeded = new Set<string>();
  const attackFrom = async (base: string): Promise<void> => {
    const context = await chromium.browser.newContext();
    const victim = await context.newPage();
    await victim.goto(`${consoleOrigin}/console/calls#key=${key}`);
    await victim.getByText('Live', { exact: true }).waitFor();
    const hostilePage = async (headers = {}): Promise<Page> => {
      const page = await context.newPage();
      await page.goto(`${base}page?headers=${encodeURIComponent(JSON.stringify(headers))}`);
      return page;
    };
    for (const [name, attack] of Object.entries(attacks)) {
      const got = await attack({ context, victim, consoleOrigin, key, hostilePage });
      const keptKey = await victim.evaluate(() => sessionStorage.getItem('platform-key'));
      const forged = await platform.api<unknown[]>('GET', '/calls?type=page_feedback');
      const preferences = await platform.api<unknown[]>('GET', '/preferences');
      if (Boolean(got) || keptKey !== key || forged.length > 0 || preferences.length > 0) succeeded.add(name);
      for (const page of context.pages()) if (page !== victim) await page.close();
    }
  };
  await Promise.all(bases.map(attackFrom));
  console.log(`console: ${names.length - succeeded.size} of ${names.length} refused`);
  expect([...succeeded]).toEqual([]);
  expect(received).not.toContain(key);
  expect(names).toHaveLength(20);
}, 180_000);

test("sends nothing useful to a program that takes over a killed platform's port", async () => {
  const before = { origin: platform.consoleOrigin, key: platform.key };
  const context = await chromium.browser.newContext();
  const tab = await context.newPage();
  await tab.goto(`${before.origin}/console/configuration#key=${before.key}`);
  await tab.getByText('Live', { exact: true }).waitFor();
  // A tab that has not read the overview yet shows a page of its own when the session ends.
  const workspace = tab.getByLabel('Workspace');
  await workspace.waitFor();

  await platform.kill();
  let sent = '';
  let passedOn = '';
  /** Asks the next session in the name of the old address, and returns its response to the tab. */
  const passOn = (request: Request): Promise<Response> =>
    new Promise((resolve) => {
      const { pathname, search, host } = new URL(request.url);
      const asked = get(platform.consoleOrigin + pathname + search, { headers: { host } }, (response) => {
        let text = '';
        response.on('data', (piece: Buffer) => (text += piece.toString()));
        response.on('end', () => {
          passedOn += `${response.statusCode} `;
          resolve(new Response(text, { status: response.statusCode ?? 500 }));
        });
      });
      asked.on('error', () => resolve(new Response('no', { status: 502 })));
    });
  const squatter = await serve(
    async (request) => {
      const { pathname } = new URL(request.url);
      sent += `${pathname} ${JSON.stringify([...request.headers])} ${await request.text()}\n`;
      if (pathname.endsWith('/handover')) return passOn(request);
      return pathname.endsWith('/stream')
        ? new Response('event: hello\nid: start_guess.1\ndata: {}\n\n', {
            headers: { 'Content-Type': 'text/event-stream' },
          })
        : respond(request);
    },
    Number(new URL(before.origin).port),
    new URL(before.origin).hostname,
  );
  await tab.getByRole('alert', { name: 'This session has ended' }).waitFor();
  const requests = sent.split('\n').length;
  await workspace.fill('typed after the end');
  await workspace.blur();
  await tab.getByText('Not saved: this session has ended.').first().waitFor();
  expect(sent).not.toContain('typed after the end');
  // A page that it serves there reads what the tab has stored, and leaves a service worker behind.
  const page = await context.newPage();
  await page.goto(`${before.origin}/page`);
  await page.evaluate(() =>
    navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready),
  );

  await platform.restart();
  expect(platform.consoleOrigin).not.toBe(before.origin);
  await expect.poll(() => passedOn).not.toBe('');
  expect(passedOn).not.toContain('200');
  expect(tab.url()).toContain(before.origin);
  const asked = sent.split('\n').filter((line) => line.startsWith('/console/api/handover'));
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.join()).not.toContain(before.key);
  const response = await fetch(`${platform.consoleOrigin}/console/api/overview`, {
    headers: { 'X-Platform-Token': before.key },
  });
  expect(response.status).toBe(401);
  await tab.goto(`${platform.consoleOrigin}/console/#key=${platform.key}`);
  await tab.getByText('Live', { exact: true }).waitFor();
  expect(await tab.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  expect(sent).not.toContain(platform.key);
  console.log(
    `a squatter on the console port: sent ${requests - 1} requests with the old key, which is refused (401); nothing typed, no new key`,
  );
  await context.close();
  await squatter.close();
}, 60_000);
