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

test('reads an earlier version from a commit without running any code of the repository', async () => {
  const { folder, ran } = trappedRepository();
  const { integration, version } = await readBaseline('HEAD', { cwd: folder, folder });
  expect([integration.name, version]).toEqual(['sample', '1.2.3']);
  expect(ran()).toBe(false);
  execFileSync('git', ['show', '--textconv', 'HEAD:platform-manifest.yaml'], { cwd: folder });
  expect(ran()).toBe(true);
});

test.each(['--output=stolen', '-h', 'no-such-tag', 'HEAD:other'])(
  'rejects %s as an earlier version',
  async (name) => {
    const { folder } = trappedRepository();
    await expect(readBaseline(name, { cwd: folder, folder })).rejects.toMatchObject({ code: 'no-former' });
    expect(existsSync(join(folder, 'stolen'))).toBe(false);
  },
);
