import { listOptions, type CommandSpec, type OptionSpec } from '../../src/cli/context/command.js';
import { commands } from '../../src/cli/commands/index.js';
import { secretOptions } from '../../src/deliveries/command/database.js';
import { platformWebhooks } from '../../src/deliveries/command/program.js';
import { globalOptions, sessionOptions } from '../../src/cli/help/program.js';
import { blocks, code, entries, entry, fence, sentence } from './markdown.js';

const rowOf = ({ flags, description, choices = [], default: value, repeat }: OptionSpec): string =>
  entry([
    flags,
    [
      choices.map(code).join(', '),
      value === undefined ? '' : `default: ${code(String(value))}`,
      repeat ? 'repeatable' : '',
    ],
    sentence(description),
  ]);

const optionsIn = (specs: readonly CommandSpec[]): OptionSpec[] =>
  specs.flatMap(({ options, subcommands = [] }) => [...listOptions(options), ...optionsIn(subcommands)]);

/** The options that many commands have in the same form. A page lists them once. */
const sharedBy = (specs: readonly CommandSpec[]): ReadonlySet<string> =>
  new Set(
    optionsIn(specs)
      .map(rowOf)
      .filter((row, _, rows) => rows.filter((other) => other === row).length > 4),
  );

const commonOptions = 'Common options';

/** The command or section of the page that describes each option. */
type Described = Map<string, string>;

/** Describes options that the page does not describe already, and refers to the sections that describe the others. */
function optionList(options: readonly OptionSpec[], command: string, described: Described): string {
  const elsewhere = new Map<string, string[]>();
  const own = options.flatMap((option) => {
    const row = rowOf(option);
    const where = described.get(row);
    described.set(row, where ?? command);
    if (where === undefined) return [row];
    elsewhere.set(where, [...(elsewhere.get(where) ?? []), code(option.flags)]);
    return [];
  });
  const references = [...elsewhere].map(
    ([where, names]) =>
      `- ${where === commonOptions ? '' : 'As in '}[${where}](#${where.toLowerCase().replaceAll(' ', '-')}): ${names.join(', ')}`,
  );
  return [...own, ...references].join('\n');
}

function section(spec: CommandSpec, parents: readonly string[], described: Described): string {
  const words = [...parents, spec.name];
  // An example without arguments repeats the heading.
  const example = Object.entries(spec.examples).find(([command]) => command !== words.join(' '));
  const own = blocks(
    `${'#'.repeat(Math.min(words.length, 4))} ${words.join(' ')}`,
    spec.description ?? sentence(spec.summary),
    [
      entries(
        Object.entries(spec.arguments ?? {}).map(([syntax, description]) => [
          syntax,
          [],
          sentence(description),
        ]),
      ),
      optionList(listOptions(spec.options), words.join(' '), described),
    ]
      .filter((list) => list !== '')
      .join('\n'),
    spec.formats ? `Formats in addition to \`text\` and \`json\`: ${spec.formats.map(code).join(', ')}.` : '',
    example && !spec.subcommands ? fence('sh', example.join('  # ')) : '',
  );
  return blocks(own, ...(spec.subcommands ?? []).map((child) => section(child, words, described)));
}

function sectionsOf(specs: readonly CommandSpec[], program: string): string {
  const shared = sharedBy(specs);
  const described: Described = new Map([...shared].map((row) => [row, commonOptions]));
  return blocks(
    ...(shared.size > 0
      ? [`## ${commonOptions}`, 'Many commands also accept some of these options:', [...shared].join('\n')]
      : []),
    ...specs.map((spec) => section(spec, [program], described)),
  );
}

export const commandsPage = (): string =>
  blocks(
    '# Commands',
    'This page lists the arguments and options of each command. Arguments in square brackets are optional. `platform <command> --help` prints more examples.',
    '## Global options',
    [...globalOptions, ...sessionOptions].map(rowOf).join('\n'),
    sectionsOf(commands, 'platform'),
  );

const twins = commands.find(({ name }) => name === 'webhook')?.subcommands ?? [];

/** Whether `platform webhook` has the same command for the running platform. */
const isTwin = ({ name, summary, options }: CommandSpec): boolean =>
  twins.some(
    (twin) =>
      twin.name === name &&
      twin.summary === summary &&
      Object.keys(options ?? {}).every((flags) => flags in secretOptions || flags in (twin.options ?? {})) &&
      !('--installation <id>' in (options ?? {})),
  );

export const platformWebhooksPage = (): string =>
  blocks(
    '# Commands for operators',
    'This page lists each command of `platform-webhooks`, which delivers webhooks in production from a Postgres database. See [Webhook delivery on many machines](../guides/scaling.md).',
    'The [global options](commands.md#global-options) are the same as those of `platform`, except `--integration`.',
    `These commands work like the commands of [\`platform webhook\`](commands.md#platform-webhook) with the same names, and accept the common options: ${platformWebhooks.commands
      .filter(isTwin)
      .map(({ name }) => code(`platform-webhooks ${name}`))
      .join(', ')}.`,
    sectionsOf(
      platformWebhooks.commands.filter((command) => !isTwin(command)),
      'platform-webhooks',
    ),
  );
