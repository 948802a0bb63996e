import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));

test('prints the required Node version if the current one cannot load ES modules with require()', () => {
  const argv = ['--no-experimental-require-module', platform, '--version'];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toBe(
    `error platform needs Node 20.19 or later (Node 22: 22.12 or later). This is Node ${process.versions.node}.\n` +
      '  Install a newer version of Node, then run the command again.\n',
  );
});
