import { mkdirSync, writeFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { detectPackageManager } from '../../../src/base/node/detect-package-manager.js';
import { findSdkSpec } from '../../../src/scaffold/tools/sdk-version-to-install.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { execSync } from 'node:child_process';
import { startRepository } from '../../../src/scaffold/tools/init-git-repository.js';

function lay(files: Record<string, object | string>): string {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return root;
}

const agent = { npm_config_user_agent: 'yarn/4.5.0 npm/? node/v22.0.0 linux x64' };

test.each([
  ['the command that runs it', {}, agent, 'yarn'],
  ['nothing, with npm as the default', {}, {}, 'npm'],
  ['a lock file in a parent folder', { 'pnpm-lock.yaml': '' }, agent, 'pnpm'],
  ["Bun's lock file", { 'bun.lock': '' }, agent, 'bun'],
  ['a declaration in a parent folder', { 'package.json': { packageManager: 'pnpm@9.1.0' } }, agent, 'pnpm'],
  ["pnpm's list of workspace packages", { 'pnpm-workspace.yaml': '' }, {}, 'pnpm'],
  [
    'a reference that npm does not know, without a lock file',
    { 'apps/hello/package.json': { dependencies: { words: 'workspace:*' } }, 'package.json': {} },
    {},
    'bun',
  ],
  ['the nearest lock file', { 'yarn.lock': '', 'apps/package-lock.json': '' }, {}, 'npm'],
  [
    'a declaration rather than a lock file',
    { 'package.json': { packageManager: 'yarn@4.0.0' }, 'package-lock.json': '' },
    {},
    'yarn',
  ],
  ['an unknown name, with npm as the default', { 'package.json': { packageManager: 'cargo@1' } }, {}, 'npm'],
])('detects the package manager from %s', (_, files, env, expected) => {
  expect(detectPackageManager({ folder: join(lay(files), 'apps/hello'), env })).toBe(expected);
});

const own = { 'node_modules/integration-platform/package.json': { version: '1.2.3' } };
const locked = (entry: object) => ({
  ...own,
  'node_modules/.package-lock.json': { packages: { 'node_modules/integration-platform': entry } },
});

test.each([
  ['a registry', locked({ resolved: 'https://registry.example/integration-platform-1.2.3.tgz' }), '^1.2.3'],
  [
    'a tarball',
    { ...locked({ resolved: 'file:../packed.tgz' }), '../packed.tgz': '' },
    'file:ROOT/../packed.tgz',
  ],
  ['a tarball that no longer exists', locked({ resolved: 'file:gone.tgz' }), '^1.2.3'],
  ['in Git', locked({ resolved: 'git+ssh://git@example.com/a.git#1' }), 'git+ssh://git@example.com/a.git#1'],
  [
    'a tarball listed in package.json',
    { ...own, 'package.json': { devDependencies: { 'integration-platform': 'file:p.tgz' } }, 'p.tgz': '' },
    'file:../../p.tgz',
  ],
  ['an unknown source', own, '^1.2.3'],
])('detects a copy of the package installed from %s', (_, files, expected) => {
  const root = join(lay({ 'x/y': '' }), 'x');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(content));
  }
  const wanted = expected.replace('ROOT/../', `${dirname(root)}/`).replace('ROOT', root);
  expect(findSdkSpec(join(root, 'node_modules/integration-platform'), join(root, 'apps/chat'))).toBe(wanted);
});

test('detects that the command runs from a checkout of this repository', () => {
  const checkout = '/home/ada/integration-platform';
  expect(findSdkSpec(checkout, '/home/ada/hello')).toBe(`file:${checkout}`);
});

test("creates the repository on the workflow's branch, regardless of Git's default branch", async () => {
  const folder = temporaryFolder();
  const env = {
    ...process.env,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'init.defaultBranch',
    GIT_CONFIG_VALUE_0: 'trunk',
  };
  await startRepository(folder, {
    run: async (command, { cwd }) => void execSync(command, { cwd, env }),
    note: (text) => expect.unreachable(text),
  });
  expect(readFileSync(join(folder, '.git/HEAD'), 'utf8')).toBe('ref: refs/heads/main\n');
  const workflow = readFileSync(
    new URL('../../../templates/shared/_github/workflows/check.yml', import.meta.url),
    'utf8',
  );
  expect(workflow).toContain('branches: [main]');
});
