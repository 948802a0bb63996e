import type { CommandSpec } from '../context/command.js';

/** Lists the commands in their groups. */
export function listCommands(argv: readonly string[], specs: readonly CommandSpec[]): string {
  const siblings = siblingsOf(argv, specs);
  const groups = new Map<string, string[]>();
  for (const { group = 'Commands', name } of siblings) {
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return [...groups].map(([group, names]) => `${group}: ${names.join(', ')}`).join('\n');
}

/** The commands of the level at which the unknown command was typed. */
function siblingsOf(argv: readonly string[], specs: readonly CommandSpec[]): readonly CommandSpec[] {
  const [word, ...rest] = argv.filter((one) => !one.startsWith('-') && one !== 'help');
  const found = specs.find(({ name }) => name === word)?.subcommands;
  return found ? siblingsOf(rest, found) : specs;
}
