import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { importProject } from '../../../src/scaffold/import/import-project.js';
import { renderDecision } from '../../../src/scaffold/import/model/open-decision.js';

const project = {
  'from/acme-manifest.yaml':
    'name: weather\ntitle: Weather\ndescription: Shows the weather of a place.\norganization: acme\nvisibility: private\nscopes: []\nscript: ./index.js\n',
  'from/index.js':
    "import { createIntegration } from '@acme/runtime';\nexport default createIntegration({});\n",
};

async function decisionsWith(files: Record<string, string>): Promise<string[]> {
  const inFolder = Object.entries(files).map(([path, text]) => [`from/${path}`, text] as const);
  await using fixture = await createFixture({ ...project, ...Object.fromEntries(inFolder) });
  const { decisions } = await importProject(fixture.getPath('from'), { sdkSpec: '^1.0.0' });
  return decisions.map(renderDecision);
}

const withRuntime = (code: string): string =>
  `import { createIntegration } from '@acme/runtime';\n${code}\nexport default createIntegration({});\n`;

test.each<[what: string, files: Record<string, string>]>([
  [
    'graphql-codegen from a listed package',
    {
      'package.json': JSON.stringify({
        scripts: { generate: 'graphql-codegen --config codegen.ts' },
        devDependencies: { '@graphql-codegen/cli': '^5.0.0' },
      }),
    },
  ],
  [
    'dotenv from a listed package',
    {
      'package.json': JSON.stringify({
        scripts: { serve: 'dotenv -e .env -- node server.js' },
        devDependencies: { 'dotenv-cli': '^7.0.0' },
      }),
    },
  ],
  [
    'a context as the only parameter',
    { 'index.js': withRuntime('export function titleOf(context) {\n  return context.title;\n}') },
  ],
  ['a context in a callback', { 'index.js': withRuntime('const t = all.map((context) => context.title);') }],
  ['an unparenthesized context', { 'index.js': withRuntime('const t = all.map(context => context.title);') }],
  [
    'a context with its own type',
    {
      'index.ts': withRuntime(
        'export const titleOf = (id: string, context: { title: string }): string => {\n  return context.title;\n};',
      ),
    },
  ],
  [
    'imports of folders with a slash at the end',
    {
      'index.js': withRuntime("import { act } from './actions/';"),
      'actions/index.ts': "import { base } from '../';\nexport const act = base;\n",
      'index.ts': 'export const base = 1;\n',
    },
  ],
  ['the context', { 'index.js': withRuntime('const dark = (element) => element.context.theme === "dark";') }],
  ['the public registry', { '.npmrc': 'registry=https://registry.npmjs.org/\n' }],
  ['the public registry for a scope', { '.npmrc': '@acme:registry = https://registry.npmjs.org\n' }],
  ['the public registry for Yarn', { '.yarnrc.yml': 'npmRegistryServer: "https://registry.yarnpkg.com"\n' }],
  ['a hook that runs a script', { '.husky/pre-commit': 'npm test\n' }],
  [
    'a hook from an older husky version',
    {
      '.husky/commit-msg':
        '#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n\nnpx --no -- commitlint --edit "$1"\n',
    },
  ],
])('does not ask the author to decide about %s', async (_, files) => {
  expect(await decisionsWith(files)).toEqual([]);
});

test.each<[what: string, files: Record<string, string>, decision: string]>([
  [
    'the second parameter of a handler',
    { 'index.js': withRuntime('const fetch = async (request, context) => {\n  return context.cf;\n};') },
    'index.js:3: This code reads context.cf, which does not exist on this platform.',
  ],
  [
    'a helper for handlers',
    { 'index.ts': withRuntime('const cf = (context: WeatherContext) => context.cf;') },
    'index.ts:2: This code reads context.cf, which does not exist on this platform.',
  ],
  [
    'a condition',
    {
      'index.js': withRuntime(
        'async function f(event, context) {\n  if (context) {\n    context.cf();\n  }\n}',
      ),
    },
    'index.js:4: This code reads context.cf, which does not exist on this platform.',
  ],
  [
    'a registry that only looks public',
    { '.npmrc': 'registry=https://registry.npmjs.org.x.example/\n' },
    '.npmrc:1: This setting decides which packages are installed: "registry=https://registry.npmjs.org.x.example/". Keep it only if you trust it.',
  ],
  [
    'a hook that runs more after a script',
    { '.husky/pre-commit': 'npm test && node x.js\n' },
    '.husky/pre-commit:1: A Git hook can run this file. It contains "npm test && node x.js". Keep it only if you know what it does.',
  ],
  [
    'a hook with a command after many comments',
    { '.husky/pre-commit': `npm test\n${'# why\n'.repeat(50_000)}node x.js\n` },
    '.husky/pre-commit:1: A Git hook can run this file. It contains "npm test". Keep it only if you know what it does.',
  ],
  [
    'an installation script from a missing package',
    { 'package.json': '{"scripts":{"prepare":"husky"}}' },
    'package.json:3: The script "prepare" runs husky, which no dependency provides. The script "prepare" runs when packages are installed: "husky". Keep it only if you know what it does.',
  ],
])('asks the author for exactly one decision about %s', async (_, files, decision) => {
  expect(await decisionsWith(files)).toEqual([decision]);
});
