import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { execSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { loadManifest } from '../../../src/manifest/index.js';
import { init, templates, type InitOptions, type InitWorld } from '../../../src/scaffold/index.js';
import { runCli } from '../../support/run-cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});

const list = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();

const start = (options: InitOptions, world: Partial<InitWorld> = {}) =>
  init(options, {
    cwd,
    execPath: process.execPath,
    env: {},
    interactive: false,
    ask: async () => undefined,
    random: (bytes) => new Uint8Array(bytes).fill(7),
    now: () => Date.now(),
    run: async () => {},
    note: () => {},
    ...world,
  });

const acme = { organization: 'acme' } as const;

test.each(templates.map(({ name }) => name))('creates a valid project from %s', async (template) => {
  const folder = join(cwd, 'hello');
  await start({ folder, template, ...acme });
  const { ok, diagnostics } = loadManifest({ file: join(folder, 'platform-manifest.yaml') });
  expect(diagnostics).toEqual([]);
  expect(ok).toBe(true);
});

test.each([
  ['npm', 'hello', undefined],
  ['yarn', 'hello', 'nodeLinker: node-modules\n'],
  ['yarn', 'packages/hello', undefined],
] as const)(
  'sets the linker for %s in %s unless the workspace does',
  async (packageManager, folder, settings) => {
    writeFileSync(join(cwd, 'package.json'), '{"workspaces":["packages/*"]}');
    await start({ folder, template: 'blank', packageManager, ...acme });
    const file = join(cwd, folder, '.yarnrc.yml');
    expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(settings);
  },
);

test("the workflow installs Yarn 4, because Corepack's default is Yarn 1", async () => {
  await start({ folder: 'hello', template: 'blank', packageManager: 'yarn', ...acme });
  const workflow = readFileSync(join(cwd, 'hello/.github/workflows/check.yml'), 'utf8');
  expect(workflow).toMatch(
    /corepack enable\n +- run: corepack install --global yarn@4\n +- run: yarn install --immutable\n/,
  );
});

test.each(['ts', 'js'] as const)('a blank project in %s logs with its own name', async (language) => {
  await start({ folder: 'a', name: 'ticket-links', template: 'blank', language, ...acme });
  const text = (path: string) => readFileSync(join(cwd, 'a', `${path}.${language}`), 'utf8');
  expect(text('src/index')).toContain("Logger('ticket-links')");
  expect(text('test/index.test')).toContain("'[ticket-links] The installation");
});

test('writes identical files for identical answers, except for local secrets', async () => {
  const random = (seed: number) => (bytes: number) => new Uint8Array(bytes).fill(seed);
  const options = { folder: 'a', template: 'oauth', ...acme };
  const [one, two] = [
    await start(options, { random: random(1) }),
    await start({ ...options, folder: 'b', name: 'a' }, { random: random(2) }),
  ];
  const differing = [...(one?.files ?? [])].filter(
    ([path, bytes]) => Buffer.compare(bytes, two?.files.get(path) ?? new Uint8Array()) !== 0,
  );
  expect(differing.map(([path]) => path)).toEqual(['.env']);
  expect(readFileSync(join(cwd, 'a/.env'), 'utf8')).toContain(`CLIENT_SECRET=secret_${'01'.repeat(16)}\n`);
});

test('keeps answers that contain YAML syntax as strings', async () => {
  const title = 'yes: "no" # {x}';
  const description = '- [ ] & done';
  await start({ folder: 'hello', template: 'blank', title, description, ...acme });
  const loaded = loadManifest({ file: join(cwd, 'hello/platform-manifest.yaml') });
  expect(loaded.ok && loaded.value.integration).toMatchObject({ title, description });
});

test('writes the values of flags to the manifest and package.json', async () => {
  await start({
    folder: 'hello',
    template: 'events',
    name: 'Space-Watch',
    title: 'Space watch',
    organization: 'acme',
    visibility: 'public',
    scopes: ['space:content:read'],
    packageManager: 'pnpm',
    sdk: '1.2.3',
  });
  const loaded = loadManifest({ file: join(cwd, 'hello/platform-manifest.yaml') });
  expect(loaded.ok && loaded.value.integration).toMatchObject({
    name: 'Space-Watch',
    title: 'Space watch',
    organization: 'acme',
    visibility: 'public',
    scopes: ['space:content:read'],
  });
  const packageJson = JSON.parse(readFileSync(join(cwd, 'hello/package.json'), 'utf8')) as object;
  expect(packageJson).toMatchObject({
    name: 'space-watch',
    devDependencies: { 'integration-platform': '1.2.3' },
  });
  expect(readFileSync(join(cwd, 'hello/.github/workflows/check.yml'), 'utf8')).toContain(
    'pnpm install --frozen-lockfile',
  );
});

test.each(['con', 'Aux.d', 'packages/nul', 'lpt1/hello', 'hello.', 'hello '])(
  'does not create the folder %j, which Windows cannot use',
  async (folder) => {
    await expect(start({ folder, template: 'blank', ...acme })).rejects.toMatchObject({
      message: `The folder cannot be ${JSON.stringify(folder)}.`,
    });
    expect(list(cwd)).toEqual([]);
  },
);

test('does not change a folder that already contains files', async () => {
  mkdirSync(join(cwd, 'hello/src'), { recursive: true });
  writeFileSync(join(cwd, 'hello/notes.txt'), 'mine');
  await expect(start({ folder: 'hello', template: 'blank', ...acme })).rejects.toMatchObject({
    code: 'folder-not-empty',
    message: 'hello is not empty, so nothing was written. It contains:',
    hint: 'notes.txt\nsrc  (init would write it too)\nChoose a new or empty folder.',
  });
  expect(list(cwd)).toEqual(['hello/notes.txt']);
});

test('fills an empty current folder instead of replacing it', async () => {
  mkdirSync(join(cwd, '.git'));
  const before = statSync(cwd).ino;
  const result = await start({ folder: '.', name: 'here', template: 'blank', ...acme });
  expect(statSync(cwd).ino).toBe(before);
  expect(list(cwd)).toContain('platform-manifest.yaml');
  expect(result?.next).toEqual(['npm install', 'npm run dev']);
});

test('creates missing parent folders, but no other folders', async () => {
  await start({ folder: 'a/b/hello', template: 'blank', ...acme });
  expect(list(join(cwd, 'a/b/hello'))).toContain('src/index.ts');
  expect(readdirSync(cwd)).toEqual(['a']);
});

test('deletes files left behind by a killed run only if they are old', async () => {
  const left = `.other.unfinished-${randomUUID()}`;
  mkdirSync(join(cwd, left, 'src'), { recursive: true });
  mkdirSync(join(cwd, '.mine.unfinished-draft'));
  const made = statSync(join(cwd, left)).mtimeMs;
  const hello = { folder: 'hello', template: 'blank', ...acme };
  await start({ ...hello, dryRun: true }, { now: () => made + 61_000 });
  expect(readdirSync(cwd).sort()).toEqual(['.mine.unfinished-draft', left].sort());
  await start({ ...hello, folder: 'first' }, { now: () => made + 59_000 });
  expect(readdirSync(cwd)).toContain(left);
  await start(hello, { now: () => made + 61_000 });
  expect(readdirSync(cwd).sort()).toEqual(['.mine.unfinished-draft', 'first', 'hello']);
});

test('reports a path that cannot be written as an error, not as a bug', async () => {
  writeFileSync(join(cwd, 'file'), '');
  await expect(start({ folder: 'file/hello', template: 'blank', ...acme })).rejects.toMatchObject({
    code: 'cannot-write',
  });
  await expect(start({ folder: 'file', template: 'blank', ...acme })).rejects.toMatchObject({
    code: 'not-a-folder',
  });
});

test("installs the dependencies and creates the repository in the project's folder", async () => {
  const ran: string[] = [];
  const run = async (command: string, options: { cwd: string }) => {
    ran.push(`${command} in ${options.cwd.slice(cwd.length + 1)}`);
  };
  const result = await start(
    { folder: 'hello', template: 'blank', install: true, git: true, ...acme },
    { run },
  );
  expect(ran).toEqual([
    'git init --quiet in hello',
    'git symbolic-ref HEAD refs/heads/main in hello',
    'npm install in hello',
  ]);
  expect(result?.next).toEqual(['cd hello', 'npm run dev']);
});

test("creates the branch that the workflow uses, regardless of Git's default", async () => {
  const settings = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'init.defaultBranch',
    GIT_CONFIG_VALUE_0: 'trunk',
  };
  const run = async (command: string, options: { cwd: string }) => {
    execSync(command, { ...options, env: { ...process.env, ...settings } });
  };
  await start({ folder: 'hello', template: 'blank', git: true, ...acme }, { run });
  const [, branch] =
    /branches: \[(.*)\]/.exec(readFileSync(join(cwd, 'hello/.github/workflows/check.yml'), 'utf8')) ?? [];
  expect(readFileSync(join(cwd, 'hello/.git/HEAD'), 'utf8')).toBe(`ref: refs/heads/${branch}\n`);
});

test('runs the validate hook for every file that platform validate reads', async () => {
  await start({ folder: 'hello', template: 'blank', ...acme });
  const hooks = readFileSync(join(cwd, 'hello/.pre-commit-config.yaml'), 'utf8');
  const [, pattern = ''] = /id: validate[^]*?files: (.*)/.exec(hooks) ?? [];
  const files = [
    'platform-manifest.yaml',
    'platform.dev.yaml',
    'assets/icon.png',
    'platform-dev.yaml',
    'README.md',
  ];
  expect(files.filter((file) => new RegExp(pattern).test(file))).toEqual(files.slice(0, 3));
});

test('keeps the project if its dependencies cannot be installed', async () => {
  const run = () => Promise.reject(new Error('exit 1'));
  await expect(
    start({ folder: 'hello', template: 'blank', install: true, ...acme }, { run }),
  ).rejects.toMatchObject({ code: 'install-failed' });
  expect(list(join(cwd, 'hello'))).toContain('package.json');
});

test('does not create a repository inside another one', async () => {
  mkdirSync(join(cwd, '.git'));
  const notes: string[] = [];
  await start(
    { folder: 'hello', template: 'blank', git: true, ...acme },
    { note: (text) => notes.push(text), run: () => Promise.reject(new Error('not to be run')) },
  );
  expect(notes).toEqual([`Did not run "git init": the folder is already in the Git repository ${cwd}.`]);
});

test('asks for missing values in a terminal and checks each answer', async () => {
  mkdirSync(join(cwd, 'full/x'), { recursive: true });
  const answers = {
    template: 'block',
    folder: 'hello',
    title: 'Hi',
    organization: 'acme',
    visibility: 'unlisted',
  };
  const { code, asked } = await runCli(['init'], { cwd, terminal: true, answers });
  expect(code).toBe(0);
  expect(asked.map(({ name }) => name)).toEqual([
    'template',
    'folder',
    'title',
    'organization',
    'visibility',
    'install',
  ]);
  const validate = (name: string, value: string) => asked.find((q) => q.name === name)?.validate?.(value);
  expect(validate('folder', 'full')).toBe('full is not empty.');
  expect(validate('folder', 'other')).toBe(true);
  expect(validate('folder', '\u0015other')).toBe('A folder name can contain only visible characters.');
  expect(validate('folder', '~/other')).toBe('Only shells expand ~. Enter the full path.');
  expect(validate('title', ' ')).toBe('A title must be one line of text, and not empty.');
  expect(validate('organization', 'a b')).toBe(
    'Enter the id or subdomain of the organization, such as acme.',
  );
  expect(readFileSync(join(cwd, 'hello/platform-manifest.yaml'), 'utf8')).toContain('visibility: unlisted\n');
});

test('replaces accented letters in a name with their base letters', async () => {
  const result = await start({ folder: 'Mein Café', template: 'blank', ...acme });
  expect([result?.project.name, result?.project.title]).toEqual(['mein-cafe', 'Mein cafe']);
});

test('never suggests an invalid default', async () => {
  const { code, stderr } = await runCli(['init', 'папка', '--yes'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error Missing: --name\.\n {2}--name .*\n$/);
});

test('writes nothing if the user cancels', async () => {
  const { code } = await runCli(['init'], { cwd, terminal: true });
  expect(code).toBe(130);
  expect(readdirSync(cwd)).toEqual([]);
});

test('init prints JSON for other programs', async () => {
  const { stdout } = await runCli(['init', 'hello', '--yes', '--format', 'json'], { cwd });
  const printed = JSON.parse(stdout) as { files: object[] };
  expect(printed).toMatchObject({
    version: 1,
    folder: 'hello',
    template: 'blank',
    next: ['cd hello', 'npm install', 'npm run dev'],
  });
  expect(printed.files).toContainEqual({
    path: 'package.json',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test.runIf(process.platform === 'linux')('reports a location where no folder can be created', async () => {
  await expect(start({ folder: '/proc/hello', template: 'blank', ...acme })).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringMatching(
      /^Could not write .*\/proc\/hello\. A folder cannot be created at this location\.$/,
    ),
  });
});

test('does not write files that only work at the root of a repository into a subfolder', async () => {
  mkdirSync(join(cwd, '.git'));
  const argv = ['init', 'packages/hello', '--template', 'blank', '--organization', 'acme'];
  const { code, stdout } = await runCli([...argv, '--dry-run'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain(`
Not written, because workflows and hooks work only at the root of the Git
repository (.):
  .github/workflows/check.yml
  .pre-commit-config.yaml
To add them there, see docs/guides/ci.md of integration-platform.
`);
  const written = await runCli([...argv, '--json'], { cwd });
  expect(JSON.parse(written.stdout)).toMatchObject({
    notWritten: ['.github/workflows/check.yml', '.pre-commit-config.yaml'],
  });
  expect(list(join(cwd, 'packages/hello'))).not.toContain('.github/workflows/check.yml');
});

test('writes the workflow and the hooks at the root of a repository', async () => {
  mkdirSync(join(cwd, '.git'));
  await start({ folder: '.', template: 'blank', ...acme });
  expect(list(cwd)).toContain('.github/workflows/check.yml');
});

test('shows the command for a folder in which only the package was installed', async () => {
  mkdirSync(join(cwd, 'hello/node_modules'), { recursive: true });
  writeFileSync(join(cwd, 'hello/package.json'), '{}');
  writeFileSync(join(cwd, 'hello/package-lock.json'), '{}');
  await expect(start({ folder: 'hello', template: 'blank', ...acme })).rejects.toMatchObject({
    code: 'folder-not-empty',
    hint: expect.stringMatching(
      /\nCreate the project in a new folder, with: npx platform init my-integration$/,
    ),
  });
});

test('explains that other machines cannot install a packed file outside the project', async () => {
  const todo = async (folder: string, sdk: string): Promise<string | undefined> =>
    (await start({ folder, template: 'blank', sdk, ...acme }))?.todo.join(' ');
  const copied = 'Copy integration-platform-0.2.0.tgz to vendor/';
  expect(await todo('a', 'file:/packed/integration-platform-0.2.0.tgz')).toContain(copied);
  expect(await todo('b', 'file:vendor/integration-platform-0.2.0.tgz')).not.toContain(copied);
  expect(await todo('c', '^0.2.0')).not.toContain(copied);
});
