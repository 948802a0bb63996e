import type { CommandSpec, OptionSpec } from '../../src/cli/context/command.js';
import { commands } from '../../src/cli/commands/index.js';
import { globalOptions } from '../../src/cli/help/program.js';
import { blocks, code, fence, sentence, table } from './markdown.js';

const defaultOf = ({ default: value }: OptionSpec): string =>
  value === undefined ? '' : code(String(value));

const optionTable = (options: readonly OptionSpec[]): string =>
  options.length === 0
    ? ''
    : table(
        ['option', 'meaning', 'values', 'default'],
        options.map((option) => [
          code(option.flags),
          sentence(option.description) + (option.repeat ? ' Can be repeated.' : ''),
          option.choices?.map(code).join(', ') ?? '',
          defaultOf(option),
        ]),
      );

function section(spec: CommandSpec, parents: readonly string[]): string {
  const words = [...parents, spec.name];
  const options = spec.options ?? [];
  const usage = [
    ...words,
    ...(options.length > 0 ? ['[options]'] : []),
    ...(spec.subcommands ? ['<command>'] : []),
    ...(spec.arguments ?? []).map(({ syntax }) => syntax),
  ];
  const own = blocks(
    `${'#'.repeat(Math.min(words.length, 4))} ${words.join(' ')}`,
    spec.description ?? sentence(spec.summary),
    fence('text', usage.join(' ')),
    spec.arguments
      ? table(
          ['argument', 'meaning'],
          spec.arguments.map(({ syntax, description }) => [code(syntax), sentence(description)]),
        )
      : '',
    optionTable(options),
    spec.formats ? `Formats in addition to \`text\` and \`json\`: ${spec.formats.map(code).join(', ')}.` : '',
    spec.examples.length > 0
      ? fence('sh', spec.examples.map(({ command, does }) => `${command}  # ${does}`).join('\n'))
      : '',
  );
  return blocks(own, ...(spec.subcommands ?? []).map((child) => section(child, words)));
}

export const commandsPage = (): string =>
  blocks(
    '# Commands',
    'This page lists each command and its options, as in `platform <command> --help`.',
    '## Global options',
    optionTable(globalOptions),
    ...commands.map((spec) => section(spec, ['platform'])),
  );
