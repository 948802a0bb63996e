import { createFixture, type FsFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { importProject } from '../../../src/scaffold/import/import-project.js';
import { renderDecision, type OpenDecision } from '../../../src/scaffold/import/model/open-decision.js';
import { rewriteSource } from '../../../src/scaffold/import/source/rewrite-source.js';
import { runCli } from '../../support/run-cli.js';

const texts = (decisions: readonly OpenDecision[]): string => decisions.map(renderDecision).join('\n');

const foreign = {
  'foreign/acme-manifest.yaml':
    '# Mine, and it stays.\nname: weather\ntitle: Weather\ndescription: Shows the weather. # short\norganization: acme\nvisibility: private\nscopes: []\nscript: ./src/index.tsx\nwidgets: 3\n',
  'foreign/src/index.tsx':
    "/** @jsxImportSource @acme/runtime */\n// keep me\nimport { Event } from '@acme/api';\nimport { createIntegration } from '@acme/runtime';\nimport { other } from '@acme/other';\nimport { helper } from './helper';\n\nexport default createIntegration({});\n",
  'foreign/src/helper.ts': "export const helper = '@acme/runtime is a text here';\n",
  'foreign/tsconfig.json':
    '{ "extends": "@acme/tsconfig/base.json", "compilerOptions": { "jsxImportSource": "@acme/runtime" } }\n',
  'foreign/package.json': JSON.stringify({
    name: 'weather',
    dependencies: { '@acme/runtime': '1', zod: '3' },
    scripts: { build: 'acme check' },
  }),
  'foreign/node_modules/x/index.js': '',
  'foreign/.env': 'KEY=canary',
};

test('rewrites only imports, the JSX import source and package names', async () => {
  await using fixture = await createFixture(foreign);
  const { files, diff, decisions } = await importProject(fixture.getPath('foreign'), { sdkSpec: '^1.0.0' });
  const text = (path: string): string => new TextDecoder().decode(files.get(path));
  expect([...files.keys()].sort()).toEqual([
    '.gitignore',
    'package.json',
    'platform-manifest.yaml',
    'src/helper.ts',
    'src/index.tsx',
    'tsconfig.json',
  ]);
  expect(text('src/index.tsx')).toBe(
    "/** @jsxImportSource integration-platform */\n// keep me\nimport { Event } from 'integration-platform';\nimport { createIntegration } from 'integration-platform';\nimport { other } from '@acme/other';\nimport { helper } from './helper';\n\nexport default createIntegration({});\n",
  );
  expect(text('src/helper.ts')).toBe(foreign['foreign/src/helper.ts']);
  expect(text('platform-manifest.yaml')).toMatch(
    /^# yaml-language-server: .*\n# Mine, and it stays\.\nname: weather\n/,
  );
  expect(text('tsconfig.json')).toContain('"jsxImportSource": "integration-platform"');
  expect(JSON.parse(text('package.json'))).toMatchObject({
    dependencies: { zod: '3' },
    devDependencies: { 'integration-platform': '^1.0.0' },
  });
  expect(diff).toContain("-import { createIntegration } from '@acme/runtime';");
  expect(texts(decisions)).toMatch(/@acme\/other, which has no replacement/);
  expect(texts(decisions)).toMatch(/@acme\/tsconfig\/base\.json/);
  expect(texts(decisions)).toMatch(
    /platform-manifest\.yaml:\d+: Unknown field "widgets"\. This key was renamed to x-widgets/,
  );
});

test('reports unknown ESLint rules and keeps the file that contains them', async () => {
  const rules = '{\n  "extends": ["@acme/eslint-config/integration", "standard"]\n}\n';
  await using fixture = await createFixture({ ...foreign, 'foreign/.eslintrc.json': rules });
  const { files, decisions } = await importProject(fixture.getPath('foreign'), { sdkSpec: '^1.0.0' });
  expect(new TextDecoder().decode(files.get('.eslintrc.json'))).toBe(rules);
  expect(texts(decisions)).toContain(
    '.eslintrc.json:2: This file uses the rules @acme/eslint-config/integration, which do not exist on this platform. Use other rules, or remove the file.',
  );
});

test('platform init --from creates the project', async () => {
  await using fixture = await createFixture(foreign);
  const dry = await runCli(['init', 'here', '--from', 'foreign', '--dry-run'], { cwd: fixture.path });
  expect(dry.code).toBe(0);
  expect(await fixture.exists('here')).toBe(false);
  const { code, stdout } = await runCli(['init', 'here', '--from', 'foreign'], { cwd: fixture.path });
  expect(code).toBe(0);
  expect(stdout).toContain(' decisions left for you to make:\n');
  expect(stdout).not.toContain('canary');
  expect(await fixture.exists('here/platform-manifest.yaml')).toBe(true);
  expect((await runCli(['init', 'here', '--from', 'foreign'], { cwd: fixture.path })).code).toBe(2);
  expect((await runCli(['init', '--from', 'foreign'], { cwd: fixture.path })).stderr).toContain('<folder>');
});

test('copies source folders, but not local files', async () => {
  await using fixture = await createFixture({
    ...foreign,
    'foreign/.env.production': 'KEY=canary',
    'foreign/.env.example': 'KEY=',
    'foreign/src/build/plan.ts': 'export {};',
    'foreign/dist/index.js': '',
    'foreign/src/lost.ts': ({ symlink }) => symlink('./nowhere.ts'),
    'foreign/src/round.ts': ({ symlink }) => symlink('./round.ts'),
    'foreign/src/back': ({ symlink }) => symlink('..'),
  });
  const { files, decisions } = await importProject(fixture.getPath('foreign'), { sdkSpec: '^1.0.0' });
  expect([...files.keys()]).toContain('src/build/plan.ts');
  expect([...files.keys()]).toContain('.env.example');
  expect([...files.keys()].filter((path) => /production|dist|lost|round|back/.test(path))).toEqual([]);
  for (const path of ['src/lost.ts', 'src/round.ts', 'src/back'])
    expect(texts(decisions)).toContain(`${path}: This symlink is broken`);
});

test.each([
  ['a bad package.json', { 'foreign/package.json': '{ nope' }, /package\.json: This file is not valid JSON/],
  [
    'an import that the SDK does not export',
    { 'foreign/src/a.ts': "import { createIntegration, createThing } from '@acme/runtime';\n" },
    /src\/a\.ts:1: This code imports createThing, which integration-platform does not export/,
  ],
  [
    'a call to a method that the client does not have',
    {
      'foreign/src/a.ts':
        "import { createIntegration } from '@acme/runtime';\ncontext.api.search.searchContent({});\ninstallationApiClient.orgs.startThing(1);\napi.orgs.getSiteById('a', 'b');\n",
    },
    /src\/a\.ts:2: This code calls search\.searchContent\(\).*\n.*:3: This code calls orgs\.startThing\(\)(?![^]*getSiteById)/,
  ],
  [
    'a call on a renamed client that spans several lines',
    {
      'foreign/src/a.ts':
        "import { createIntegration } from '@acme/runtime';\nbot.client.user.setStatus('on');\nclient?.orgs.askThing('a');\ncontext.api.spaces\n  .startThing('b');\n",
    },
    /src\/a\.ts:3: This code calls orgs\.askThing\(\).*\n.*:4: This code calls spaces\.startThing\(\)(?![^]*setStatus)/,
  ],
  [
    'tasks that use a separate route',
    {
      'foreign/src/a.ts':
        "import { createIntegration } from '@acme/runtime';\nrouter.post('/tasks', (request) => request.headers.get('X-Acme-Integration-Signature'));\n",
    },
    /src\/a\.ts:2: This code receives tasks as signed requests/,
  ],
  [
    'sources that do not import createIntegration',
    { 'foreign/src/index.tsx': 'export {};' },
    /No source file imports createIntegration/,
  ],
])('reports %s', async (_, changes, said) => {
  await using fixture = await createFixture({ ...foreign, ...changes });
  expect(texts((await importProject(fixture.getPath('foreign'), { sdkSpec: '^1.0.0' })).decisions)).toMatch(
    said,
  );
});

test.each([
  ["const { Logger } = require('@acme/runtime');", "const { Logger } = require('integration-platform');"],
  ["vi.mock('@acme/runtime', () => ({}));", "vi.mock('integration-platform', () => ({}));"],
  ["await import('@acme/runtime')", "await import('integration-platform')"],
  ["import * as platform from '@acme/runtime';", "import * as platform from 'integration-platform';"],
  ["export { Logger } from '@acme/runtime';", "export { Logger } from 'integration-platform';"],
  [
    "import type { Element } from '@acme/runtime/jsx-runtime';",
    "import type { Element } from 'integration-platform/jsx-runtime';",
  ],
  ["import * as api from '@acme/api';", "import * as api from '@acme/api';"],
  [
    "import * as sent from '@acme/api';\nconst of = (event: sent.SpaceViewEvent) => event.url;",
    "import * as sent from 'integration-platform';\nconst of = (event: sent.SpaceViewEvent) => event.url;",
  ],
  [
    "import * as api from '@acme/api';\nconst on = (event: api.SpaceViewEvent, { api }) => api.spaces.getSpaceById(event.spaceId);",
    "import * as api from 'integration-platform';\nconst on = (event: api.SpaceViewEvent, { api }) => api.spaces.getSpaceById(event.spaceId);",
  ],
  [
    "import * as sent from '@acme/api';\nnew sent.AcmeThing() as sent.SpaceViewEvent;",
    "import * as sent from '@acme/api';\nnew sent.AcmeThing() as sent.SpaceViewEvent;",
  ],
  [
    "import { ExposableError as Shown, type AcmeThing } from '@acme/api';",
    "import { ExposableError as Shown } from 'integration-platform';\nimport { type AcmeThing } from '@acme/api';",
  ],
  [
    "import { AcmeAPI, AcmeAPIError as Refused, type AcmeThing } from '@acme/api';\nnew AcmeAPI({ endpoint });",
    "import { PlatformApi as AcmeAPI, PlatformApiError as Refused } from 'integration-platform';\nimport { type AcmeThing } from '@acme/api';\nnew AcmeAPI({ endpoint });",
  ],
  [
    "import { AcmeAPI } from '@acme/api';\nconst api = new AcmeAPI({ endpoint });\nawait api.orgs.startThing(1);",
    "import { AcmeAPI } from '@acme/api';\nconst api = new AcmeAPI({ endpoint });\nawait api.orgs.startThing(1);",
  ],
  [
    "import type { AcmeAPI } from '@acme/api';\nexport const ask = (client: AcmeAPI) => client.orgs.askThing(1);",
    "import type { PlatformApi as AcmeAPI } from 'integration-platform';\nexport const ask = (client: AcmeAPI) => client.orgs.askThing(1);",
  ],
  ["const text = '@acme/runtime';", "const text = '@acme/runtime';"],
  ['environment.installation?.target?.organization!', 'environment.installation?.organization!'],
  ['[acmeInstallation.target.organization]', '[acmeInstallation.organization]'],
  ['{ id: installation.target.organizationId }', '{ id: installation.target.organizationId }'],
])('rewrites %s', (before, after) => {
  const origin = { runtime: '@acme/runtime', scope: '@acme/', command: 'acme' };
  expect(rewriteSource(before, origin).text).toBe(after);
});

test('adds TypeScript if the scripts call its compiler', async () => {
  const packageOf = async (content: object): Promise<unknown> => {
    await using fixture = await createFixture({
      ...foreign,
      'foreign/package.json': JSON.stringify(content),
    });
    const { files } = await importProject(fixture.getPath('foreign'), { sdkSpec: '^1.0.0' });
    return JSON.parse(new TextDecoder().decode(files.get('package.json')));
  };
  const scripts = { typecheck: 'tsc --noEmit' };
  expect(await packageOf({ scripts })).toMatchObject({ devDependencies: { typescript: '^5.9.0' } });
  expect(await packageOf({ scripts, dependencies: { typescript: '5.4' } })).toEqual({
    scripts,
    dependencies: { typescript: '5.4', '@acme/other': '*' },
    devDependencies: { 'integration-platform': '^1.0.0' },
  });
});

const part = { ...foreign, 'foreign/tsconfig.json': '{\n  "extends": "@acme/tsconfig/base.json"\n}\n' };
const imported = async (changes: Record<string, string>) => {
  await using fixture = await createFixture({ ...part, ...changes });
  const { files, decisions } = await importProject(fixture.getPath('foreign'), { sdkSpec: '^1.0.0' });
  const read = (path: string) =>
    JSON.parse(new TextDecoder().decode(files.get(path))) as Record<string, Record<string, unknown>>;
  return { options: read('tsconfig.json')['compilerOptions'], package: read('package.json'), decisions };
};

test.each([
  'const body = await request.json<{ id: string }>();',
  'await fetch(url, { cf: { cacheTtl: 60 } });',
])('includes worker types if the sources need them: %s', async (source) => {
  const { options, package: content } = await imported({ 'foreign/src/work.ts': source });
  expect(options).toMatchObject({ types: ['@cloudflare/workers-types'] });
  expect(options).toHaveProperty('lib', ['es2023']);
  expect(content['devDependencies']).toHaveProperty('@cloudflare/workers-types');
});

test('includes only browser types by default', async () => {
  const { options, package: content } = await imported({});
  expect(options).not.toHaveProperty('types');
  expect(content['devDependencies']).not.toHaveProperty('@cloudflare/workers-types');
});

test('removes the types option if no dependency provides the types', async () => {
  const { options, decisions } = await imported({
    'foreign/tsconfig.json':
      '{ "extends": "@acme/tsconfig/base.json", "compilerOptions": { "types": ["runner", "zod/v4", "./mine"] } }',
  });
  expect(options?.['types']).toEqual(['zod/v4', './mine']);
  expect(texts(decisions)).toContain('`types` listed runner, but no package provides them');
});

const run = (
  fixture: FsFixture,
  argv: string[],
  options: Parameters<typeof runCli>[1] = {},
): ReturnType<typeof runCli> =>
  runCli(['init', '--from', 'foreign', ...argv], { cwd: fixture.path, ...options });

test('shows the diff in a terminal, then asks for confirmation', async () => {
  await using fixture = await createFixture(foreign);
  const no = await run(fixture, ['here'], { terminal: true, answers: { write: false } });
  expect(no.asked.map(({ name }) => name)).toEqual(['write']);
  expect(no.code).toBe(0);
  expect(no.stdout).toContain('createIntegration');
  expect(no.stdout).toMatch(/\nNothing was written\.\n$/);
  expect(await fixture.exists('here')).toBe(false);
  expect((await run(fixture, ['here'], { terminal: true })).code).toBe(130);
  expect(await fixture.exists('here')).toBe(false);
  const yes = await run(fixture, [], { terminal: true, answers: { folder: 'here', write: true } });
  expect(yes.asked.map(({ name }) => name)).toEqual(['folder', 'write']);
  expect(yes.stdout).toContain('Created');
  expect(await fixture.exists('here/src/index.tsx')).toBe(true);
  expect((await run(fixture, ['there', '--yes'], { terminal: true })).asked).toEqual([]);
});

test('prefers flags to the values in the manifest', async () => {
  await using fixture = await createFixture(foreign);
  const argv = ['here', '--organization', 'other', '--visibility', 'public', '--title', 'My: weather'];
  expect((await run(fixture, argv)).code).toBe(0);
  const text = await fixture.readFile('here/platform-manifest.yaml', 'utf8');
  expect(text).toContain('organization: other\nvisibility: public\n');
  expect(text).toContain('title: "My: weather"\n');
});

test('rejects flags that are only for new projects', async () => {
  await using fixture = await createFixture(foreign);
  const { code, stderr } = await run(fixture, ['here', '--template', 'block', '--scopes', 'openapi:read']);
  expect(code).toBe(2);
  expect(stderr).toContain('--template and --scopes');
});

test('prints one JSON document', async () => {
  await using fixture = await createFixture(foreign);
  const { stdout } = await run(fixture, ['here', '--dry-run', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    folder: 'here',
    next: ['cd here', 'npm install', 'npx --no-install tsc --noEmit', 'npx platform dev'],
    decisions: expect.arrayContaining([
      { file: 'src/index.tsx', line: 5, message: expect.stringContaining('@acme/other') as string },
    ]),
  });
});

test.each([
  ['acme dev', 'platform dev'],
  ['PORT=1 npx acme dev', 'PORT=1 platform dev'],
  ['cross-env PORT=1 acme dev', 'cross-env PORT=1 platform dev'],
  ['tsc && pnpm exec acme publish .', 'tsc && platform publish-check .'],
  ['acme-tools dev', 'acme-tools dev'],
])('rewrites the script "%s" to "%s"', async (before, after) => {
  const content = { scripts: { run: before } };
  await using fixture = await createFixture({ ...foreign, 'foreign/package.json': JSON.stringify(content) });
  const { files } = await importProject(fixture.getPath('foreign'), { sdkSpec: '^1.0.0' });
  const written = JSON.parse(new TextDecoder().decode(files.get('package.json'))) as typeof content;
  expect(written.scripts.run).toBe(after);
});

test.each([
  ['while the folder is being read', true],
  ['before the new folder is written', false],
])('leaves no files behind after Ctrl-C %s', async (_, atOnce) => {
  await using fixture = await createFixture(foreign);
  const interrupt = new AbortController();
  if (atOnce) interrupt.abort('SIGINT');
  const { code, stderr } = await runCli(['init', 'mine', '--from', 'foreign', '--yes'], {
    cwd: fixture.path,
    signal: interrupt.signal,
    onStdout: () => interrupt.abort('SIGINT'),
  });
  expect([code, stderr]).toEqual([130, '']);
  expect(await fixture.readdir('')).toEqual(['foreign']);
});
