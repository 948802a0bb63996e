import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { startDevPlatform, type DevPlatform } from './dev-platform.js';

export interface SiteTest {
  platform: DevPlatform;
  /** Opens a page of the site in a new window. The test fails if the browser reports an error. */
  open(path?: string, options?: { width?: number; theme?: 'light' | 'dark'; key?: string }): Promise<Page>;
  /** Returns the calls of this type, oldest first. */
  calls(type: string): Promise<{ id: string; event: Record<string, unknown> }[]>;
}

/** Starts one platform for the tests in a file, in the browser that all files share. */
export function useSite(
  fixture: string,
  options: string[] = [],
  prepare?: (folder: string) => Promise<void>,
): SiteTest {
  let browser: Browser | undefined;
  let platform: DevPlatform | undefined;
  const complaints: string[] = [];
  beforeAll(async () => {
    [browser, platform] = await Promise.all([
      chromium.connect(inject('browser')),
      startDevPlatform(fixture, options, prepare),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.close();
    expect(complaints).toEqual([]);
  });
  const running = (): DevPlatform => {
    if (!platform) throw new Error('The platform is not running.');
    return platform;
  };
  return {
    get platform() {
      return running();
    },
    async open(path = '', { width = 1280, theme = 'light', key = running().siteKey } = {}) {
      if (!browser) throw new Error('The browser is not running.');
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme: theme,
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(`${path}: ${error.message}`));
      page.on('console', (message) => {
        if (/Content Security Policy|Trusted/.test(message.text()))
          complaints.push(`${path}: ${message.text()}`);
      });
      await page.goto(`${running().siteOrigin}/${path}${key && `#key=${key}`}`);
      await page.locator('html[data-ready]').waitFor({ state: 'attached' });
      return page;
    },
    async calls(type) {
      const found = await running().api<{ id: string }[]>('GET', `/calls?type=${type}&limit=50`);
      return Promise.all(found.map(({ id }) => running().api<never>('GET', `/calls/${id}`)));
    },
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns what axe finds on a page. Pages block injected scripts, so axe runs through the debugger. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  if (!(await page.evaluate(() => 'axe' in window)))
    await session.send('Runtime.evaluate', { expression: axe });
  const { result } = await session.send('Runtime.evaluate', {
    expression:
      "axe.run(document, { iframes: false, resultTypes: ['violations'] }).then((results) => JSON.stringify(results.violations))",
    awaitPromise: true,
  });
  await session.detach();
  const violations = JSON.parse(String(result.value)) as AxeResults['violations'];
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}
