import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openStore } from '../../src/store/open-store.js';
import { startDevPlatform, type DevPlatform } from '../support/dev-platform.js';
import { launchPlainBrowser } from '../support/plain-browser.js';
import { serve } from '../support/serve.js';

let platform: DevPlatform;
let stranger: Awaited<ReturnType<typeof serve>>;
let chromium: { browser: Browser; close(): Promise<void> };
beforeAll(async () => {
  [platform, stranger, chromium] = await Promise.all([
    startDevPlatform('console', ['--oauth-provider', 'local', '--oauth', 'approve']),
    serve(() => new Response('<!doctype html><body>', { headers: { 'Content-Type': 'text/html' } })),
    launchPlainBrowser(),
  ]);
}, 60_000);
afterAll(async () => {
  await Promise.all([chromium.close(), stranger.close()]);
  await platform.close();
});

const authorize = (scope: string): string =>
  `${platform.consoleOrigin}/oauth/authorize?${new URLSearchParams({
    client_id: 'hostile',
    redirect_uri: `${platform.endpoint}/oauth`,
    response_type: 'code',
    state: 'x',
    scope,
  })}`;

/** The codes in the state of the platform, which is on disk. */
async function codes(): Promise<number> {
  const store = openStore({ file: join(platform.folder, '.platform/state.db'), clock: systemClock });
  const found = store.state.list('oauth-codes').length;
  await store.close();
  return found;
}

test('does not let pages fill the stored state with authorization codes if --oauth approve is set', async () => {
  const page = await chromium.browser.newPage();
  await page.goto(stranger.url);
  const hidden = await page.evaluate(async (url) => {
    const added = (tag: string, change: object): void =>
      document.body.append(Object.assign(document.createElement(tag), change));
    for (let n = 0; n < 20; n += 1) {
      await fetch(`${url}&n=${n}`, { mode: 'no-cors' }).catch(() => {});
      await fetch(`${url}&m=${n}`, { mode: 'no-cors', method: 'HEAD' }).catch(() => {});
    }
    for (const tag of ['img', 'script', 'iframe', 'video', 'embed', 'audio'])
      added(tag, { src: `${url}&${tag}` });
    for (const rel of ['prefetch', 'preload', 'stylesheet', 'icon', 'manifest', 'modulepreload'])
      added('link', { rel, as: 'image', href: `${url}&${rel}` });
    added('object', { data: `${url}&object` });
    added('script', {
      type: 'speculationrules',
      textContent: JSON.stringify({ prefetch: [{ urls: [url] }], prerender: [{ urls: [`${url}&p`] }] }),
    });
    const opened: object[] = [new WebSocket(url.replace('http', 'ws'))];
    opened.push(new Worker(URL.createObjectURL(new Blob([`importScripts('${url}&worker')`]))));
    await new Promise((done) => setTimeout(done, 1_500));
    return 20 * 2 + 6 + 6 + 1 + 2 + opened.length;
  }, authorize('read'));
  const unseen = await codes();

  // Windows are in sight, and only the newest codes are kept. curl is the author.
  let last = '';
  for (let n = 0; n < 130; n += 1) {
    const response = await fetch(authorize(`read ${'x'.repeat(4_000)}`), { redirect: 'manual' });
    last = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
  }
  const kept = await codes();
  await page.goto(authorize('read'));
  const arrived = new URL(page.url()).searchParams.get('code') ?? '';
  const refused: string[] = [];
  for (const scope of ['x'.repeat(4_097), 'a '.repeat(101).trim()]) {
    const response = await fetch(authorize(scope), { redirect: 'manual' });
    refused.push(new URL(response.headers.get('location') ?? '').searchParams.get('error') ?? '');
  }
  console.log(
    `--oauth approve: ${hidden} hidden requests of a page got ${unseen} codes; ${kept} of 130 codes kept; scopes that are too long: ${refused.join(', ')}`,
  );
  expect(unseen).toBe(0);
  expect(kept).toBe(100);
  expect([last, arrived].map((code) => code.startsWith('localcode_'))).toEqual([true, true]);
  expect(refused).toEqual(['invalid_scope', 'invalid_scope']);
}, 60_000);
