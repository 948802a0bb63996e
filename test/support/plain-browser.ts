import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { chromiumPath } from './chromium-path.js';

/** Launches Chromium without Playwright's own flags, because they disable storage partitioning. */
export async function launchPlainBrowser(
  flags: readonly string[] = [],
): Promise<{ browser: Browser; close(): Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'platform-chromium-'));
  const browser = await chromium.launch({
    executablePath: chromiumPath({ whole: true }),
    ignoreDefaultArgs: true,
    args: [
      '--headless',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // Lets a hostile page open windows without a click.
      '--disable-popup-blocking',
      ...flags,
    ],
  });
  return {
    browser,
    async close() {
      await browser.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
