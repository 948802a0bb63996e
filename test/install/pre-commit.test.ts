import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { manifestText } from '../support/manifest-text.js';
import { sharedFolder } from '../support/temporary-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const home = sharedFolder();
const guide = readFileSync(join(root, 'docs/guides/ci.md'), 'utf8');
/** The two configurations of the guide: with the installed package, and from its repository. */
const [fromPackage = '', fromRepository = ''] = [
  ...guide.matchAll(/<!-- run by: test\/install\/pre-commit[^]*?```yaml\n([^]*?)```/g),
].map(([, text = '']) => text);
const tag = /rev: (\S+)/.exec(fromRepository)?.[1] ?? '';
const repository = join(home, 'repository');
const run = promisify(execFile);

/** Variables of this test run would reach the npm and the Git that are started here. */
const own = /^(VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|GIT_|npm_)/i;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
const identity = { GIT_AUTHOR_NAME: 'Test', GIT_AUTHOR_EMAIL: 'test@example.com' };
const committer = { GIT_COMMITTER_NAME: 'Test', GIT_COMMITTER_EMAIL: 'test@example.com' };

function git(folder: string, ...args: string[]): string {
  const options = { cwd: folder, env: { ...env, ...identity, ...committer }, encoding: 'utf8' } as const;
  return execFileSync('git', ['-c', 'init.defaultBranch=main', ...args], options);
}

function commitAll(folder: string): void {
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'Everything');
}

/** Leaves out most development dependencies. The build still needs one of them, but copies the files of this checkout. */
function shrink(): void {
  const read = (file: string): Project => JSON.parse(readFileSync(join(root, file), 'utf8')) as Project;
  const write = (file: string, project: Project): void =>
    writeFileSync(join(repository, file), JSON.stringify(project));
  const project = read('package.json');
  project.scripts.build = 'tsx build.ts';
  project.devDependencies = { tsx: project.devDependencies.tsx };
  write('package.json', project);
  writeFileSync(
    join(repository, 'build.ts'),
    `import { cpSync } from 'node:fs';\ncpSync(${JSON.stringify(join(root, 'dist'))}, 'dist', { recursive: true });`,
  );
  const argv = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', argv, { cwd: repository, env });
}

interface Project {
  scripts: { build: string };
  devDependencies: { tsx: string };
}

beforeAll(() => {
  const files = git(root, 'ls-files', '-z', '-co', '--exclude-standard').split('\0').filter(Boolean);
  for (const file of files) cpSync(join(root, file), join(repository, file), { force: true });
  if (!process.env['PROVE']) shrink();
  commitAll(repository);
  git(repository, 'tag', tag);
});

// `npm run prove` installs and builds all of the repository, also with an older npm that many people still have.
test.each(process.env['PROVE'] ? ['npm@10', ''] : [''])(
  'installs the hook with the command that pre-commit 4.6 uses, in npm on the PATH or %s',
  async (wanted) => {
    const folder = mkdtempSync(join(home, 'npm-'));
    const options = { env, cwd: folder };
    if (wanted) await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', wanted], options);
    const npm = wanted ? join(folder, 'node_modules/.bin/npm') : 'npm';
    const target = join(folder, 'installed');
    const argv = ['install', '--allow-git=root', '--install-links', '-g', `git+file://${repository}`];
    await run(npm, argv, { env: { ...env, NPM_CONFIG_PREFIX: target }, cwd: folder });
    const { stdout } = await run(join(target, 'bin/platform'), ['--version'], { env });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  },
  600_000,
);

const preCommit = spawnSync('pre-commit', ['--version'], { encoding: 'utf8' });

const ways = [
  ['the installed package', fromPackage],
  ['its repository', fromRepository.replace(/https:\S+/, `file://${repository}`)],
] as const;

test.skipIf(preCommit.status !== 0).each(ways)(
  'runs the hook from %s with the pre-commit command on the PATH',
  async (way, configuration) => {
    const project = join(home, way.replaceAll(' ', '-'));
    mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
    symlinkSync(join(root, 'bin/platform.js'), join(project, 'node_modules/.bin/platform'));
    writeFileSync(join(project, '.gitignore'), 'node_modules\n');
    writeFileSync(join(project, '.pre-commit-config.yaml'), configuration);
    const check = async (manifest: string): Promise<string> => {
      writeFileSync(join(project, 'platform-manifest.yaml'), manifest);
      commitAll(project);
      const argv = ['run', '--all-files', '--color', 'never'];
      const options = { cwd: project, env: { ...env, PRE_COMMIT_HOME: join(home, 'pre-commit') } };
      return run('pre-commit', argv, options).then(
        ({ stdout }) => stdout,
        ({ stdout }: { stdout: string }) => stdout,
      );
    };
    const good = manifestText({ scopes: '[space:content:read]' });
    expect(await check(good)).toMatch(/platform validate\.+Passed/);
    const bad = await check(good.replace('description', 'descripton'));
    expect(bad).toMatch(/platform validate\.+Failed/);
    expect(bad).toContain('manifest/unknown-key');
  },
  600_000,
);
