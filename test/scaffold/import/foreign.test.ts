import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FsFixture } from 'fs-fixture';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleOnce } from '../../../src/bundle/index.js';
import { loadManifest } from '../../../src/manifest/index.js';
import { probeScript } from '../../../src/publish/probe/probe-script.js';
import { importProject, type ImportedProject } from '../../../src/scaffold/import/import-project.js';
import { newTsconfig } from '../../../src/scaffold/import/tsconfig/rewrite-tsconfig.js';
import { inProcessHost } from '../../publish/project-under-check.js';
import {
  foreignFolder as foreign,
  foreignProjects as names,
  importForeignProjects,
} from '../../support/foreign-projects.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The SDK's sources take the place of the package that is built from them. */
const sdkPaths = {
  'integration-platform': [join(root, 'src/runtime/index.ts')],
  'integration-platform/jsx-runtime': [join(root, 'src/runtime/jsx-runtime.ts')],
};

let imported: ReadonlyMap<string, ImportedProject>;
let fixture: FsFixture;

beforeAll(async () => {
  ({ fixture, imported } = await importForeignProjects());
});
afterAll(() => fixture.rm());

/** The expected problems, not counting unset secrets and problems with the severity `info`. */
const findings: Record<string, string[]> = {
  plain: ['manifest/placeholder-text'],
  script: ['manifest/internal-scope', 'manifest/internal-scope'],
};

test.each(names)('validate reports the actual problems in %s', (name) => {
  const { ok, diagnostics } = loadManifest({ file: fixture.getPath(`${name}/platform-manifest.yaml`) });
  const said = diagnostics
    .filter(({ severity, code }) => severity !== 'info' && code !== 'manifest/unset-secret')
    .map(({ code }) => code);
  expect(said).toEqual(findings[name] ?? []);
  expect(ok).toBe(true);
});

test.each(names)('builds, starts and renders the imported script of %s', async (name) => {
  const folder = fixture.getPath(name);
  const loaded = loadManifest({ file: join(folder, 'platform-manifest.yaml') });
  const { script = 'src/index.jsx', ...integration } = loaded.ok
    ? loaded.value.integration
    : { ...(await plainIntegration()) };
  const built = await bundleOnce({ entry: join(folder, script), folder, sdk: { folder: root } });
  expect(built.diagnostics).toEqual([]);
  if (!built.ok) return;
  const host = await inProcessHost((text) => text);
  const facts = await probeScript(built.value, { ...integration, script }, host);
  await host.close();
  expect(facts).toMatchObject({ started: { ok: true }, isIntegration: true });
  expect(facts.renders.filter(({ problem }) => problem !== undefined)).toEqual([]);
});

async function plainIntegration() {
  const mended = fixture.getPath('mended.yaml');
  const text = await fixture.readFile('plain/platform-manifest.yaml', 'utf8');
  writeFileSync(mended, text.replace(/ {4}categories:\n.*\n/, '').replace('script:', 'x-script:'));
  const loaded = loadManifest({ file: mended });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  return loaded.value.integration;
}

test('the imported sources pass the type check with this SDK', () => {
  const options = ts.parseJsonConfigFileContent(
    {
      compilerOptions: {
        ...(JSON.parse(newTsconfig(false)) as { compilerOptions: object }).compilerOptions,
        paths: { '~/*': ['./sync/src/*'], ...sdkPaths },
      },
    },
    ts.sys,
    fixture.path,
  ).options;
  const files = names.flatMap((name) =>
    [...(imported.get(name)?.files.keys() ?? [])]
      .filter((path) => /^src\/.*\.tsx?$/.test(path))
      .map((path) => fixture.getPath(`${name}/${path}`)),
  );
  const program = ts.createProgram(files, options);
  const said = ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file === undefined || file.fileName.startsWith(fixture.path))
    .map(({ file, start = 0, messageText }) =>
      [
        file?.fileName.slice(fixture.path.length),
        file && file.getLineAndCharacterOfPosition(start).line + 1,
        ts.flattenDiagnosticMessageText(messageText, '\n'),
      ].join(':'),
    );
  expect(said).toEqual([]);
});

test.each(names.filter((name) => name !== 'plain'))(
  'includes all inherited tsconfig settings of %s',
  (name) => {
    const file = fixture.getPath(`${name}/tsconfig.json`);
    const { config } = ts.readConfigFile(file, ts.sys.readFile) as { config: object };
    const { errors } = ts.parseJsonConfigFileContent(config, ts.sys, fixture.getPath(name));
    expect(errors.map(({ messageText }) => messageText)).toEqual([]);
  },
);

test('produces identical files when imported twice, and keeps comments', async () => {
  for (const name of names) {
    const again = await importProject(join(foreign, name), { sdkSpec: '^1.0.0' });
    expect(again).toEqual(imported.get(name));
  }
  const text = (name: string, path: string): string =>
    new TextDecoder().decode(imported.get(name)?.files.get(path));
  expect(text('script', 'platform-manifest.yaml')).toContain('- site:script:inject # of spaces');
  expect(text('sync', 'src/index.tsx')).toContain('    // how it ended\n    GitSyncOperationState,');
  expect(text('embed', 'tsconfig.json')).toContain('// no DOM');
  expect(text('embed', '.env.example')).toMatch(/\nTICKETS_CLIENT_ID=\nTICKETS_CLIENT_SECRET=\n$/);
  expect(text('script', '.env.example')).toMatch(/\nCOUNTER_KEY=\n$/);
  expect(imported.get('views')?.files.has('.env.example')).toBe(false);
  expect(text('views', 'src/index.ts')).toContain("} from 'integration-platform';\r\n");
});
