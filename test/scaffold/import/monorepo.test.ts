import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { parseManifest } from '../../../src/manifest/index.js';
import { importProject } from '../../../src/scaffold/import/import-project.js';
import { renderDecision } from '../../../src/scaffold/import/model/open-decision.js';
import { copyRepository, integrations } from '../../support/move-integrations.js';

const folder = copyRepository();
const moved = (name: string) => importProject(join(folder, 'acme/integrations', name), { sdkSpec: '^1.0.0' });
const text = (files: ReadonlyMap<string, Uint8Array>, path: string): string =>
  new TextDecoder().decode(files.get(path));

const reports = Object.fromEntries(
  readFileSync(new URL('../../fixtures/moved-integrations.txt', import.meta.url), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n')).trim()]),
);

test.each(integrations)('reports every pending decision for %s with its file and line', async (name) => {
  const { decisions, files } = await moved(name);
  expect(decisions.map(renderDecision).join('\n')).toBe(reports[name]);
  for (const { file, line } of decisions)
    if (line !== undefined) expect(line).toBeLessThanOrEqual(text(files, file).split('\n').length);
});

test.each(integrations)('creates a valid manifest for %s', async (name) => {
  const { diagnostics } = parseManifest(text((await moved(name)).files, 'platform-manifest.yaml'));
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('copies settings from a base file unchanged', async () => {
  const { files } = await moved('reference');
  const tsconfig = text(files, 'tsconfig.json');
  for (const line of ['"esModuleInterop": true', '"strict": true', '"lib": ["ESNext", "DOM"]'])
    expect(tsconfig).toContain(line);
  expect(tsconfig).toContain('"jsxImportSource": "integration-platform"');
  expect(tsconfig).not.toContain('extends');
});

test('creates empty variables in each environment for secrets from a vault', async () => {
  const { files } = await moved('tickets');
  expect(text(files, '.env')).toMatch(/\nCLIENT_SECRET=\n$/);
  expect(text(files, '.env.staging')).toMatch(/\nTICKETS_CLIENT_ID=\nCLIENT_SECRET=\n$/);
  expect(text(files, '.env.production')).toMatch(/\nTICKETS_CLIENT_ID=\n$/);
  expect(text(files, '.gitignore')).toBe('node_modules\n.env\n.env.*\n!.env.example\n.platform/\n');
  const manifest = text(files, 'platform-manifest.yaml');
  expect(manifest).not.toContain('op://');
  expect(manifest).toContain('envs:\n    staging:\n        organization: acme-staging\n');
  expect(manifest.match(/\$\{\{ env\.\w+ \}\}/g)).toHaveLength(5);
  expect([...files.values()].some((bytes) => new TextDecoder().decode(bytes).includes('canary'))).toBe(false);
});

test('adds dependencies on packages that the repository provides', async () => {
  expect(JSON.parse(text((await moved('webframe')).files, 'package.json'))).toMatchObject({
    dependencies: {},
    devDependencies: { eslint: '^9.0.0', 'esbuild-register': '^3.6.0', typescript: '^5.5.4' },
  });
  expect(JSON.parse(text((await moved('reference')).files, 'package.json'))).toMatchObject({
    dependencies: { '@acme/api': '*', '@acme/document': '^0.3.1' },
  });
});

test('asks about packages that only the original repository is known to have', async () => {
  await using fixture = await createFixture({
    '.git/HEAD': '',
    'package.json': '{ "workspaces": ["packages/*"] }',
    'packages/shared/package.json': '{ "name": "shared", "version": "1.2.0" }',
    'packages/weather/acme-manifest.yaml':
      'name: weather\ntitle: Weather\nscript: ./src/index.tsx\nscopes: []\n',
    'packages/weather/src/index.tsx': "import { createIntegration } from '@acme/runtime';\n",
    'packages/weather/package.json':
      '{ "dependencies": { "shared": "*", "@acme/runtime": "*", "zod": "3" } }',
  });
  const { files, decisions } = await importProject(fixture.getPath('packages/weather'), {
    sdkSpec: '^1.0.0',
  });
  const found = decisions.filter(({ file }) => file === 'package.json');
  expect(found.map(renderDecision).join('\n')).toMatch(
    /^package\.json:\d+: shared is a package of the original repository, but "\*"/,
  );
  expect(found).toHaveLength(1);
  expect(JSON.parse(text(files, 'package.json'))).toMatchObject({ dependencies: { shared: '*', zod: '3' } });
});
