import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBaseline } from '../../src/publish/baseline/baseline.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { manifestText } from './seeded-project.js';

const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'core.hooksPath=/dev/null'];

/** A repository whose filters, drivers and hooks leave a file behind when they run. */
function trappedRepository(): { folder: string; ran(): boolean } {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const git = (...argv: string[]): string =>
    execFileSync('git', [...author, ...argv], { cwd: folder, encoding: 'utf8' });
  git('init', '-q');
  writeFileSync(join(folder, 'platform-manifest.yaml'), manifestText);
  writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3" }');
  git('add', '.');
  git('commit', '-qm', 'First version');
  const trap = join(folder, 'ran');
  const command = `sh -c 'touch ${trap}; cat'`;
  writeFileSync(join(folder, '.gitattributes'), '* filter=trap diff=trap\n');
  for (const key of [
    'filter.trap.smudge',
    'filter.trap.clean',
    'diff.trap.textconv',
    'diff.trap.command',
    'core.fsmonitor',
    'core.pager',
  ])
    git('config', key, command);
  for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction'])
    writeFileSync(join(folder, '.git/hooks', hook), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
  return { folder, ran: () => existsSync(trap) };
}

test('reads an earlier version from a commit without running any code from the repository', async () => {
  const { folder, ran } = trappedRepository();
  const { integration, version } = await readBaseline('HEAD', {
    cwd: folder,
    file: join(folder, 'platform-manifest.yaml'),
  });
  expect([integration.name, version]).toEqual(['sample', '1.2.3']);
  expect(ran()).toBe(false);
  execFileSync('git', ['show', '--textconv', 'HEAD:platform-manifest.yaml'], { cwd: folder });
  expect(ran()).toBe(true);
});

test('reads no files in the project that look like a repository', async () => {
  const { folder } = trappedRepository();
  execFileSync('sh', ['-c', 'git config core.worktree . && mv .git/* . && rmdir .git'], { cwd: folder });
  const place = { cwd: folder, file: join(folder, 'platform-manifest.yaml') };
  await expect(readBaseline('HEAD~0', place)).rejects.toMatchObject({ code: 'no-former' });
});

test.each(['--output=stolen', '-h', 'no-such-tag', 'HEAD:other'])('rejects the version %s', async (name) => {
  const { folder } = trappedRepository();
  await expect(
    readBaseline(name, { cwd: folder, file: join(folder, 'platform-manifest.yaml') }),
  ).rejects.toMatchObject({ code: 'no-former' });
  expect(existsSync(join(folder, 'stolen'))).toBe(false);
});

const gitIn = (folder: string, ...argv: string[]): string =>
  execFileSync('git', [...author, ...argv], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

const project = (): string => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'empty'), { recursive: true });
  writeFileSync(join(folder, 'platform-manifest.yaml'), manifestText);
  return folder;
};

const repository = (): string => {
  const folder = project();
  gitIn(folder, 'init', '-q');
  gitIn(folder, 'commit', '-qm', 'Nothing yet', '--allow-empty');
  gitIn(folder, 'tag', 'v0');
  gitIn(folder, 'add', '.');
  gitIn(folder, 'commit', '-qm', 'First version');
  return folder;
};

const shallowClone = (): string => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  gitIn(folder, 'clone', '-q', '--depth', '1', `file://${repository()}`, '.');
  return folder;
};

test.each<[what: string, create: () => string, name: string, message: string, hint: string]>([
  ['an unknown commit', repository, 'v1', 'Unknown commit, branch or tag: "v1".', 'git log --oneline'],
  ['an unknown commit in a shallow clone', shallowClone, 'v0', 'Unknown commit', 'git fetch --unshallow'],
  ['a commit and no repository', project, 'v1', 'not in a Git repository', 'folder of an earlier version'],
  ['no manifest', repository, 'v0', 'at commit "v0"', 'git log --oneline -- platform-manifest.yaml'],
  ['a folder without a manifest', repository, 'empty', 'in the folder "empty"', 'folder that has one'],
])('explains why %s cannot be the earlier version', async (_, create, name, message, hint) => {
  const folder = create();
  await expect(
    readBaseline(name, { cwd: folder, file: join(folder, 'platform-manifest.yaml') }),
  ).rejects.toMatchObject({
    code: 'no-former',
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint),
  });
});
