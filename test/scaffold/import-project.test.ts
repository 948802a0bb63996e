import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { importProject } from '../../src/scaffold/import-project.js';
import { runCli } from '../support/run-cli.js';

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

test("imports, the JSX source and packages become this platform's; all else stays", async () => {
  await using fixture = await createFixture(foreign);
  const { files, diff, unmapped } = importProject(fixture.getPath('foreign'), '^1.0.0');
  const text = (path: string): string => new TextDecoder().decode(files.get(path));
  expect([...files.keys()].sort()).toEqual([
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
  expect(unmapped.join('\n')).toMatch(/@acme\/other, which has no counterpart/);
  expect(unmapped.join('\n')).toMatch(/@acme\/tsconfig\/base\.json/);
  expect(unmapped.join('\n')).toMatch(/platform-manifest\.yaml:\d+: .*widgets/);
});

test('platform init --from', async () => {
  await using fixture = await createFixture(foreign);
  const dry = await runCli(['init', 'here', '--from', 'foreign', '--dry-run'], { cwd: fixture.path });
  expect(dry.code).toBe(0);
  expect(await fixture.exists('here')).toBe(false);
  const { code, stdout } = await runCli(['init', 'here', '--from', 'foreign'], { cwd: fixture.path });
  expect(code).toBe(0);
  expect(stdout).toContain('Look at these:\n');
  expect(stdout).not.toContain('canary');
  expect(await fixture.exists('here/platform-manifest.yaml')).toBe(true);
  expect((await runCli(['init', 'here', '--from', 'foreign'], { cwd: fixture.path })).code).toBe(2);
  expect((await runCli(['init', '--from', 'foreign'], { cwd: fixture.path })).stderr).toContain('<folder>');
});
