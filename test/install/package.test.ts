import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const { folder, platform } = inject('packed');

test('runs the packed command without install scripts', async () => {
  const { stdout } = await run(platform, ['--version']);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('imports every entry point of the package', async () => {
  const entries = ['.', './jsx-runtime', './jsx-dev-runtime', './webhooks', './testing'];
  const source = entries.map((entry) => `await import('integration-platform${entry.slice(1)}');`).join('');
  await run(process.execPath, ['--input-type=module', '--eval', source], { cwd: folder });
});

test('finds complete types for every entry point, even with `skipLibCheck: false`', async () => {
  const { exports } = JSON.parse(
    readFileSync(join(folder, 'node_modules/integration-platform/package.json'), 'utf8'),
  ) as { exports: Record<string, string | { types: string }> };
  const entries = Object.keys(exports).filter((entry) => typeof exports[entry] === 'object');
  const consumer = join(folder, 'consumer');
  mkdirSync(join(consumer, 'node_modules/@types'), { recursive: true });
  // What authors install next to it: the types of Node and of the Postgres driver.
  for (const name of ['@types/node', '@types/pg', 'undici-types', 'pg-types', 'pg-protocol'])
    symlinkSync(join(root, 'node_modules', name), join(consumer, 'node_modules', name));
  symlinkSync(
    join(folder, 'node_modules/integration-platform'),
    join(consumer, 'node_modules/integration-platform'),
  );
  writeFileSync(
    join(consumer, 'index.ts'),
    entries.map((entry) => `export * from 'integration-platform${entry.slice(1)}';`).join('\n'),
  );
  const compilerOptions = {
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    preserveSymlinks: true,
    noEmit: true,
  };
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['index.ts'] }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', consumer]).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(entries).toHaveLength(6);
  expect(stdout).toBe('');
});

test('works without the install scripts of its dependencies', async () => {
  const { stdout } = await run('npm', ['query', ':attr(scripts, [postinstall]), :attr(scripts, [install])'], {
    cwd: folder,
  });
  const names = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
  // esbuild's checks that its binary fits, and works without having done so.
  expect(names.filter((name) => name !== 'esbuild')).toEqual([]);
});

test('depends only on packages that must be loaded from their own folder', () => {
  const { dependencies } = JSON.parse(
    readFileSync(join(folder, 'node_modules/integration-platform/package.json'), 'utf8'),
  ) as { dependencies: object };
  expect(Object.keys(dependencies)).toEqual(['esbuild', 'libsql']);
});

test('installs the package without asking npm for approval', () => {
  const { scripts } = JSON.parse(
    readFileSync(join(folder, 'node_modules/integration-platform/package.json'), 'utf8'),
  ) as { scripts: Record<string, string> };
  const asked = ['preinstall', 'install', 'postinstall', 'prepare'];
  expect(asked.filter((name) => Object.hasOwn(scripts, name))).toEqual([]);
});

test('the package includes the licenses of bundled packages', () => {
  const notices = readFileSync(
    join(folder, 'node_modules/integration-platform/dist/THIRD-PARTY-NOTICES.txt'),
    'utf8',
  );
  for (const name of ['commander', 'execa', 'hono', 'preact', 'prompts', 'yaml'])
    expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
});

test('prints one JSON document in JSON mode, regardless of the environment', async () => {
  const child = run(platform, ['--format', 'json', 'nosuch'], {
    env: { ...process.env, FORCE_COLOR: '1', DEBUG: '*' },
  });
  const failure = (await child.catch((error: unknown) => error)) as { code: number; stdout: string };
  expect(failure.code).toBe(2);
  expect(JSON.parse(failure.stdout)).toMatchObject({ version: 1, error: { code: 'unknown-command' } });
});

test('reports no error if a reader stops reading the output', async () => {
  const { stderr } = await run('bash', ['-c', `set -o pipefail; ${platform} --help | head -1`]);
  expect(stderr).toBe('');
});

test('writes the code cache only once, and ignores a corrupt one', async () => {
  const cache = temporaryFolder();
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  await run(platform, ['--version'], { env });
  const [file = ''] = readdirSync(join(cache, 'integration-platform'));
  writeFileSync(join(cache, 'integration-platform', file), 'not a cache');
  expect((await run(platform, ['--version'], { env })).stdout).toMatch(/^\d/);
  expect(readdirSync(join(cache, 'integration-platform'))).toEqual([file]);
});

test('deletes code caches after 30 days', async () => {
  const cache = temporaryFolder();
  const caches = join(cache, 'integration-platform');
  mkdirSync(caches, { recursive: true, mode: 0o700 });
  const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
  for (const days of [29, 31]) {
    const file = join(caches, `${days}-days-old.cache`);
    writeFileSync(file, '');
    utimesSync(file, daysAgo(days), daysAgo(days));
  }
  await run(platform, ['--version'], { env: { ...process.env, XDG_CACHE_HOME: cache } });
  expect(readdirSync(caches).filter((name) => name.includes('days'))).toEqual(['29-days-old.cache']);
});

test.each(['--version', '--help'])(
  'loads no module that opens connections for platform %s',
  async (option) => {
    const report = join(folder, 'loaded.cjs');
    writeFileSync(report, `process.on('exit', () => console.error(process.moduleLoadList.join('\\n')));`);
    const main = join(folder, 'node_modules/integration-platform/bin/platform.js');
    const { stderr } = await run(process.execPath, ['-r', report, main, option]);
    expect(stderr).toMatch(/^NativeModule fs$/m);
    expect(stderr.match(/^NativeModule (http|https|child_process|worker_threads|crypto)$/gm)).toBeNull();
  },
);

/** Only root may become a user that the system does not know, who must reach this Node. */
const unknownUser = { uid: 4_242_424 };
const isReached =
  process.getuid?.() === 0 && spawnSync(process.execPath, ['-e', '0'], unknownUser).status === 0;

test.each([
  ['a missing home folder', { HOME: join(folder, 'no-home') }, {}],
  ...(isReached ? [['no home folder set', { HOME: undefined }, unknownUser] as const] : []),
] as const)('runs with %s and creates no code cache', async (_, env, user) => {
  const world = { ...process.env, XDG_CACHE_HOME: undefined, LOCALAPPDATA: undefined, ...env };
  const main = join(folder, 'node_modules/integration-platform/bin/platform.js');
  const { stdout, stderr } = await run(process.execPath, [main, '--version'], {
    env: world,
    cwd: '/',
    ...user,
  });
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^\d/), '']);
  expect(existsSync(join(folder, 'no-home'))).toBe(false);
});

test('reports that the current folder was deleted', async () => {
  const script = `mkdir gone && cd gone && rmdir ../gone && ${platform} validate`;
  const failure = (await run('bash', ['-c', script], { cwd: folder }).catch((error: unknown) => error)) as {
    code: number;
    stderr: string;
  };
  expect([failure.code, failure.stderr.split('\n')[0]]).toEqual([
    2,
    'error The current folder no longer exists.',
  ]);
});

test('exits even if standard input is closed', async () => {
  const child = spawn(platform, ['--help'], { stdio: ['ignore', 'ignore', 'ignore'] });
  const code = await new Promise((resolve) => child.on('exit', resolve));
  expect(code).toBe(0);
});
