import { exitCode } from '../../src/cli/exit-code.js';
import { entries } from './markdown.js';

const ends = [
  [exitCode({ kind: 'fine' }), 'The command succeeded. Warnings are allowed, unless you pass `--strict`.'],
  [exitCode({ kind: 'findings' }), 'The command ran and found problems, such as a failed check or call.'],
  [
    2,
    'The command could not run, for example because an option is invalid, a file is missing or no session is running.',
  ],
  [3, 'There is a bug in `platform` itself. The message explains how to report it.'],
  [exitCode({ kind: 'interrupted', by: 'SIGINT' }), 'The command was stopped with Ctrl-C (SIGINT).'],
  [
    exitCode({ kind: 'interrupted', by: 'SIGHUP' }),
    'The command was stopped because the terminal was closed (SIGHUP).',
  ],
  [exitCode({ kind: 'interrupted', by: 'SIGTERM' }), 'The command was stopped by SIGTERM.'],
] as const;

/** The variables that the code reads. A test compares this list with the sources. */
export const environmentVariables: readonly [name: string, meaning: string][] = [
  ['CI', 'If set, `platform` does not prompt or show progress.'],
  ['FORCE_COLOR', 'Use colors even if the output is not a terminal.'],
  ['NO_COLOR', 'Do not use colors.'],
  ['TERM', 'If `dumb`, `platform` does not use colors or show progress.'],
  ['GITHUB_WORKSPACE', 'With `--format github`, paths are relative to this folder.'],
  ['PLATFORM_EDITOR', 'Editor that opens files from the console. Overrides `editor` in platform.dev.yaml.'],
  ['PLATFORM_DATABASE_URL', 'URL of the database for `platform-webhooks`.'],
  [
    'PLATFORM_SECRET_KEY',
    'Keys that encrypt the signing secrets in that database, unless `--secret-key` specifies another variable.',
  ],
  [
    'PGHOST',
    'Works as it does in `psql`. So do `PGPORT`, `PGUSER`, `PGPASSWORD`, `PGDATABASE` and `PGSERVICE`.',
  ],
  [
    'DISPLAY',
    'Together with `WAYLAND_DISPLAY` and `WSL_DISTRO_NAME`, determines whether `platform open` can start a browser.',
  ],
  ['CHROME_PATH', 'The browser for `platform render --screenshot`, which otherwise searches `PATH`.'],
];

/**
 * The variables that `platform dev --exec` passes to its command. A test compares this list with the sources.
 */
export const execVariables: readonly [name: string, meaning: string][] = [
  ['PLATFORM_CONSOLE_URL', 'URL of the console, without its key.'],
  ['PLATFORM_SITE', 'URL of the documentation site, with its key.'],
  ['PLATFORM_ENVELOPE_URL', 'URL that accepts envelopes.'],
  ['PLATFORM_API_URL', 'URL of the management API.'],
  ['PLATFORM_SESSION', 'File that commands use to find this session.'],
  [
    'PLATFORM_PUBLIC_ENDPOINT',
    'Public endpoint of the first installation, unless there are several integrations.',
  ],
  [
    'PLATFORM_WEBHOOK_SECRET',
    'Signing secret of the first webhook endpoint, if any. Not set for several integrations.',
  ],
];

export const exitCodes: readonly string[] = [
  '## Exit codes',
  entries(ends.map(([number, meaning]) => [String(number), [], meaning])),
  '`platform dev --exec` exits with the exit code of its command.',
  '## Environment variables',
  'Variables that a manifest uses, such as `${{ env.API_KEY }}`, are read from `.env` files and from the shell.',
  entries(environmentVariables.map(([name, meaning]) => [name, [], meaning])),
  '`platform dev --exec` sets these variables for its command:',
  entries(execVariables.map(([name, meaning]) => [name, [], meaning])),
];
