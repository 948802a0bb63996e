import type { CommandSpec } from '../../src/cli/context/command.js';
import { platform } from '../../src/cli/commands/index.js';
import { globalOptions } from '../../src/cli/help/program.js';
import { platformWebhooks } from '../../src/deliveries/command/program.js';

/**
 * Returns the `platform …` commands in a script or in inline code, each as a list of words. The words of a
 * `platform-webhooks …` command start with its name.
 */
export function platformCommands(script: string): string[][] {
  const plain = script
    .replaceAll(/\\\n\s*/g, ' ')
    .replaceAll(/(^|\s)#.*$/gm, '')
    .replaceAll(/'[^']*'|"[^"$]*"/g, 'quoted');
  return [...plain.matchAll(/(?<![\w./@<-])platform(-webhooks)?((?: [^\n|;&>`()]*)?)(?=$|[\n|;&>`()])/g)]
    .map(([, webhooks, rest = '']) => [
      ...(webhooks ? ['platform-webhooks'] : []),
      ...rest.split(/\s+/).filter(Boolean),
    ])
    .filter((words) => words.length > 0);
}

const namesOf = (flags: string): string[] => flags.match(/(?<!\S)--?[\w-]+/g) ?? [];
const always = ['--help', '-h', '--version', '-V', ...globalOptions.flatMap(({ flags }) => namesOf(flags))];

/** Explains what is wrong with a command, for example a name or an option that does not exist. */
export function wrongCommand(words: readonly string[]): string | undefined {
  const isWebhooks = words[0] === 'platform-webhooks';
  const line = isWebhooks ? words.join(' ') : `platform ${words.join(' ')}`;
  let level: readonly CommandSpec[] | undefined = (isWebhooks ? platformWebhooks : platform).commands;
  let spec: CommandSpec | undefined;
  for (const word of words.slice(isWebhooks ? 1 : 0)) {
    if (word === '--') break;
    if (/^[[<…]/.test(word)) continue;
    if (word.startsWith('-')) {
      const [name = ''] = word.split('=');
      const known = [...always, ...Object.keys(spec?.options ?? {}).flatMap(namesOf)];
      if (/^--?\w/.test(name) && !known.includes(name)) return `${line}: no option ${name}`;
    } else if (level) {
      const next: CommandSpec | undefined = level.find(({ name }) => name === word);
      // A command that has subcommands may also have its own arguments.
      if (!next && spec?.arguments) break;
      if (!next) return `${line}: no command ${word}`;
      spec = next;
      level = next.subcommands;
    }
  }
  return undefined;
}
