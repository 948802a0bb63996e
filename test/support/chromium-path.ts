import { existsSync } from 'node:fs';

/** The shell renders pages with the same engine in half of the processor time, because it has no windows. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The path to the system's Chromium. */
export function chromiumPath(): string {
  const found = [process.env.CHROMIUM, ...places].find((path) => path && existsSync(path));
  if (!found) throw new Error('The browser tests need Chromium. Install it with: apt-get install chromium');
  return found;
}
