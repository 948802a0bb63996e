import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDevPlatform, type DevPlatform } from '../support/dev-platform.js';
import { freePort } from '../support/free-port.js';

const settings = `spaces:
  - id: guides
    title: Guides
    content: guides
  - id: reference
    title: Reference
    content: reference
sites:
  - id: manuals
    title: Manuals
    spaces: [guides, reference]
`;

async function start(options: string[]): Promise<DevPlatform> {
  const platform = await startDevPlatform('site', options, async (folder) => {
    for (const space of ['guides', 'reference']) {
      mkdirSync(join(folder, space));
      writeFileSync(join(folder, space, 'README.md'), `# First page of ${space}\n`);
    }
    writeFileSync(join(folder, 'platform.dev.yaml'), settings);
  });
  onTestFinished(() => platform.close());
  return platform;
}

test('serves the folder of each space on the fixed port, and passes the link to the --exec command', async () => {
  const port = await freePort();
  const exec = `node -e "fs.writeFileSync('seen', process.env.PLATFORM_SITE); setTimeout(() => {}, 60000)"`;
  const platform = await start(['--state', 'memory', '--site-port', String(port), '--exec', exec]);
  const origin = `http://127.0.0.1:${port}`;
  expect(platform.siteOrigin).toBe(origin);
  const ready = JSON.parse(readFileSync(join(platform.folder, '.ready.json'), 'utf8')) as {
    urls: { site: string };
  };
  expect(ready.urls.site).toBe(`${origin}/`);
  expect(await (await fetch(`${origin}/`)).text()).toContain('First page of guides');
  expect(await (await fetch(`${origin}/reference/`)).text()).toContain('First page of reference');
  await vi.waitFor(
    () =>
      // The query is new at each start, so that the browser doesn't show a page that it cached from another program.
      expect(readFileSync(join(platform.folder, 'seen'), 'utf8').replace(/[?]\w{12}/, '')).toBe(
        `${origin}/#key=${platform.siteKey}`,
      ),
    10_000,
  );
}, 60_000);

test('a page that was moved keeps its id after an earlier state is loaded and the platform restarts', async () => {
  const platform = await start(['--state', 'disk']);
  writeFileSync(join(platform.folder, 'guides/a.md'), '# Moved\n');
  const pages = async (): Promise<{ id: string; path: string }[]> =>
    (
      await platform.api<{ pages: { id: string; path: string }[] }>('GET', '/content?space=guides')
    ).pages.filter(({ path }) => path !== '');
  await vi.waitFor(async () => expect(await pages()).toMatchObject([{ path: 'a' }]), 10_000);
  const [page] = await pages();
  await platform.api('PUT', '/snapshots/before');
  renameSync(join(platform.folder, 'guides/a.md'), join(platform.folder, 'guides/b.md'));
  await vi.waitFor(async () => expect(await pages()).toMatchObject([{ id: page?.id, path: 'b' }]), 10_000);
  await platform.api('POST', '/snapshots/before/load');
  await platform.restart();
  await vi.waitFor(async () => expect(await pages()).toMatchObject([{ id: page?.id, path: 'b' }]), 10_000);
}, 60_000);
