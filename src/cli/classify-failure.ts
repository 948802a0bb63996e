import { dirname } from 'node:path';
import { CommanderError } from 'commander';
import { ownProperty } from '../base/own-property.js';
import { isUserError } from '../base/user-error.js';
import { listOptions, type CommandSpec } from './context/command.js';

export type Failure =
  | { kind: 'usage'; code: string; message: string; hint?: string }
  | { kind: 'bug'; error: Error };

/** Distinguishes incorrect usage (an invalid command line, or a `UserError`) from a bug in the platform. */
export function classifyFailure(
  thrown: unknown,
  argv: readonly string[],
  specs: readonly CommandSpec[],
): Failure {
  if (thrown instanceof CommanderError) return describeUsage(thrown, argv, specs);
  if (isUserError(thrown)) {
    const { code, message, hint } = thrown;
    return { kind: 'usage', code, message, ...(hint !== undefined && { hint }) };
  }
  return (
    describeSystemError(thrown) ?? {
      kind: 'bug',
      error: thrown instanceof Error ? thrown : new Error(String(thrown)),
    }
  );
}

interface SystemError {
  message(path: string | undefined): string;
  hint: string;
}

const unwritten = (path: string | undefined): string =>
  path === undefined ? '' : `${path} could not be written. `;
const onFullDisk: SystemError = {
  message: (path) => `${unwritten(path)}The disk is full.`,
  hint: 'Free some space, then try again.',
};
const onReadOnly: SystemError = {
  message: (path) => `${unwritten(path)}The disk is read-only.`,
  hint: 'Use a folder that you can write to.',
};
/** The error does not indicate whether it occurred while reading or writing. */
const onDenied: SystemError = {
  message: (path) => (path === undefined ? 'Access is denied.' : `Permission denied: ${path}.`),
  hint: 'Check the permissions of the file and its folder.',
};
const onBusy: SystemError = {
  message: (path) => `${unwritten(path)}Another program is using it.`,
  hint: 'Close that program, then try again.',
};
const elsewhere = 'To use another folder for temporary files, set TMPDIR (TEMP on Windows).';
const systemErrors: Record<string, SystemError> = {
  ENOSPC: onFullDisk,
  EDQUOT: onFullDisk,
  EROFS: onReadOnly,
  EACCES: onDenied,
  EPERM: onDenied,
  EBUSY: onBusy,
};

/** Errors from the operating system are not bugs in the platform. */
function describeSystemError(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') return undefined;
  const known = systemErrors[thrown.code];
  if (!known) return undefined;
  const path = 'path' in thrown && typeof thrown.path === 'string' ? thrown.path : undefined;
  const code = thrown.code.toLowerCase();
  // The name of a folder that `mkdtemp` could not create.
  return path?.endsWith('XXXXXX')
    ? { kind: 'usage', code, message: known.message(dirname(path)), hint: elsewhere }
    : { kind: 'usage', code, message: known.message(path), hint: known.hint };
}

function describeUsage(
  { code, message }: CommanderError,
  argv: readonly string[],
  specs: readonly CommandSpec[],
): Failure {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`;
  const [, given = ''] = /'([^']*)'/.exec(first) ?? [];
  const moved =
    given === '--database' ? '--help' : argv[0] === 'webhook' && ofOperators.includes(given) && given;
  const meant = ownProperty(synonyms, given)?.find((name) => namesAt(argv, specs).includes(name));
  const suggestion =
    meant === undefined ? rest.join(' ').replace(/^\((.*)\)$/, '$1') : `Did you mean ${meant}?`;
  return {
    kind: 'usage',
    code: code.replace(/^commander\./, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    message: /[.?!]$/.test(sentence) ? sentence : `${sentence}.`,
    hint:
      (moved && `For webhooks in a Postgres database, use: platform-webhooks ${moved}`) ||
      suggestion ||
      (code === 'commander.unknownCommand'
        ? listCommands(argv, specs)
        : 'For usage, run the command with --help.'),
  };
}

/** Commands that `platform webhook` had before `platform-webhooks` existed. */
const ofOperators = ['worker', 'status', 'migrate', 'encrypt-secrets'];

/** Words that users might try, and the commands and options they probably mean. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  '--last': ['--limit'],
  '--limit': ['--last'],
  '--max': ['--limit', '--last'],
  '--newest': ['--limit', '--last'],
  '--tail': ['--limit', '--last'],
  '-n': ['--limit', '--last'],
  property: ['configuration'],
  redeliver: ['resend'],
};

/** Returns the commands and options that the user could have typed instead. */
function namesAt(argv: readonly string[], specs: readonly CommandSpec[]): string[] {
  const [word, ...rest] = commandWords(argv);
  const spec = specs.find(({ name }) => name === word);
  if (!spec) return specs.map(({ name }) => name);
  if (spec.subcommands) return namesAt(rest, spec.subcommands);
  return listOptions(spec.options).flatMap(({ flags }) => flags.match(/--[\w-]+/g) ?? []);
}

function listCommands(argv: readonly string[], specs: readonly CommandSpec[]): string {
  const siblings = siblingsOf(argv, specs);
  const groups = new Map<string, string[]>();
  for (const { group = 'Commands', name } of siblings) {
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return [...groups].map(([group, names]) => `${group}: ${names.join(', ')}`).join('\n');
}

function siblingsOf(argv: readonly string[], specs: readonly CommandSpec[]): readonly CommandSpec[] {
  const [word, ...rest] = commandWords(argv);
  const found = specs.find(({ name }) => name === word)?.subcommands;
  return found ? siblingsOf(rest, found) : specs;
}

const commandWords = (argv: readonly string[]): string[] =>
  argv.filter((one) => !one.startsWith('-') && one !== 'help');
