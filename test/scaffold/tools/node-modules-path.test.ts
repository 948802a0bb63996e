import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { init } from '../../../src/scaffold/index.js';
import { nodeModulesPath } from '../../../src/scaffold/tools/node-modules-path.js';
import { packageManagers } from '../../../src/scaffold/model/package-managers.js';
import { temporaryFolder, writeFiles } from '../../support/temporary-folder.js';

const { npm, pnpm } = packageManagers;
const write = (folder: string, path: string, content: object): void =>
  writeFiles(folder, { [path]: JSON.stringify(content) });

test.each([
  ['a standalone project', undefined, npm, './node_modules'],
  ['a workspace', ['apps/*'], npm, '../../node_modules'],
  ['a workspace with nested folders', ['apps/**'], npm, '../../node_modules'],
  ['a workspace that lists the folder', ['./apps/hello/'], npm, '../../node_modules'],
  ['a workspace in the long form', { packages: ['apps/*'] }, npm, '../../node_modules'],
  ['a workspace with other folders', ['packages/*'], npm, './node_modules'],
  ['a pnpm workspace, which does not hoist', ['apps/*'], pnpm, './node_modules'],
])('finds the node_modules folder of %s', (_, workspaces, packageManager, expected) => {
  const root = temporaryFolder();
  write(root, 'package.json', { workspaces });
  expect(nodeModulesPath(join(root, 'apps/hello'), packageManager)).toBe(expected);
});

test('a new manifest refers to a schema that exists after npm has installed the workspace', async () => {
  const root = temporaryFolder();
  write(root, 'package.json', { private: true, workspaces: ['apps/*'] });
  write(root, 'sdk/package.json', { name: 'integration-platform', version: '1.0.0' });
  cpSync(fileURLToPath(new URL('../../../schemas', import.meta.url)), join(root, 'sdk/schemas'), {
    recursive: true,
  });
  await init(
    { folder: 'apps/hello', template: 'blank', organization: 'acme', sdk: `file:${root}/sdk` },
    {
      cwd: root,
      execPath: process.execPath,
      env: {},
      interactive: false,
      ask: async () => undefined,
      random: (bytes) => new Uint8Array(bytes),
      now: () => Date.now(),
      run: async () => {},
      note: () => {},
    },
  );
  const project = join(root, 'apps/hello');
  const content = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  // The others would come from the registry.
  const { 'integration-platform': sdk = '' } = content.devDependencies;
  write(project, 'package.json', { ...content, devDependencies: { 'integration-platform': sdk } });
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund'], { cwd: project, stdio: 'pipe' });

  const manifest = readFileSync(join(project, 'platform-manifest.yaml'), 'utf8');
  const path = /^# yaml-language-server: \$schema=(\S+)$/m.exec(manifest)?.[1] ?? '';
  expect(path).toMatch(/^\.\.\/\.\.\/node_modules\//);
  expect(existsSync(resolve(project, path))).toBe(true);
});
