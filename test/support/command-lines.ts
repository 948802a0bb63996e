import type { CommandSpec } from '../../src/cli/context/command.js';
import { commands } from '../../src/cli/commands/index.js';
import { globalOptions } from '../../src/cli/help/program.js';

/** Returns the `platform …` commands in a script or in inline code, each as a list of words. */
export function platformCommands(script: string): string[][] {
  const plain = script
    .replaceAll(/\\\n\s*/g, ' ')
    .replaceAll(/(^|\s)#.*$/gm, '')
    .replaceAll(/'[^']*'|"[^"$]*"/g, 'quoted');
  return [...plain.matchAll(/(?<![\w./@<-])platform((?: [^\n|;&>`()]*)?)(?=$|[\n|;&>`()])/g)]
    .map(([, rest = '']) => rest.split(/\s+/).filter(Boolean))
    .filter((words) => words.length > 0);
}

const namesOf = (flags: string): string[] => flags.match(/(?<!\S)--?[\w-]+/g) ?? [];
const always = ['--help', '-h', '--version', '-V', ...globalOptions.flatMap(({ flags }) => namesOf(flags))];

/** Explains what is wrong with a command, for example a name or an option that does not exist. */
export function wrongCommand(words: readonly string[]): string | undefined {
  let level: readonly CommandSpec[] | undefined = commands;
  let spec: CommandSpec | undefined;
  for (const word of words) {
    if (word === '--') break;
    if (/^[[<…]/.test(word)) continue;
    if (word.startsWith('-')) {
      const [name = ''] = word.split('=');
      const known = [...always, ...(spec?.options ?? []).flatMap(({ flags }) => namesOf(flags))];
      if (/^--?\w/.test(name) && !known.includes(name))
        return `platform ${words.join(' ')}: no option ${name}`;
    } else if (level) {
      const next: CommandSpec | undefined = level.find(({ name }) => name === word);
      // A command that has subcommands may also have its own arguments.
      if (!next && spec?.arguments) break;
      if (!next) return `platform ${words.join(' ')}: no command ${word}`;
      spec = next;
      level = next.subcommands;
    }
  }
  return undefined;
}
