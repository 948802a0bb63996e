import { existsSync } from 'node:fs';

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The shell renders pages with the same engine in half of the processor time, because it has no windows. */
const anyBrowser = ['/usr/bin/chromium-headless-shell', ...browsers];

/** The path to the system's Chromium. The shell lacks some protections of the whole browser, such as clearing its cache. */
export function chromiumPath({ whole = false } = {}): string {
  const places = whole ? browsers : anyBrowser;
  const found = [process.env.CHROMIUM, ...places].find((path) => path && existsSync(path));
  if (!found) throw new Error('The browser tests need Chromium. Install it with: apt-get install chromium');
  return found;
}
