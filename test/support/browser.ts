import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium as the system has it; it speaks to nobody but the pages that it is sent to. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = [process.env.CHROMIUM, ...places].find((path) => path && existsSync(path));
  if (!executablePath) {
    throw new Error('The browser tests need Chromium. Install it with: apt-get install chromium');
  }
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
