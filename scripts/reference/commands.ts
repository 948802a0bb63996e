import type { CommandSpec, OptionSpec } from '../../src/cli/context/command.js';
import { commands } from '../../src/cli/commands/index.js';
import { globalOptions } from '../../src/cli/help/program.js';
import { blocks, code, entries, fence, sentence } from './markdown.js';

const optionList = (options: readonly OptionSpec[]): string =>
  entries(
    options.map(({ flags, description, choices = [], default: value, repeat }) => [
      flags,
      [
        choices.map(code).join(', '),
        value === undefined ? '' : `default: ${code(String(value))}`,
        repeat ? 'repeatable' : '',
      ],
      sentence(description),
    ]),
  );

function section(spec: CommandSpec, parents: readonly string[]): string {
  const words = [...parents, spec.name];
  const own = blocks(
    `${'#'.repeat(Math.min(words.length, 4))} ${words.join(' ')}`,
    spec.description ?? sentence(spec.summary),
    [
      entries((spec.arguments ?? []).map(({ syntax, description }) => [syntax, [], sentence(description)])),
      optionList(spec.options ?? []),
    ]
      .filter((list) => list !== '')
      .join('\n'),
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
    'This page lists the arguments and options of each command, as in `platform <command> --help`. Arguments in square brackets are optional.',
    '## Global options',
    optionList(globalOptions),
    ...commands.map((spec) => section(spec, ['platform'])),
  );
