import { Command, InvalidArgumentError, Option, Help } from 'commander';
import type { Style } from '../terminal/style.js';
import { InvalidValue, type CommandSpec, type OptionSpec } from './command.js';
import { platformVersion } from './version.js';

export interface GlobalOptions {
  format?: string;
  json?: boolean;
  cwd?: string;
  quiet?: boolean;
  color?: boolean;
}

export const globalOptions: readonly OptionSpec[] = [
  { flags: '--format <format>', description: 'how to print: text, json, and what the command adds' },
  { flags: '--json', description: 'the same as --format json' },
  { flags: '--cwd <folder>', description: 'run as if started in this folder' },
  { flags: '-q, --quiet', description: 'print the result and nothing else' },
  { flags: '--color', description: 'colour, whatever the output is' },
  { flags: '--no-color', description: 'no colour (also: NO_COLOR=1)' },
];

interface ProgramOptions {
  specs: readonly CommandSpec[];
  style: Style;
  width: number;
  color: boolean;
  /** Help and version go here. */
  write(text: string): void;
  run(spec: CommandSpec, args: string[], options: object, globals: GlobalOptions): Promise<void>;
}

export function createProgram(options: ProgramOptions): Command {
  const { specs, style, width, color, write } = options;
  const program = new Command('platform')
    .description('Build, run and check integrations, offline.')
    .version(platformVersion, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain a command')
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
      ...helpLayout,
      showGlobalOptions: true,
      styleTitle: style.bold,
      styleCommandText: style.cyan,
      styleOptionText: style.cyan,
      styleSubcommandText: style.cyan,
    });
  for (const spec of globalOptions) program.addOption(createOption(spec));
  for (const spec of specs) program.addCommand(createCommand(program, spec, options));
  program.addCommand(createHelp(program));
  program.addHelpText('beforeAll', ({ command }) => {
    const word = command.args.find((one) => !one.startsWith('-'));
    if (word !== undefined) childOf(command, word);
    return '';
  });
  const start = { command: 'platform <command> --help', does: 'what a command does, with examples' };
  program.addHelpText('after', () => renderExamples('Start with', [start], width));
  return program;
}

function createCommand(parent: Command, spec: CommandSpec, options: ProgramOptions): Command {
  const command = new Command(spec.name).copyInheritedSettings(parent).summary(spec.summary);
  command.description(spec.description ?? sentence(spec.summary));
  for (const { syntax, description } of spec.arguments ?? []) command.argument(syntax, description);
  for (const option of spec.options ?? []) command.addOption(createOption(option));
  for (const child of spec.subcommands ?? []) command.addCommand(createCommand(command, child, options));
  if (spec.subcommands) command.addCommand(createHelp(command));
  if (spec.examples.length > 0) {
    command.addHelpText('after', () => renderExamples('Examples', spec.examples, options.width));
  }
  if (spec.run) {
    command.action(async () => {
      refuseEmpty(command);
      const args = command.processedArgs.flat().filter((value): value is string => typeof value === 'string');
      await options.run(spec, args, command.opts(), rootOf(command).opts());
    });
  }
  return command;
}

/** What a script passes when its variable is not set. */
function refuseEmpty(command: Command): void {
  const at = command.args.indexOf('');
  if (at < 0) return;
  const { registeredArguments } = command;
  const name = registeredArguments[Math.min(at, registeredArguments.length - 1)]?.name();
  command.error(`error: argument '${name}' is empty`, { code: 'commander.emptyArgument' });
}

/** `platform help webhook add` is `platform webhook add --help`. */
function createHelp(parent: Command): Command {
  return new Command('help')
    .copyInheritedSettings(parent)
    .description('explain a command')
    .argument('[command...]')
    .action((words: string[]) => words.reduce(childOf, parent).help());
}

/** The command of that name. Parsing a name that is none says so, with what may be meant. */
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
  return option;
}

function orInvalidArgument<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof InvalidValue) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

/** Below it a column of descriptions is harder to read than lines of their own. */
const narrowColumn = 32;
const indent = 6;

/** How commander lays out a term and its description: side by side, or one below the other. */
const helpLayout = {
  minWidthToWrap: 20,
  formatItem(term: string, termWidth: number, description: string, helper: Help): string {
    const width = helper.helpWidth ?? 80;
    if (width - termWidth - 4 >= narrowColumn) {
      return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
    }
    const lines = helper.boxWrap(description, width - indent);
    return `  ${term}\n${lines.replaceAll(/^/gm, ' '.repeat(indent))}`;
  },
};

function renderExamples(title: string, examples: CommandSpec['examples'], width: number): string {
  const helper = Object.assign(new Help(), helpLayout, { helpWidth: width });
  const column = Math.max(...examples.map(({ command }) => command.length));
  const lines = examples.map(({ command, does }) => helper.formatItem(command, column, does, helper));
  return `\n${title}:\n${lines.join('\n')}`;
}
