import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDevPlatform, type DevPlatform } from '../support/dev-platform.js';
import { launchPlainBrowser } from '../support/plain-browser.js';
import { serve } from '../support/serve.js';

/** Responds with the cookies that it was sent. `/login` sets some. */
const script = `import { createIntegration } from 'integration-platform';
  export default createIntegration({
    fetch: (request) => {
      const headers = new Headers({ 'Content-Type': 'text/plain' });
      if (request.url.endsWith('/login')) {
        headers.append('Set-Cookie', 'session=own-1; Path=/; HttpOnly; Max-Age=3600');
        headers.append('Set-Cookie', 'theme = dark ; Path=/');
      }
      return new Response(request.headers.get('cookie') ?? 'none', { headers });
    },
  });`;

let platform: DevPlatform;
let stranger: Awaited<ReturnType<typeof serve>>;
let chromium: { browser: Browser; close(): Promise<void> };
beforeAll(async () => {
  [platform, stranger, chromium] = await Promise.all([
    startDevPlatform('console', [], async (folder) => writeFileSync(join(folder, 'src/index.tsx'), script)),
    serve((request) => {
      const { searchParams } = new URL(request.url);
      const headers = new Headers();
      for (const cookie of searchParams.getAll('set')) headers.append('Set-Cookie', cookie);
      return new Response('', { headers });
    }),
    launchPlainBrowser(),
  ]);
}, 60_000);
afterAll(async () => {
  await Promise.all([chromium.close(), stranger.close()]);
  await platform.close();
});

const textAt = async (page: Page, url: string): Promise<string> => {
  await page.goto(url);
  return page.locator('body').innerText();
};

test("passes only the endpoint's own cookies to the script and the call record", async () => {
  const context = await chromium.browser.newContext();
  const page = await context.newPage();
  const set = ['other=foreign-1; Path=/', 'session=foreign-2; Path=/v1'];
  await page.goto(`${stranger.url}/?${set.map((one) => `set=${encodeURIComponent(one)}`).join('&')}`);

  const seen: Record<string, string> = {};
  seen.first = await textAt(page, `${platform.endpoint}/first`);
  await page.goto(`${platform.endpoint}/login`);
  seen.afterLogin = await textAt(page, `${platform.endpoint}/second`);
  seen.ofPage = await page.evaluate(async () => (await fetch('third')).text());
  // A browser sends cookies with a WebSocket too, but does not tell where it comes from.
  await page.evaluate(
    (url) =>
      new Promise((closed) => {
        new WebSocket(url.replace('http', 'ws')).addEventListener('close', closed);
      }),
    `${platform.endpoint}/socket`,
  );
  await platform.restart();
  seen.afterRestart = await textAt(page, `${platform.endpoint}/fourth`);
  const curl = { headers: { Cookie: 'chosen=by-the-author' } };
  seen.withoutBrowser = await (await fetch(`${platform.endpoint}/fifth`, curl)).text();

  const records: string[] = [];
  for (const { id } of await platform.api<{ id: string }[]>('GET', '/calls'))
    records.push(JSON.stringify(await platform.api('GET', `/calls/${id}`)));
  const leaks = records.filter((record) => record.includes('foreign-')).length;
  console.log(
    `cookies of another port: ${JSON.stringify(seen)}; ${leaks} of ${records.length} records have one`,
  );
  expect(seen).toEqual({
    first: 'none',
    afterLogin: 'session=own-1; theme=dark',
    ofPage: 'session=own-1; theme=dark',
    afterRestart: 'session=own-1; theme=dark',
    withoutBrowser: 'chosen=by-the-author',
  });
  expect(records.length).toBeGreaterThanOrEqual(7);
  expect(leaks).toBe(0);
  await context.close();
}, 60_000);

test('opens the console without any of the 180 cookies of 4 KB that another port has set', async () => {
  const context = await chromium.browser.newContext();
  const page = await context.newPage();
  for (let part = 0; part < 45; part += 1) {
    const cookies = [0, 1, 2, 3].map((n) => ({
      name: `bomb-${part}-${n}`,
      value: 'x'.repeat(4_080),
      url: stranger.url,
    }));
    await context.addCookies(cookies);
  }
  const console_ = await page.goto(`${platform.consoleOrigin}/console/#key=${platform.key}`);
  const size = (await console_?.request().allHeaders())?.cookie?.length ?? 0;
  expect(console_?.status()).toBe(200);
  await page.getByText('Live', { exact: true }).waitFor();
  const text = await textAt(page, `${platform.endpoint}/sixth`);
  console.log(
    `cookie bomb: the console opens, with ${size} bytes of cookies; public port: ${text.slice(0, 160)}…`,
  );
  expect(size).toBe(0);
  expect(text).toMatch(/larger than 16 KiB.*cookies of 127\.0\.0\.1.*Delete the cookies/s);
  await context.close();
}, 60_000);
