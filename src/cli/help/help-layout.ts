import { Help, type Command, type HelpConfiguration, type Option } from 'commander';
import type { CommandSpec } from '../context/command.js';

/** If the description column would be narrower than this, each description is placed on its own line. */
const narrowColumn = 32;
const indent = 6;

export interface HelpParts {
  examples: CommandSpec['examples'];
  /** A paragraph about the global options. The root command lists these options instead. */
  globals?: string;
}

/**
 * Creates the help formatter. The usage, the description and an example come first, and the options that all commands share
 * come last.
 */
export function createHelpLayout(partsOf: (command: Command) => HelpParts): HelpConfiguration {
  return {
    minWidthToWrap: 20,
    // These options are listed with the global options.
    visibleOptions(this: Help, command: Command) {
      const options = Help.prototype.visibleOptions.call(this, command);
      return command.parent ? options.filter(({ long }) => long !== '--help') : options;
    },
    subcommandTerm(this: Help, command: Command) {
      return Help.prototype.subcommandTerm.call(this, command).replace(' [options]', '');
    },
    optionDescription(this: Help, option: Option) {
      return withDefaultLast(Help.prototype.optionDescription.call(this, option));
    },
    formatItem,
    formatHelp(this: Help, command: Command, helper: Help) {
      const { examples, globals } = partsOf(command);
      const text = Help.prototype.formatHelp.call(this, command, helper).trimEnd();
      const [usage = '', about = '', ...sections] = text.split('\n\n');
      const isOptions = (section: string): boolean => section.startsWith(helper.styleTitle('Options:'));
      const parts = command.parent
        ? sections
        : [...sections.filter((section) => !isOptions(section)), ...sections.filter(isOptions)];
      const shown = Object.keys(examples).length > 0 ? [renderExamples(examples, helper)] : [];
      const last = globals === undefined ? [] : [helper.boxWrap(globals, helper.helpWidth ?? 80)];
      return `${[usage, about, ...shown, ...parts, ...last].join('\n\n')}\n`;
    },
  };
}

/**
 * Moves a default value in the description to the end, after the choices. commander shows its own defaults in the same place.
 */
const withDefaultLast = (description: string): string =>
  description.replace(/ \(default: ([^)]*)\) \((choices: [^)]*)\)$/, ' ($2, default: $1)');

function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? 80;
  if (width - termWidth - 4 >= narrowColumn)
    return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
  const lines = helper.boxWrap(description, width - indent);
  return `  ${term}\n${lines.replaceAll(/^/gm, ' '.repeat(indent))}`;
}

function renderExamples(examples: CommandSpec['examples'], helper: Help): string {
  const column = Math.max(...Object.keys(examples).map(({ length }) => length));
  const lines = Object.entries(examples).map(([command, does]) => formatItem(command, column, does, helper));
  return `${helper.styleTitle(lines.length === 1 ? 'Example:' : 'Examples:')}\n${lines.join('\n')}`;
}
