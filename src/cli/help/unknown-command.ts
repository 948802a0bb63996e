import type { CommandSpec } from '../command.js';

/** What there is instead of an unknown command: the commands in their groups. */
export function listCommands(argv: readonly string[], specs: readonly CommandSpec[]): string {
  const siblings = siblingsOf(argv, specs);
  const groups = new Map<string, string[]>();
  for (const { group = 'Commands', name } of siblings) {
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return [...groups].map(([group, names]) => `${group}: ${names.join(', ')}`).join('\n');
}

/** The commands among which the unknown one was looked for. */
function siblingsOf(argv: readonly string[], specs: readonly CommandSpec[]): readonly CommandSpec[] {
  const [word, ...rest] = argv.filter((one) => !one.startsWith('-') && one !== 'help');
  const found = specs.find(({ name }) => name === word)?.subcommands;
  return found ? siblingsOf(rest, found) : specs;
}
