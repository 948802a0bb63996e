import { Command, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../../base/user-error.js';
import type { Style } from '../../terminal/style.js';
import { createHelpLayout, type HelpParts } from './help-layout.js';
import {
  InvalidValue,
  listOptions,
  type CommandSpec,
  type OptionSpec,
  type ProgramSpec,
} from '../context/command.js';
import { platformVersion } from '../context/version.js';

export interface GlobalOptions {
  format?: string;
  json?: boolean;
  cwd?: string;
  integration?: string;
  quiet?: boolean;
  color?: boolean;
}

export const globalOptions = listOptions({
  '--format <format>': 'output format: text, json, or another format that the command supports',
  '--json': 'same as --format json',
  '--cwd <folder>': 'run as if started in this folder',
  '-q, --quiet': 'print only the result',
  '--color': 'use color even if the output is not a terminal',
  '--no-color': 'disable color (also: NO_COLOR=1)',
});

/** Options of `platform` only, because only it has integrations. */
export const sessionOptions = listOptions({
  '--integration <name>': 'run as if started in the folder of this integration',
});

interface ProgramOptions {
  program: ProgramSpec;
  style: Style;
  width: number;
  color: boolean;
  write(text: string): void;
  run(spec: CommandSpec, args: string[], options: object, globals: GlobalOptions): Promise<void>;
}

export function createProgram(options: ProgramOptions): Command {
  const { program: spec, style, width, color, write } = options;
  const parts = new Map<Command, HelpParts>();
  const program = new Command(spec.name)
    .description(spec.description)
    .version(platformVersion, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: write,
      outputError: () => {},
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
      getOutHasColors: () => color,
      getErrHasColors: () => color,
    })
    .configureHelp({
      ...createHelpLayout((command) => parts.get(command) ?? { examples: {} }),
      styleTitle: style.bold,
      styleCommandText: style.cyan,
      styleOptionText: style.cyan,
      styleSubcommandText: style.cyan,
    });
  parts.set(program, { examples: spec.examples });
  const shared = spec.name === 'platform' ? [...globalOptions, ...sessionOptions] : globalOptions;
  for (const option of shared) program.addOption(createOption(option));
  for (const child of spec.commands) program.addCommand(createCommand(program, child, { ...options, parts }));
  program.addCommand(createHelp(program), { hidden: true });
  program.addHelpText('beforeAll', ({ command }) => {
    const word = command.args.find((one) => !one.startsWith('-'));
    if (word !== undefined) childOf(command, word);
    return '';
  });
  return program;
}

const globalsOf = ({ formats = [], subcommands }: CommandSpec, program: string): string =>
  subcommands
    ? `Global options: see ${program} --help`
    : `Global options: --format (${['text', 'json', ...formats].join(', ')}), --json, --cwd, --quiet, --color, ` +
      `--no-color, --help (see ${program} --help)`;

function createCommand(
  parent: Command,
  spec: CommandSpec,
  options: ProgramOptions & { parts: Map<Command, HelpParts> },
): Command {
  const command = new Command(spec.name).copyInheritedSettings(parent).summary(spec.summary);
  if (spec.group !== undefined) command.helpGroup(`${spec.group}:`);
  options.parts.set(command, { examples: spec.examples, globals: globalsOf(spec, options.program.name) });
  command.description(spec.description ?? sentence(spec.summary));
  for (const [syntax, description] of Object.entries(spec.arguments ?? {}))
    command.argument(syntax, description);
  for (const option of listOptions(spec.options)) command.addOption(createOption(option));
  for (const child of spec.subcommands ?? []) command.addCommand(createCommand(command, child, options));
  if (spec.subcommands) command.addCommand(createHelp(command), { hidden: true });
  if (spec.run) {
    command.action(async () => {
      refuseEmpty(command);
      const args = command.processedArgs.flat().filter((value): value is string => typeof value === 'string');
      await options.run(spec, args, command.opts(), rootOf(command).opts());
    });
  }
  return command;
}

/** Rejects empty arguments, which a shell script passes by accident if a variable is not set. */
function refuseEmpty(command: Command): void {
  const at = command.args.indexOf('');
  if (at < 0) return;
  const { registeredArguments } = command;
  const name = registeredArguments[Math.min(at, registeredArguments.length - 1)]?.name();
  command.error(`error: argument '${name}' is empty`, { code: 'commander.emptyArgument' });
}

/** Makes `platform help webhook add` work like `platform webhook add --help`. */
function createHelp(parent: Command): Command {
  return new Command('help')
    .copyInheritedSettings(parent)
    .description('show this help')
    .argument('[command...]')
    .action((words: string[]) => words.reduce(childOf, parent).help());
}

/** Returns the command with this name. If the name is unknown, parsing throws an error with a suggestion. */
function childOf(parent: Command, name: string): Command {
  if (parent.commands.length === 0) return parent;
  return parent.commands.find((one) => one.name() === name) ?? parent.parse([name], { from: 'user' });
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command);

function createOption(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.description);
  if (spec.choices) option.choices(spec.choices);
  if (spec.default !== undefined) option.default(spec.default);
  const { parse } = spec;
  if (parse) option.argParser((text) => orInvalidArgument(() => parse(text)));
  if (spec.repeat) option.argParser((text, earlier: string[] | undefined) => [...(earlier ?? []), text]);
  return option.required ? refuseEmptyValue(option) : option;
}

function refuseEmptyValue(option: Option): Option {
  const { parseArg, long } = option;
  return option.argParser((text, earlier: unknown) => {
    if (text === '') {
      const hint = 'Add a value, or remove the option. If you passed a shell variable, check that it is set.';
      throw new UserError('empty-option', `${long} is empty.`, hint);
    }
    return parseArg ? parseArg(text, earlier) : text;
  });
}

function orInvalidArgument<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof InvalidValue) throw new InvalidArgumentError(error.message);
    throw error;
  }
}
