import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openConsole } from '../../../../src/cli/commands/open/open-console.js';
import { whyNoBrowser } from '../../../../src/cli/commands/open/start-browser.js';
import { createVirtualClock } from '../../../../src/base/clock.js';

const link = 'http://127.0.0.1:54321/console/calls#key=a-key';

async function open(
  browser: (file: string, connect: () => void) => Promise<void>,
  { signal, view }: { signal?: AbortSignal; view?: string } = {},
) {
  const clock = createVirtualClock();
  const files: string[] = [];
  let pages = 3;
  const ended = new AbortController();
  const opened = openConsole({
    link,
    view,
    clock,
    signal: signal ?? new AbortController().signal,
    start: (file) => {
      files.push(file);
      return browser(file, () => (pages += 1));
    },
    connected: async () => pages,
  }).finally(() => ended.abort());
  opened.catch(() => {});
  while (!ended.signal.aborted) await clock.advance(100);
  return { opened, file: files[0] ?? '' };
}

const never = new Promise<never>(() => {});

test('opens the console through a redirect file that only its owner can read', async () => {
  const seen: unknown[] = [];
  const { opened, file } = await open(async (name, connect) => {
    seen.push(statSync(name).mode & 0o777, statSync(dirname(name)).mode & 0o777, readFileSync(name, 'utf8'));
    connect();
    await never;
  });
  await opened;
  expect(seen).toEqual([0o600, 0o700, expect.stringContaining(`content="0; url=${link}"`)]);
  expect(existsSync(dirname(file))).toBe(false);
});

test.each([
  ['cannot be started', async () => {}, 'Could not open a browser.'],
  ['never opens the console', () => never, /did not open within 15 seconds.*Snap.*Flatpak.*container/],
])('suggests --print, and removes the redirect file, if the browser %s', async (_, browser, message) => {
  const { opened, file } = await open(browser);
  await expect(opened).rejects.toThrow(message);
  await expect(opened).rejects.toMatchObject({ hint: expect.stringContaining('platform open --print') });
  expect(existsSync(dirname(file))).toBe(false);
});

test("reports that the browser did not open the site, and suggests the command that prints the site's link", async () => {
  const { opened } = await open(() => never, { view: 'site' });
  await expect(opened).rejects.toMatchObject({
    message: expect.stringMatching(/^The site did not open/),
    hint: expect.stringMatching(/platform open site --print$/),
  });
});

test('removes the redirect file if the command is interrupted', async () => {
  const interrupted = new AbortController();
  const { opened, file } = await open(
    async () => {
      interrupted.abort('SIGINT');
      await never;
    },
    { signal: interrupted.signal },
  );
  await expect(opened).rejects.toBe('SIGINT');
  expect(existsSync(dirname(file))).toBe(false);
});

test.each([
  ['linux', {}, 'No display'],
  ['linux', { DISPLAY: ':0' }, undefined],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, undefined],
  ['linux', { DISPLAY: ':0', WSL_DISTRO_NAME: 'Debian' }, 'WSL'],
  ['darwin', {}, undefined],
  ['win32', {}, undefined],
])('detects whether a browser can be opened on %s with the environment %j', (platform, env, reason) => {
  const text = whyNoBrowser(env, platform);
  if (reason === undefined) expect(text).toBeUndefined();
  else expect(text).toContain(reason);
});
