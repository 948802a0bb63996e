import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { bundleOnce } from '../../src/bundle/index.js';
import { loadManifest } from '../../src/manifest/index.js';
import { findProductionHost } from '../../src/publish/probe/production-host.js';
import { probeScript } from '../../src/publish/probe/probe-script.js';
import { sandboxedHost } from '../../src/publish/probe/sandboxed-host.js';
import { init, templates, type InitWorld } from '../../src/scaffold/index.js';
import { childProgram } from '../support/child-program.js';
import { foreignProjects, importForeignProjects } from '../support/foreign-projects.js';
import { installedWorkerd } from './installed-workerd.js';
import { proved } from '../support/proved.js';
import { sharedFolder } from '../support/temporary-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const fixtures = join(root, 'test/fixtures');
const foldersIn = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name));
const made = sharedFolder();
const { fixture: foreign } = await importForeignProjects();
afterAll(async () => {
  rmSync(made, { recursive: true, force: true });
  await foreign.rm();
});

const world: InitWorld = {
  cwd: made,
  execPath: process.execPath,
  env: {},
  interactive: false,
  ask: async () => undefined,
  random: (bytes) => new Uint8Array(bytes),
  now: () => 0,
  run: async () => {},
  note: () => {},
};
for (const { name: template } of templates)
  // The code is the same in both languages: `test/scaffold/init/template-list.test.ts`.
  for (const language of proved(['ts', 'js'] as const))
    await init(
      { folder: join('template', `${template}-${language}`), template, language, organization: 'acme' },
      world,
    );
symlinkSync(join(root, 'node_modules'), join(made, 'node_modules'));

/** By the names that the tests have. */
const projects = new Map(
  [
    ...['integrations', 'projects'].flatMap((kind) => foldersIn(join(fixtures, kind))),
    ...['console', 'console-hostile', 'transcripts/fine'].map((name) => join(fixtures, name)),
    join(root, 'test/bench/integration'),
    ...foreignProjects.map((name) => foreign.getPath(name)),
    ...foldersIn(join(made, 'template')),
  ].map((folder) => [
    folder
      .split('/')
      .slice(-2)
      .join('/')
      .replace(/^fs-fixture[^/]*/, 'foreign'),
    folder,
  ]),
);

/** Of a script that stands alone. */
const plain = (entry: string): string =>
  `name: plain\ntitle: Plain\ndescription: For tests.\norganization: acme\nvisibility: private\nscopes: []\nscript: ${entry}\n`;

const scriptProcess = { node: process.execPath, version: '1.2.3', timers: systemClock };

/** What a script shows when it is installed, configured, rendered and asked: the same in both runtimes. */
test.each([...projects])('runs %s with the same results in both runtimes', async (_, folder) => {
  const file = join(folder, 'platform-manifest.yaml');
  const text = plain(readdirSync(folder).find((entry) => entry.startsWith('index.')) ?? '');
  const env = new Proxy({}, { get: () => 'value', has: () => true });
  const loaded = loadManifest({
    file,
    env,
    dotenv: join(folder, 'none'),
    ...(!existsSync(file) && { text }),
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const { integration } = loaded.value;
  if (integration.script === undefined) return;
  const entry = resolve(folder, integration.script);
  const built = await bundleOnce({ entry, folder, sdk: { folder: root } });
  if (!built.ok) throw new Error(JSON.stringify(built.diagnostics));
  const { host: production } = await findProductionHost(
    { folder: installedWorkerd().folder },
    root,
    scriptProcess,
  );
  const hosts = [
    await sandboxedHost({ ...scriptProcess, childFile: await childProgram() })((text) => text),
    await production?.create((text) => text),
  ];
  const [node, workerd] = await Promise.all(
    hosts.map(async (host) => {
      if (!host) throw new Error('workerd is not installed.');
      try {
        return await probeScript(built.value, integration, host);
      } finally {
        await host.close();
      }
    }),
  );
  expect(workerd).toEqual(node);
  expect(workerd?.started).toMatchObject({ ok: true });
});
