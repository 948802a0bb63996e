import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { bundleOnce } from '../../src/bundle/index.js';
import { loadManifest } from '../../src/manifest/index.js';
import { probeScript } from '../../src/publish/probe/probe-script.js';
import { importProject } from '../../src/scaffold/import/import-project.js';
import { writeFolder } from '../../src/scaffold/files/write-folder.js';
import { sandboxedHost } from '../../src/publish/probe/sandboxed-host.js';
import { systemClock } from '../../src/base/clock.js';
import { childProgram } from '../support/child-program.js';
import { copyRepository, integrations } from '../support/move-integrations.js';
import { typeErrorsIn } from '../support/type-check.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = copyRepository();

/** Run as the report says, or written as its script would. */
const generated: Record<string, (project: string) => void> = {
  translate: (project) => void execFileSync(process.execPath, ['scripts/languages.mjs'], { cwd: project }),
  webframe: (project) =>
    writeFileSync(join(project, 'src/webframe.ts'), "export const webframeHTML: string = '';\n"),
};

beforeAll(async () => {
  const wanted: Record<string, string> = {};
  for (const name of integrations) {
    const project = await importProject(join(folder, 'acme/integrations', name), { sdkSpec: '^1.0.0' });
    const target = { folder: join(folder, name), shown: name, now: Date.now(), execPath: process.execPath };
    await writeFolder(target, project.files);
    generated[name]?.(join(folder, name));
    const content = JSON.parse(new TextDecoder().decode(project.files.get('package.json'))) as {
      [kind: string]: Record<string, string>;
    };
    Object.assign(wanted, content['dependencies'], content['devDependencies']);
  }
  // The first two are in this repository, and nothing here runs the others.
  const linked = ['integration-platform', 'typescript', 'esbuild', 'eslint', 'esbuild-register'];
  const installed = Object.entries(wanted).filter(
    ([name]) => !linked.includes(name) && !name.startsWith('@acme/'),
  );
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: Object.fromEntries(installed) }),
  );
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: folder });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@acme'), { recursive: true });
  symlinkSync(root, join(modules, 'integration-platform'));
  symlinkSync(join(root, 'node_modules/esbuild'), join(modules, 'esbuild'));
  for (const name of ['api', 'document'])
    symlinkSync(join(folder, 'acme/packages', name), join(modules, '@acme', name));
}, 120_000);

test.each(integrations)(
  'type-checks the moved %s',
  (name) => expect(typeErrorsIn(join(folder, name))).toBe(''),
  60_000,
);

test.each(integrations)('loads and renders the moved project %s', async (name) => {
  const project = join(folder, name);
  const loaded = loadManifest({ file: join(project, 'platform-manifest.yaml') });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const { script = './src/index.ts', ...integration } = loaded.value.integration;
  const built = await bundleOnce({ entry: join(project, script), folder: project, sdk: { folder: root } });
  expect(built.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (!built.ok) return;
  const createHost = sandboxedHost({
    node: process.execPath,
    childFile: await childProgram(),
    version: '1.0.0',
    timers: systemClock,
  });
  const host = await createHost((text) => text);
  const facts = await probeScript(built.value, { ...integration, script }, host);
  await host.close();
  expect(facts).toMatchObject({ started: { ok: true }, isIntegration: true });
  expect(facts.renders.filter(({ problem }) => problem !== undefined)).toEqual([]);
});
