import { expect, test } from 'vitest';
import { UserError } from '../../src/base/user-error.js';
import {
  listOptions,
  defineCommand,
  fine,
  parseWholeNumber,
  type CommandContext,
  type CommandSpec,
  type Outcome,
} from '../../src/cli/context/command.js';
import { platform } from '../../src/cli/commands/index.js';
import { platformWebhooks } from '../../src/deliveries/command/program.js';
import { runCli, type CliOptions } from '../support/run-cli.js';

const ending = (name: string, end: () => Promise<Outcome>) =>
  defineCommand({ name, summary: `end with ${name}`, examples: {}, run: end });

const commands = [
  ending('fine', async () => fine),
  ending('findings', async () => ({ kind: 'findings' })),
  ending('child', async () => ({ kind: 'child', code: 42 })),
  ending('wrong', async () => {
    throw new UserError('no-session', 'Nothing runs here.', 'Start it with platform dev.');
  }),
  defineCommand({
    name: 'waiting',
    summary: 'wait until it is interrupted',
    examples: {},
    async run({ io }: CommandContext) {
      io.takeInterrupts().throwIfAborted();
      return fine;
    },
  }),
  ending('broken', async () => {
    throw new TypeError('x is not a function');
  }),
  ending('disk-full', async () => {
    throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', path: '/x/state.db' });
  }),
  ending('no-temporary-folder', async () => {
    throw Object.assign(new Error('EROFS'), { code: 'EROFS', path: '/t/platform-XXXXXX' });
  }),
  ending('access-denied', async () => {
    const error = new Error("EACCES: permission denied, scandir '/x/private'");
    throw Object.assign(error, { code: 'EACCES', syscall: 'scandir', path: '/x/private' });
  }),
  defineCommand<{ count?: number; rule?: string[] }>({
    name: 'options',
    summary: 'print its options',
    arguments: { '[paths...]': 'files' },
    options: {
      '--count <n>': { description: 'how many', parse: parseWholeNumber },
      '--rule <code>': { description: 'a rule', repeat: true },
    },
    formats: ['sarif'],
    examples: {},
    async run(context, args, options) {
      context.emit({ args, options, format: context.format, cwd: context.cwd });
      return fine;
    },
  }),
  defineCommand({
    name: 'group',
    summary: 'hold others',
    examples: {},
    subcommands: [ending('inner', async () => fine)],
  }),
  defineCommand({
    name: 'say',
    summary: 'say something',
    examples: {},
    async run(context: CommandContext) {
      context.note('by the way');
      context.print(context.style.red('the result'));
      return fine;
    },
  }),
];

const run = (line: string, options: CliOptions = {}) => runCli(line.split(' '), { commands, ...options });

test.each([
  ['fine', 0],
  ['findings', 1],
  ['wrong', 2],
  ['nosuch', 2],
  ['fine --nosuch', 2],
  ['fine extra', 2],
  ['options --count', 2],
  ['options --count many', 2],
  ['options --format junit', 2],
  ['help', 0],
  ['help fine', 0],
  ['help nosuch', 2],
  ['nosuch --help', 2],
  ['--help nosuch', 2],
  ['group', 0],
  ['group help', 0],
  ['help group nosuch', 2],
  ['group nosuch --help', 2],
  ['fine --cwd /no/such/folder', 2],
  ['broken', 3],
  ['child', 42],
])('the command "%s" exits with code %i', async (line, code) => {
  expect((await run(line)).code).toBe(code);
});

test('finds help for a command in a group, and suggests a command for an unknown name', async () => {
  const help = await run('group inner --help');
  expect(help.stdout).toContain('Usage: platform group inner');
  expect(await run('help group inner')).toEqual(help);
  expect(await run('group help inner')).toEqual(help);
  expect((await run('help group iner')).stderr).toContain('Did you mean inner?');
  expect((await run('group iner --help')).stderr).toContain('Did you mean inner?');
});

test('exits with 130 if a command is interrupted, and with 143 if it is terminated', async () => {
  expect((await run('fine', { signal: AbortSignal.abort('SIGINT') })).code).toBe(130);
  expect((await run('fine', { signal: AbortSignal.abort('SIGTERM') })).code).toBe(143);
  expect((await run('fine', { signal: AbortSignal.abort('SIGHUP') })).code).toBe(129);
  expect(await run('waiting', { signal: AbortSignal.abort('SIGINT') })).toMatchObject({
    code: 130,
    stderr: '',
  });
});

test('prints a usage error with a hint and without a stack', async () => {
  const { stdout, stderr } = await run('wrong');
  expect(stdout).toBe('');
  expect(stderr).toBe('error Nothing runs here.\n  Start it with platform dev.\n');
});

test('wraps an error message between words in a terminal', async () => {
  const { stderr } = await run('options --nosuch', { terminal: true, columns: 24, env: { NO_COLOR: '1' } });
  expect(stderr).toBe("error Unknown option\n  '--nosuch'.\n  For usage, run the\n  command with --help.\n");
});

test('lists all commands if an unknown command is not similar to any of them', async () => {
  const { code, stderr } = await runCli(['frobnicate']);
  expect(code).toBe(2);
  expect(stderr).toContain(
    '  Create: init, add, types, upgrade\n  Check: validate, publish-check, site, explain',
  );
  const child = await runCli(['webhook', 'frobnicate']);
  expect(child.stderr).toContain('  Commands: add, list, remove, enable,');
});

test.each([
  ['logs --last 3', '--limit'],
  ['webhook deliveries -n 3', '--limit'],
  ['record login --limit 3', '--last'],
  ['add property channel', 'configuration'],
  ['webhook redeliver dlv_1', 'resend'],
])('suggests the name that "%s" probably means: %s', async (line, name) => {
  const { code, stderr } = await runCli(line.split(' '));
  expect(code).toBe(2);
  expect(stderr).toContain(`\n  Did you mean ${name}?\n`);
});

test('prints the stack of an internal error and where to report it', async () => {
  const { stdout, stderr } = await run('broken --json');
  expect(JSON.parse(stdout)).toEqual({
    version: 1,
    error: { code: 'bug', message: 'x is not a function', hint: expect.stringContaining('Please report it') },
  });
  expect(stderr).toMatch(/TypeError: x is not a function\n +at /);
});

test.each([
  ['disk-full', '/x/state.db could not be written. The disk is full.\n  Free some space, then try again.'],
  [
    'no-temporary-folder',
    '/t could not be written. The disk is read-only.\n  To use another folder for temporary files, set TMPDIR (TEMP on Windows).',
  ],
  ['access-denied', 'Permission denied: /x/private.\n  Check the permissions of the file and its folder.'],
])('explains an operating system error instead of reporting a bug: %s', async (command, message) => {
  const { code, stderr } = await run(command);
  expect([code, stderr]).toEqual([2, `error ${message}\n`]);
});

test('accepts global flags before and after the command', async () => {
  const before = await run('--cwd /tmp options a b --count 3 --rule x --rule y', { cwd: '/' });
  const behind = await run('options a b --count 3 --rule x --rule y --cwd /tmp', { cwd: '/' });
  expect(JSON.parse(before.stdout)).toEqual({
    version: 1,
    args: ['a', 'b'],
    options: { count: 3, rule: ['x', 'y'] },
    format: 'text',
    cwd: '/tmp',
  });
  expect(behind.stdout).toBe(before.stdout);
});

test('does not read a value after -- as a flag', async () => {
  const { stdout } = await run('options -- --json --nosuch');
  expect(JSON.parse(stdout)).toMatchObject({ args: ['--json', '--nosuch'], format: 'text' });
});

test.each([
  [['wrong', 'how to use --format json here'], false],
  [['wrong', '--', '--format', 'json'], false],
  [['wrong', '--format', 'json'], true],
  [['wrong', '--format=json'], true],
])('reads only options as options: %j', async (argv, isJson) => {
  const { stdout } = await runCli(argv, { commands });
  expect(stdout.startsWith('{')).toBe(isJson);
});

test.each([
  [['options', 'a', ''], "error Argument 'paths' is empty.\n  For usage, run the command with --help.\n"],
  [['options', '', 'b'], "error Argument 'paths' is empty.\n  For usage, run the command with --help.\n"],
])('rejects an empty argument: %j', async (argv, stderr) => {
  expect(await runCli(argv, { commands })).toMatchObject({ code: 2, stdout: '', stderr });
});

const emptyOption = (name: string): string =>
  `error ${name} is empty.\n  Add a value, or remove the option. If you passed a shell variable, check that it is set.\n`;

test.each([
  ['--count', ['options', '--count', '']],
  ['--rule', ['options', '--rule', 'x', '--rule=']],
  ['--cwd', ['--cwd', '', 'options']],
])('rejects an empty value for %s', async (name, argv) => {
  expect(await runCli(argv, { commands })).toMatchObject({ code: 2, stdout: '', stderr: emptyOption(name) });
});

const allOptions = (
  specs: readonly CommandSpec[],
  parents: string[] = [],
): { command: string[]; flags: string }[] =>
  specs.flatMap(({ name, options, subcommands = [] }) => {
    const command = [...parents, name];
    return [
      ...listOptions(options).map(({ flags }) => ({ command, flags })),
      ...allOptions(subcommands, command),
    ];
  });

test('every option of every command rejects an empty value', async () => {
  for (const program of [platform, platformWebhooks]) {
    const options = allOptions(program.commands).filter(({ flags }) => flags.includes('<'));
    expect(options.length).toBeGreaterThan(20);
    for (const { command, flags } of options) {
      const name = /--[\w-]+/.exec(flags)?.[0] ?? '';
      const run = await runCli([...command, `${name}=`], { program });
      expect(run).toMatchObject({ code: 2, stderr: emptyOption(name) });
    }
  }
});

const forged = [
  '::error file=a.ts::Forged',
  '::add-mask::x',
  ' \t\u00A0::set-env name=PATH::x',
  'a ##[command]x',
  'a ##vso[task.setvariable variable=PATH]x',
  "###TeamCity[buildStop comment='x']",
];
const forging = [
  defineCommand({
    name: 'forge',
    summary: 'print the lines of a script',
    formats: ['github', 'junit'],
    examples: {},
    async run(context: CommandContext) {
      if (context.json) context.emit({ forged });
      else context.print(forged.join('\n'));
      context.note(forged.join('\n'));
      if (context.format === 'github')
        context.print(context.style.ciCommand('::error file=a.ts::It ##[failed]'));
      return fine;
    },
  }),
];
const ciCommand = /^\s*::(?!error file=a.ts::It)|##(?:\[|vso\[|teamcity\[)/im;

test.each(['text', 'json', 'github', 'junit'])('breaks CI commands in the format %s', async (format) => {
  for (const name of ['CI', 'GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION']) {
    const argv = ['forge', '--format', format];
    const { stdout, stderr } = await runCli(argv, { commands: forging, env: { [name]: 'true' } });
    expect(stdout).not.toMatch(ciCommand);
    expect(stderr).not.toMatch(ciCommand);
    if (format === 'json') expect(JSON.parse(stdout)).toMatchObject({ forged });
    if (format === 'github') expect(stdout).toContain('\n::error file=a.ts::It #\\u0023[failed]');
  }
});

test('leaves the text alone outside CI', async () => {
  expect((await runCli(['forge'], { commands: forging })).stdout).toContain('::add-mask::x\n \t');
});

test('--quiet does not change the result of a command', async () => {
  expect(await run('say')).toMatchObject({ stdout: 'the result\n', stderr: 'by the way\n' });
  expect(await run('say --quiet')).toMatchObject({ stdout: 'the result\n', stderr: '' });
});

const red = '\u001B[31mthe result\u001B[39m\n';
test.each<[string, string, CliOptions]>([
  ['used in a terminal', red, { terminal: true }],
  ['not used in a pipe', 'the result\n', {}],
  ['not used in a dumb terminal', 'the result\n', { terminal: true, env: { TERM: 'dumb' } }],
  ['not used with NO_COLOR', 'the result\n', { terminal: true, env: { NO_COLOR: '1', FORCE_COLOR: '1' } }],
  ['used in a pipe with FORCE_COLOR', red, { env: { FORCE_COLOR: '1' } }],
  ['not used with FORCE_COLOR=0', 'the result\n', { terminal: true, env: { FORCE_COLOR: '0' } }],
])('color is %s', async (_, expected, options) => {
  expect((await run('say', options)).stdout).toBe(expected);
});

test('gives color flags precedence over the environment', async () => {
  expect((await run('say --no-color', { terminal: true })).stdout).toBe('the result\n');
  expect((await run('say --color', { env: { NO_COLOR: '1' } })).stdout).toBe(red);
});

test('every command has a summary and two to four real examples', async () => {
  const visit = (specs: readonly CommandSpec[], path: string): void => {
    for (const { name, summary, examples, subcommands } of specs) {
      const words = `${path} ${name}`;
      expect(summary, `the summary of ${words}: no capital, no full stop`).toMatch(/^[a-z].*[^.]$/);
      const commands = Object.keys(examples);
      expect([2, 3, 4], `the number of examples of ${words}`).toContain(commands.length);
      for (const command of commands)
        expect(command, `an example of ${words} is another command`).toContain(words);
      visit(subcommands ?? [], words);
    }
  };
  for (const { name, commands } of [platform, platformWebhooks]) visit(commands, name);
});

const programs = [platform, platformWebhooks];

interface Named {
  words: string[];
  examples: string[];
}

const named = (specs: readonly CommandSpec[], parent: string[] = []): Named[] =>
  specs.flatMap(({ name, examples, subcommands = [] }) => {
    const words = [...parent, name];
    const lines = Object.keys(examples).map((command) => `  ${command}`);
    return [{ words, examples: lines }, ...named(subcommands, words)];
  });

test.each([80, 60, 40])('wraps help text, but not command lines, at %i columns', async (columns) => {
  for (const program of programs) {
    for (const { words, examples } of [{ words: [], examples: [] }, ...named(program.commands)]) {
      const { stdout } = await runCli([...words, '--help'], { columns, program });
      const tooWide = stdout.split('\n').filter((line) => line.length > columns);
      expect(tooWide.filter((line) => !examples.includes(line) && !line.startsWith('Usage:'))).toEqual([]);
    }
  }
});

test('shows the command name in each of its help examples', () => {
  const strange = programs.flatMap(({ name, commands }) =>
    named(commands).flatMap(({ words, examples }) =>
      examples.filter((line) => !line.includes(`${name} ${words.join(' ')}`)),
    ),
  );
  expect(strange).toEqual([]);
});

test('the help of `platform webhook` fits a screen of 24 lines', async () => {
  const { stdout } = await runCli(['webhook', '--help']);
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
});

test('puts help descriptions next to their terms, or below them if they do not fit', async () => {
  const at = async (columns: number) => (await runCli(['types', '--help'], { columns })).stdout;
  expect(await at(80)).toContain(
    '\n  --check       fail if the file does not match the manifest (writes nothing)\n',
  );
  expect(await at(40)).toContain(
    '\n  --check\n      fail if the file does not match\n      the manifest (writes nothing)\n',
  );
});

test("shows an option's choices before its default", async () => {
  const { stdout } = await runCli(['init', '--help'], { columns: 120 });
  expect(stdout).toContain('language of the source files (choices: "ts", "js", default: ts)\n');
});
