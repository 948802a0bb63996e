import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, inject, test } from 'vitest';
import { sharedFolder } from '../support/temporary-folder.js';

const guide = readFileSync(fileURLToPath(new URL('../../docs/guides/monorepos.md', import.meta.url)), 'utf8');
/** The commands of the guide, and the package manager that each block begins with by itself. */
const blocks = [...guide.matchAll(/<!-- run by: test\/install\/workspaces[^]*?```sh\n([^]*?)```/g)].map(
  ([, script = '']) => script,
);
const managers = ['npm', 'pnpm', 'yarn'] as const;

const home = sharedFolder();
/** What the test runner sets, and `CI`: there, pnpm refuses to write its lock file. */
const own = /^(CI$|VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|npm_(lifecycle|package|command|execpath))/;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
const tools = join(home, 'tools');

beforeAll(() => {
  const argv = ['install', '--prefix', tools, '--no-audit', '--no-fund', 'pnpm@10', '@yarnpkg/cli-dist@4'];
  mkdirSync(tools);
  const { status, stderr } = spawnSync('npm', argv, { cwd: tools, env, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}, 300_000);

test.for(managers.map((manager, index) => [manager, blocks[index] ?? ''] as const))(
  'the commands for %s set up a monorepo whose integration passes its checks',
  { timeout: 300_000 },
  ([manager, script], { skip }) => {
    expect(script).toContain(`${manager} `);
    const folder = mkdtempSync(join(home, `${manager}-`));
    const name = /[\w-]+-\d+\.\d+\.\d+\.tgz/.exec(script)?.[0] ?? '';
    copyFileSync(inject('packed').file, join(folder, name));
    const PATH = [join(tools, 'node_modules/.bin'), env['PATH']].join(delimiter);
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', script], {
      cwd: folder,
      env: { ...env, PATH, YARN_ENABLE_IMMUTABLE_INSTALLS: 'false', NO_COLOR: '1' },
      encoding: 'utf8',
      timeout: 240_000,
    });
    // Yarn also resolves optional packages for other systems, which a registry may not have. Npm and pnpm leave them out.
    skip(/YN0035: .*Package not found/.test(stdout), 'The registry lacks a package that Yarn resolves.');
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/Tests .*\d+ passed/);
  },
);
