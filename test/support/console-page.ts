import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { startDevPlatform, type DevPlatform } from './dev-platform.js';

const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const;

export interface OpenOptions {
  size?: keyof typeof sizes;
  theme?: 'light' | 'dark';
  /** Runs in the page before anything else. */
  first?: () => void;
  /** Set if the test expects the content security policy to block something. */
  refusals?: 'expected';
}

export interface ConsoleTest {
  platform: DevPlatform;
  /** Opens a console page in a new window. The test fails if the browser reports an error. */
  open(path?: string, options?: OpenOptions): Promise<Page>;
  /** Opens another page in the same window, using the new link if the platform has restarted. */
  visit(page: Page, path: string): Promise<void>;
}

/** Starts one platform for the tests in a file, in the shared browser. `prepare` receives the project's folder. */
export function useBrowser(
  fixture: string,
  options: string[] = [],
  prepare?: (folder: string) => Promise<void>,
): {
  readonly platform: DevPlatform;
  /** Opens a page that lists what the browser reports as an error of this path. */
  newPage(path: string, context: BrowserContextOptions, refusals?: 'expected'): Promise<Page>;
} {
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
  return {
    get platform() {
      if (!platform) throw new Error('The platform is not running.');
      return platform;
    },
    async newPage(path, context, refusals) {
      if (!browser) throw new Error('The browser is not running.');
      const permissions = ['clipboard-read', 'clipboard-write'];
      const page = await (await browser.newContext({ permissions, ...context })).newPage();
      page.on('pageerror', (error) => complaints.push(`${path}: ${error.message}`));
      page.on('console', (message) => {
        if (!refusals && /Content Security Policy|Trusted/.test(message.text()))
          complaints.push(`${path}: ${message.text()}`);
      });
      return page;
    },
  };
}

export function useConsole(...project: Parameters<typeof useBrowser>): ConsoleTest {
  const tested = useBrowser(...project);
  /** The key with which each page was opened. */
  const keys = new WeakMap<Page, string>();
  const visit = async (page: Page, path: string): Promise<void> => {
    const { consoleOrigin, key } = tested.platform;
    await page.goto(`${consoleOrigin}/console/${path}${keys.get(page) === key ? '' : `#key=${key}`}`);
    keys.set(page, key);
    await page.getByText('Live', { exact: true }).waitFor();
    await settled(page);
  };
  return {
    visit,
    get platform() {
      return tested.platform;
    },
    async open(path = '', { size = 'desk', theme = 'light', first, refusals } = {}) {
      const page = await tested.newPage(path, { viewport: sizes[size], colorScheme: theme }, refusals);
      if (first) await page.addInitScript(first);
      await visit(page, path);
      return page;
    },
  };
}

/** Waits until the page has rendered everything that it requested. */
export async function settled(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached', timeout: 120_000 });
}
