import { readFileSync } from 'node:fs';
import { createFixture } from 'fs-fixture';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manifestText } from '../../../support/manifest-text.js';
import { runCli } from '../../../support/run-cli.js';

const good = `name: hello
title: Hello
description: Says hello to the reader of a page.
organization: acme
visibility: private
scopes:
  - space:content:read
`;
const unknownKey = good.replace('description', 'descripton').replace('hello', 'bad');
const warned = `${good.replace('hello', 'warned')}categories:\n  - gardening\n`;
const name = 'platform-manifest.yaml';

let fixture: Awaited<ReturnType<typeof createFixture>>;
beforeAll(async () => {
  fixture = await createFixture({
    [`good/${name}`]: good,
    [`bad/${name}`]: unknownKey,
    [`warned/${name}`]: warned,
    'empty/x.txt': '',
  });
});
afterAll(() => fixture.rm());

const run = (command: string, more: Parameters<typeof runCli>[1] = {}) =>
  runCli(['validate', ...command.split(' ').filter(Boolean)], { cwd: fixture.path, ...more });

/** The last line, without the next command. */
const summaryOf = (stdout: string): string | undefined =>
  stdout
    .replace(/^next: .*\n/m, '')
    .trimEnd()
    .split('\n')
    .at(-1);

test.each<[command: string, code: number, last: string]>([
  ['good', 0, 'No problems in 1 file.'],
  ['bad', 1, '1 error in 1 file.'],
  ['warned', 0, '1 warning in 1 file.'],
  ['warned --strict', 1, '1 error in 1 file.'],
  ['warned --max-warnings 1', 0, '1 warning in 1 file.'],
  ['warned --max-warnings 0', 1, '1 warning in 1 file. More warnings than --max-warnings allows.'],
  ['warned --rule manifest/unknown-category=off', 0, 'No problems in 1 file.'],
  ['warned --rule manifest/unknown-category=error', 1, '1 error in 1 file.'],
  ['warned --rule manifest/unknown-category=info --strict', 0, '1 note in 1 file.'],
  ['bad --rule manifest/unknown-key=warning --rule manifest/missing-key=off', 0, '1 warning in 1 file.'],
  ['.', 1, '1 error and 1 warning in 2 of 3 files.'],
  [`*/${name}`, 1, '1 error and 1 warning in 2 of 3 files.'],
  [`good/${name} warned`, 0, '1 warning in 1 of 2 files.'],
])('platform validate %s exits with code %i', async (command, code, last) => {
  const result = await run(command);
  expect(summaryOf(result.stdout)).toBe(last);
  expect(result).toMatchObject({ code, stderr: '' });
});

test.each<[command: string, code: string, hint: string]>([
  ['nosuch', 'no-such-file', ''],
  ['empty', 'no-manifest', 'skipped'],
  ['good --rule manifest/unknown-kay=off', 'unknown-rule', 'Did you mean "manifest/unknown-key"?'],
  ['good --rule manifest/unknown-key=loud', 'bad-rule', 'off, info, warning, error'],
  ['good --max-warnings many', 'invalid-argument', ''],
  ['good --dry-run', 'contradiction', ''],
  ['good --watch --fix', 'contradiction', ''],
  ['- good', 'contradiction', ''],
  ['- --fix', 'contradiction', ''],
])('platform validate %s fails with the usage error %s', async (command, code, hint) => {
  const { code: exit, stdout } = await run(`${command} --json`);
  const { error } = JSON.parse(stdout) as { error: { code: string; hint?: string } };
  expect(exit).toBe(2);
  expect(error.code).toBe(code);
  expect(error.hint ?? '').toContain(hint);
});

const settings = 'port: 4100\n';
const wrongSettings = 'prot: 4100\n';

test.each<[command: string, settings: string, code: number, last: string]>([
  ['', settings, 0, 'No problems in 2 files.'],
  ['.', settings, 0, 'No problems in 2 files.'],
  ['', wrongSettings, 1, '1 error in 1 of 2 files.'],
  ['platform.dev.yaml', wrongSettings, 1, '1 error in 1 file.'],
  ['platform.dev.yaml', settings, 0, 'No problems in 1 file.'],
  [name, wrongSettings, 0, 'No problems in 1 file.'],
])('platform validate %s with the dev settings %j exits with code %i', async (command, text, code, last) => {
  await using project = await createFixture({ [name]: good, 'platform.dev.yaml': text });
  const result = await run(command, { cwd: project.path });
  expect([result.code, summaryOf(result.stdout)]).toEqual([code, last]);
});

test.each<[command: string, next: string | undefined]>([
  ['good', undefined],
  ['bad', `platform validate --fix bad/${name}`],
  ['warned', 'platform explain manifest/unknown-category'],
  ['warned --rule manifest/unknown-category=info', undefined],
])('platform validate %s suggests the next command, except in a terminal', async (command, next) => {
  const line = next === undefined ? undefined : `next: ${next}`;
  expect(/^next: .*$/m.exec((await run(command)).stdout)?.[0]).toBe(line);
  expect((await run(command, { terminal: true })).stdout).not.toContain('next:');
  expect((await run(`${command} --quiet`)).stdout).not.toContain('next:');
  expect((JSON.parse((await run(`${command} --json`)).stdout) as { next?: string }).next).toBe(next);
});

test('fixes a misspelled key in the dev settings', async () => {
  await using project = await createFixture({ [name]: good, 'platform.dev.yaml': wrongSettings });
  expect((await run('--fix', { cwd: project.path })).code).toBe(0);
  expect(readFileSync(project.getPath('platform.dev.yaml'), 'utf8')).toBe(settings);
});

test('does not print the warning limit in a dry run that finds a warning', async () => {
  const text = warned.replace('visibility: private', 'visibility: privat');
  await using project = await createFixture({ [name]: text });
  const { code, stdout } = await run('--fix --dry-run', { cwd: project.path });
  expect([code, summaryOf(stdout)]).toEqual([1, '1 warning in 1 file.']);
});

test('finds the manifest in a parent folder', async () => {
  const { code } = await run('', { cwd: fixture.getPath('good') });
  expect(code).toBe(0);
});

test('reads a manifest from standard input, and reports it under the default name or a given name', async () => {
  const here = await run('- --json', { stdin: unknownKey });
  const there = await run('- --json --stdin-filename bad/other.yaml', { stdin: unknownKey });
  expect(JSON.parse(here.stdout)).toMatchObject({ ok: false, files: [name] });
  expect(JSON.parse(there.stdout)).toMatchObject({ ok: false, files: ['bad/other.yaml'] });
  expect((await run('-', { stdin: good })).code).toBe(0);
});

test('prints the JSON fields that scripts rely on', async () => {
  const { code, stdout } = await run('. --format json', { env: { FORCE_COLOR: '1' } });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    ok: false,
    files: [`bad/${name}`, `good/${name}`, `warned/${name}`],
    summary: { errors: 1, warnings: 1, infos: 0 },
    diagnostics: [
      {
        code: 'manifest/unknown-key',
        severity: 'error',
        file: `bad/${name}`,
        range: { start: { line: 3, column: 1 }, end: { line: 3, column: 11 } },
      },
      { code: 'manifest/unknown-category', severity: 'warning', file: `warned/${name}` },
    ],
  });
});

test.each<[format: string, beginning: string]>([
  ['github', `::error file=bad/${name},title=manifest/unknown-key,line=3,`],
  ['sarif', '{\n  "$schema"'],
  ['junit', '<?xml version="1.0"'],
])('--format %s prints a report in that format', async (format, beginning) => {
  const { stdout } = await run(`. --format ${format}`);
  expect(stdout.slice(0, beginning.length)).toBe(beginning);
});

test('prints annotation paths relative to the repository root', async () => {
  const env = { GITHUB_WORKSPACE: fixture.path };
  const { stdout } = await run('--format github', { env, cwd: fixture.getPath('bad') });
  expect(stdout).toContain(`::error file=bad/${name},`);
});

test('--quiet prints nothing if there are no problems', async () => {
  expect((await run('good warned --quiet')).stdout).toBe('');
  expect((await run('bad --quiet')).stdout).toContain('manifest/unknown-key');
});

const fixable = `# A comment that stays\r
name:   hello\r
title: "Hello"\r
descripton: 'Says hello to the reader of a page.' # so does this\r
organization: acme\r
scopes: [space:content:read, space:content:read]\r
`;
const mended = `# A comment that stays\r
name:   hello\r
title: "Hello"\r
description: 'Says hello to the reader of a page.' # so does this\r
organization: acme\r
visibility: private\r
scopes: [space:content:read]\r
`;

test('--fix changes only the affected bytes, and a second run changes nothing', async () => {
  await using fixture = await createFixture({ [name]: fixable });
  const first = await run('--fix', { cwd: fixture.path });
  expect(first).toMatchObject({
    code: 0,
    stdout: 'No problems left in 1 file.\n',
    stderr: `${name}:4  Unknown field "descripton". Replaced descripton with description. (manifest/unknown-key)
${name}:5  The manifest needs the field visibility. Added visibility: private. (manifest/missing-key)
${name}:6  The scope space:content:read is already in the list. Removed space:content:read. (manifest/duplicate-scope)
Fixed 3 problems in 1 file.
`,
  });
  expect(readFileSync(fixture.getPath(name), 'utf8')).toBe(mended);
  const second = await run('--fix --json', { cwd: fixture.path });
  expect(JSON.parse(second.stdout)).toMatchObject({ ok: true, fixed: [] });
  expect(second.stderr).toBe('');
});

test('--fix --json lists what was replaced, and leaves out a value that may be a secret', async () => {
  await using fixture = await createFixture({ [name]: `${fixable}secrets:\n  KEY: 12345678\n` });
  const { stdout, stderr } = await run('--fix --json', { cwd: fixture.path });
  const { fixed } = JSON.parse(stdout) as { fixed: { problems: { before?: string; after?: string }[] }[] };
  expect(fixed[0]?.problems).toMatchObject([
    {
      code: 'manifest/unknown-key',
      range: { start: { line: 4, column: 1 } },
      before: 'descripton',
      after: 'description',
    },
    { code: 'manifest/missing-key', before: '', after: 'visibility: private' },
    { code: 'manifest/duplicate-scope', before: 'space:content:read', after: '' },
  ]);
  expect(stdout + stderr).not.toContain('12345678');
});

test('--fix --dry-run writes nothing and fails', async () => {
  await using fixture = await createFixture({ [name]: fixable.replaceAll('\r', '') });
  const before = readFileSync(fixture.getPath(name), 'utf8');
  const { code, stderr } = await run('--fix --dry-run', { cwd: fixture.path });
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'Would fix 3 problems in 1 file.\n' });
  expect(readFileSync(fixture.getPath(name), 'utf8')).toBe(before);
});

test('does not fix problems reported only by a disabled rule', async () => {
  await using fixture = await createFixture({ [name]: fixable });
  await run('--fix --rule manifest/duplicate-scope=off', { cwd: fixture.path });
  expect(readFileSync(fixture.getPath(name), 'utf8')).toContain('[space:content:read, space:content:read]');
});

test('keeps the byte order mark of a fixed file', async () => {
  await using fixture = await createFixture({ [name]: `\uFEFF${fixable}` });
  await run('--fix', { cwd: fixture.path });
  expect(readFileSync(fixture.getPath(name), 'utf8')).toBe(`\uFEFF${mended}`);
});

test('never prints a secret that is written in the manifest', async () => {
  const secret = 'correct-horse-battery';
  await using fixture = await createFixture({
    [name]: `${unknownKey}secrets:\n  KEY: ${secret}\n  OTHER: "${secret}\\n"\n`,
  });
  for (const format of ['text', 'json', 'github', 'sarif', 'junit']) {
    for (const more of ['', ' --fix --dry-run', ' --strict']) {
      const { code, stdout, stderr } = await run(`--format ${format}${more}`, { cwd: fixture.path });
      expect(code).toBe(1);
      expect(stdout + stderr).toContain('literal-secret');
      expect(stdout + stderr).not.toContain(secret);
    }
  }
});

test('escapes control characters from command-line arguments in the terminal', async () => {
  const hostile = '\u001B[2J\u009B31m\u202Ex';
  const { stderr } = await runCli(['validate', hostile], { cwd: fixture.path });
  const { stdout } = await runCli(['validate', hostile, '--json'], { cwd: fixture.path });
  expect(stderr).toContain('File or folder not found: "␛[2J\uFFFD31m\uFFFDx".');
  expect(stderr + stdout).not.toMatch(/(?!\n)[\p{Cc}\u202E]/u);
  expect(JSON.parse(stdout)).toMatchObject({ error: { message: `File or folder not found: "${hostile}".` } });
});

const withEnvironments = `${good}secrets:
  KEY: \${{ env.ENVIRONMENT_TEST_KEY }}
envs:
  staging:
    organization: acme-staging
  broken:
    visibility: publik
    secrets:
      KEY: canary-literal
`;

test.each<[command: string, code: number, lines: string[]]>([
  // Checks each environment with its own fields, reported at their own lines.
  [
    '',
    1,
    [
      'manifest/extension-field 10',
      'manifest/literal-secret 16',
      'manifest/unknown-visibility 14',
      'manifest/unset-secret 9',
    ],
  ],
  // A secret in the repository is an error in every environment.
  ['--env staging', 1, ['manifest/extension-field 10', 'manifest/literal-secret 16']],
  [
    '--env broken',
    1,
    ['manifest/extension-field 10', 'manifest/literal-secret 16', 'manifest/unknown-visibility 14'],
  ],
  ['--env stagin', 1, ['manifest/unknown-environment 10']],
  ['--dotenv other.env --env staging', 1, ['manifest/extension-field 10', 'manifest/literal-secret 16']],
])('validates an integration that has environments, with the options "%s"', async (command, code, lines) => {
  await using folder = await createFixture({
    [name]: withEnvironments,
    '.env.staging': 'ENVIRONMENT_TEST_KEY=1\n',
    'other.env': 'UNRELATED=1\n',
  });
  const result = await runCli(['validate', ...command.split(' ').filter(Boolean), '--json'], {
    cwd: folder.path,
  });
  const { diagnostics: found } = JSON.parse(result.stdout) as {
    diagnostics: { code: string; range: { start: { line: number } } }[];
  };
  expect(found.map(({ code: rule, range }) => `${rule} ${range.start.line}`).toSorted()).toEqual(lines);
  expect(result.code).toBe(code);
  expect(result.stdout).not.toContain('canary');
});

test('reports a missing .env file as an error', async () => {
  const { code, stderr } = await run('good --dotenv nosuch.env');
  expect([code, stderr]).toEqual([2, expect.stringContaining('File not found: "nosuch.env".')]);
});

test('warns of links and code fences that two manifests claim', async () => {
  const claiming = (name: string): string =>
    manifestText({
      name,
      more: `script: index.ts
blocks:
  - id: board
    title: Board
    description: A board.
    urlUnfurl: [https://board.example.com/**]
    markdown: { codeblock: board, body: text }
`,
    });
  await using folder = await createFixture({
    [`a/${name}`]: claiming('one'),
    [`b/${name}`]: claiming('two'),
    'a/index.ts': '',
    'b/index.ts': '',
  });
  const { stdout } = await runCli(['validate', '.', '--json'], { cwd: folder.path });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { severity: string }[] };
  expect(diagnostics.filter(({ severity }) => severity === 'warning')).toMatchObject([
    { code: 'manifest/duplicate-link', file: `b/${name}`, range: { start: { line: 12, column: 17 } } },
    { code: 'manifest/duplicate-fence', file: `b/${name}`, range: { start: { line: 13, column: 28 } } },
  ]);
});

test('reports a second manifest with the same integration name', async () => {
  await using folder = await createFixture({ [`a/${name}`]: good, [`b/${name}`]: good });
  const { code, stdout } = await runCli(['validate', '.'], { cwd: folder.path });
  expect(code).toBe(1);
  expect(stdout).toContain('manifest/duplicate-name');
  expect(stdout).toMatch(/b\/platform-manifest.yaml:1:7/);
});
