import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../base/clock.js';
import { noBrowser } from './start-browser.js';

interface Opening {
  link: string;
  /** The view that the link opens, or `site` for the documentation site. */
  view?: string | undefined;
  clock: Clock;
  signal: AbortSignal;
  /** Resolves only if the browser could not be opened. */
  start(file: string): Promise<void>;
  /** Returns how many pages of the console or the site have connected since the platform started. */
  connected(): Promise<number>;
}

const patienceMs = 15_000;
const pollMs = 100;

/**
 * Opens the console or the site through a file that redirects to the link, because other users can see command lines. Deletes
 * the file once the page has connected.
 */
export async function openConsole({ link, view, clock, signal, start, connected }: Opening): Promise<void> {
  const before = await connected();
  // Only its owner can read it.
  const folder = mkdtempSync(join(tmpdir(), 'platform-open-'));
  try {
    const file = join(folder, 'console.html');
    writeFileSync(file, redirectTo(link), { flag: 'wx', mode: 0o600 });
    let failed = false;
    void start(file).then(() => (failed = true));
    for (let waited = 0; waited < patienceMs; waited += pollMs) {
      await clock.sleep(pollMs, signal);
      if (failed) throw noBrowser('Could not open a browser.', view);
      if ((await connected()) > before) return;
    }
    throw noBrowser(
      `The ${view === 'site' ? 'site' : 'console'} did not open within ${patienceMs / 1000} seconds. The browser may not be able to read ${tmpdir()}, for example if it is a Snap, a Flatpak or outside this container.`,
      view,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const redirectTo = (link: string): string => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${link.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">
<title>Platform console</title>
`;
