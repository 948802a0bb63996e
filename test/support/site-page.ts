import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { useBrowser } from './console-page.js';
import type { DevPlatform } from './dev-platform.js';

export interface SiteTest {
  platform: DevPlatform;
  /** Opens a page of the site in a new window. The test fails if the browser reports an error. */
  open(path?: string, options?: { width?: number; theme?: 'light' | 'dark'; key?: string }): Promise<Page>;
  /** Returns the calls of this type, oldest first. */
  calls(type: string): Promise<{ id: string; event: Record<string, unknown> }[]>;
}

export function useSite(...project: Parameters<typeof useBrowser>): SiteTest {
  const tested = useBrowser(...project);
  return {
    get platform() {
      return tested.platform;
    },
    async open(path = '', { width = 1280, theme = 'light', key = tested.platform.siteKey } = {}) {
      const page = await tested.newPage(path, { viewport: { width, height: 800 }, colorScheme: theme });
      await page.goto(`${tested.platform.siteOrigin}/${path}${key && `#key=${key}`}`);
      await page.locator('html[data-ready]').waitFor({ state: 'attached' });
      return page;
    },
    async calls(type) {
      const { api } = tested.platform;
      const found = await api<{ id: string }[]>('GET', `/calls?type=${type}&limit=100`);
      return Promise.all(found.map(({ id }) => api<never>('GET', `/calls/${id}`)));
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
