import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { proved } from '../support/proved.js';
import { sharedFolder } from '../support/temporary-folder.js';
import { typeErrorsIn } from '../support/type-check.js';

const home = sharedFolder();
const templates = ['block', 'webhook-receiver', 'oauth', 'events', 'blank'];
/** The templates that also run as JavaScript. */
const asJavaScript = proved(['oauth', 'block', 'webhook-receiver', 'events', 'blank']);
/** What shows that it runs, where its public endpoint does not. */
const shows: Record<string, [ask: string, answer: RegExp]> = {
  block: ['platform render counter', /Pressed 0 times/],
  events: ['platform trigger space_content_updated', /space_content_updated/],
};
const crossing = templates.flatMap((template) =>
  ['ts', 'js'].map((language) => [template, language] as const),
);
/** Beside npm, what this machine has. */
const others = ['pnpm', 'yarn'].filter((name) => spawnSync(name, ['--version']).status === 0);

/** Of this run of the tests, and no business of a project's. */
const own = /^(VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|npm_(lifecycle|package|command|execpath))/;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

const packed = inject('packed');
/** The project that npm installed. The others share what it has. */
let installed: string;

/** With standard input closed. */
const run = (folder: string, command: string, argv: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { cwd: folder, env: { ...env, npm_config_cache: packed.cache } };
    const child = execFile(command, argv, options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
    child.stdin?.end();
  });

const inProject = (folder: string, command: string, ...argv: string[]): Promise<Ended> =>
  run(folder, join(folder, 'node_modules/.bin', command), argv);

/** An empty folder, and a project in it. */
async function init(name: string, argv: string[]): Promise<{ folder: string; todo: string[] }> {
  const parent = join(home, name);
  mkdirSync(parent);
  const { code, stdout, stderr } = await run(parent, packed.platform, ['init', 'hello', '--json', ...argv]);
  expect([code, stderr], name).toEqual([0, argv.includes('--install') ? stderr : '']);
  const { todo } = JSON.parse(stdout) as { todo: string[] };
  expect(readdirSync(parent)).toEqual(['hello']);
  return { folder: join(parent, 'hello'), todo };
}

beforeAll(async () => {
  const { folder } = await init('installed', ['--template', 'block', '--organization', 'acme', '--install']);
  installed = folder;
}, 300_000);

/** Everything that a new project promises, in a project that is installed. */
async function keepsItsPromises(folder: string, template: string, todo: string[]): Promise<void> {
  const [validate, types, vitest] = await Promise.all([
    inProject(folder, 'platform', 'validate', '--quiet', '--strict'),
    inProject(folder, 'platform', 'types', '--check', '--quiet'),
    inProject(folder, 'vitest', 'run'),
  ]);
  expect(validate).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(types.code).toBe(0);
  expect(vitest.code, vitest.stdout).toBe(0);
  expect(vitest.stdout).toMatch(/Tests .*\d+ passed/);

  const curl = 'curl -s -o /dev/null -w "answered %{http_code}" "$PLATFORM_PUBLIC_ENDPOINT"';
  const [ask, answer] = shows[template] ?? [curl, /answered (200|404|405)/];
  const dev = await inProject(
    folder,
    'platform',
    'dev',
    '--port',
    '0',
    '--exec',
    ask.replace(/^platform/, 'node_modules/.bin/platform'),
  );
  expect(dev.stdout, dev.stderr).toMatch(answer);
  expect(dev.code).toBe(0);

  expect(await openChecks(folder)).toEqual(listedIn(todo));
}

async function openChecks(folder: string): Promise<string[]> {
  const { stdout } = await inProject(folder, 'platform', 'publish-check', '--json');
  const { checks } = JSON.parse(stdout) as { checks: { id: string; verdict: string }[] };
  const listed: readonly string[] = byWord.map(([id]) => id);
  return checks
    .filter(({ id, verdict }) => verdict === 'fail' || (verdict === 'warn' && listed.includes(id)))
    .map(({ id }) => id);
}

/** What its README says to type, beside installing and running it. */
async function keepsItsReadme(folder: string): Promise<void> {
  const commands = readFileSync(join(folder, 'README.md'), 'utf8')
    .split('\n')
    .filter((line) => /^ {4}\S/.test(line) && !/^ {4}npm (install|run)/.test(line))
    .map((line) => line.trim().replace(/^npx /, 'node_modules/.bin/'))
    .map((line) => line.replace(/http:\S+installation_1/, '$PLATFORM_PUBLIC_ENDPOINT'));
  if (commands.length === 0) return;
  const argv = ['dev', '--port', '0', '--state', 'memory', '--exec', commands.join(' && ')];
  const { code, stdout, stderr } = await inProject(folder, 'platform', ...argv);
  expect(code, stdout + stderr).toBe(0);
}

const byWord = [
  ['publish/organization', 'organization'],
  ['publish/visibility', 'visibility'],
  ['publish/description', 'description'],
  ['publish/summary', 'summary'],
  ['publish/external-links', 'externalLinks'],
  ['publish/icon', 'icon'],
] as const;

/** The checks that do not pass before the list of `init` is done. */
const listedIn = (todo: string[]): string[] =>
  byWord.flatMap(([id, word]) => (todo.some((text) => text.includes(word)) ? [id] : []));

test.each(crossing)('creates a working project from the %s template in %s', async (template, language) => {
  const argv = ['--template', template, '--language', language, '--organization', 'acme'];
  const { folder, todo } = await init(`${template}-${language}`, argv);
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));
  expect(typeErrorsIn(folder)).toBe('');
  // The code is the same in both languages: `test/scaffold/init/template-list.test.ts`.
  if (language === 'js' && !asJavaScript.includes(template)) return;
  await keepsItsPromises(folder, template, todo);
  await keepsItsReadme(folder);
});

test('installs a new project with npm and runs its scripts', async () => {
  const check = await run(installed, 'npm', ['run', 'check']);
  expect(check.code, check.stdout + check.stderr).toBe(0);
});

test('creates a project in the current folder with only --yes', async () => {
  const parent = join(home, 'hello-there');
  mkdirSync(parent);
  const { code, stdout } = await run(parent, packed.platform, ['init', '--yes', '--json']);
  expect(code).toBe(0);
  const { todo } = JSON.parse(stdout) as { todo: string[] };
  expect(listedIn(todo)).toContain('publish/organization');
  symlinkSync(join(installed, 'node_modules'), join(parent, 'node_modules'));
  expect(await openChecks(parent)).toEqual(listedIn(todo));
});

test.each(others)('a new project can also be installed with %s', async (manager) => {
  const argv = ['--template', 'block', '--organization', 'acme', '--package-manager', manager, '--install'];
  const { folder, todo } = await init(manager, argv);
  await keepsItsPromises(folder, 'block', todo);
});
