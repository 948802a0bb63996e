import { exitCode } from '../../src/cli/exit-code.js';
import { blocks, code, table } from './markdown.js';

const ends = [
  [exitCode({ kind: 'fine' }), 'Done. Warnings are allowed, unless `--strict` makes them errors.'],
  [exitCode({ kind: 'findings' }), 'The command ran and found problems: a check or a call failed.'],
  [
    2,
    'The command could not run, for example because of a wrong option, a missing file or no running session.',
  ],
  [3, 'A bug in platform. The message says where to find the details for a report.'],
  [exitCode({ kind: 'interrupted', by: 'SIGINT' }), 'Stopped with Ctrl-C (SIGINT).'],
  [exitCode({ kind: 'interrupted', by: 'SIGHUP' }), 'Stopped because the terminal was closed (SIGHUP).'],
  [exitCode({ kind: 'interrupted', by: 'SIGTERM' }), 'Stopped by SIGTERM.'],
] as const;

/** The variables that the code reads. A test compares this list with the sources. */
export const environmentVariables: readonly [name: string, meaning: string][] = [
  ['CI', 'If set, there are no prompts and no progress line.'],
  ['FORCE_COLOR', 'Use colours even if the output is not a terminal.'],
  ['NO_COLOR', 'Use no colours.'],
  ['TERM', 'If `dumb`, no colours and no progress line.'],
  ['GITHUB_WORKSPACE', 'With `--format github`, paths are relative to this folder.'],
  [
    'PLATFORM_EDITOR',
    'What opens a line of your code from the console; overrides `editor` in platform.dev.yaml.',
  ],
  ['PLATFORM_DATABASE_URL', 'The database of `platform webhook worker` and of `--database`.'],
  [
    'PLATFORM_SECRET_KEY',
    'The keys that encrypt signing secrets in that database, unless `--secret-key` names another variable.',
  ],
  [
    'PGHOST',
    'And `PGPORT`, `PGUSER`, `PGPASSWORD`, `PGDATABASE`, `PGSERVICE`: the same, read as `psql` reads them.',
  ],
  ['DISPLAY', 'And `WAYLAND_DISPLAY`, `WSL_DISTRO_NAME`: whether `platform open` can start a browser.'],
];

/** Those that the command of `platform dev --exec` gets; a test compares this list with the sources. */
export const execVariables: readonly [name: string, meaning: string][] = [
  ['PLATFORM_CONSOLE_URL', 'The address of the console, without its key.'],
  ['PLATFORM_SITE', 'The link to the documentation site, with its key.'],
  ['PLATFORM_ENVELOPE_URL', 'The address that takes envelopes.'],
  ['PLATFORM_API_URL', 'The address of the management API.'],
  ['PLATFORM_SESSION', 'The file through which commands find this session.'],
  ['PLATFORM_PUBLIC_ENDPOINT', 'The public endpoint of the first installation.'],
  ['PLATFORM_WEBHOOK_SECRET', 'The signing secret of the first webhook endpoint, if there is one.'],
];

export const exitCodesPage = (): string =>
  blocks(
    '# Exit codes and environment variables',
    '## Exit codes',
    table(
      ['code', 'meaning'],
      ends.map(([number, meaning]) => [code(String(number)), meaning]),
    ),
    '`platform dev --exec` ends with the exit code of its program.',
    '## Environment variables',
    'Variables that a manifest names, such as `${{ env.API_KEY }}`, are read from `.env` files and from the shell.',
    table(
      ['variable', 'meaning'],
      environmentVariables.map(([name, meaning]) => [code(name), meaning]),
    ),
    'The command of `platform dev --exec` gets these:',
    table(
      ['variable', 'meaning'],
      execVariables.map(([name, meaning]) => [code(name), meaning]),
    ),
  );
