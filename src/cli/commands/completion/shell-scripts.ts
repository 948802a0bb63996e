import { listOptions, type CommandSpec, type OptionSpec, type ProgramSpec } from '../../context/command.js';
import { globalOptions, sessionOptions } from '../../help/program.js';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

interface Word {
  word: string;
  does: string;
}

interface WordList {
  /** The path of the command, such as `webhook add`. */
  path: string;
  subcommands: Word[];
  flags: Word[];
}

export function renderCompletion(shell: Shell, { name, commands }: ProgramSpec): string {
  return { bash: renderBash, zsh: renderZsh, fish: renderFish }[shell](name, collectWordLists(commands));
}

function collectWordLists(
  specs: readonly CommandSpec[],
  path: string[] = [],
  own: readonly OptionSpec[] = [],
): WordList[] {
  const here: WordList = {
    path: path.join(' '),
    subcommands: specs.map(({ name, summary }) => ({ word: name, does: summary })),
    flags: [...own, ...globalOptions, ...sessionOptions].flatMap(toFlags),
  };
  return [
    here,
    ...specs.flatMap((spec) =>
      collectWordLists(spec.subcommands ?? [], [...path, spec.name], listOptions(spec.options)),
    ),
  ];
}

const toFlags = ({ flags, description }: OptionSpec): Word[] =>
  [...flags.matchAll(/--[a-z-]+/g)].map(([word]) => ({ word, does: description }));

const words = ({ subcommands, flags }: WordList): string =>
  [...subcommands, ...flags].map(({ word }) => word).join(' ');

/** Finds the longest command path typed so far, and then the words that can follow it. */
const shellCases = (lists: WordList[]): string =>
  lists.map((list) => `    '${list.path}') words='${words(list)}' ;;`).join('\n');

const shellPath = (lists: WordList[]): string =>
  `case "$path $word" in ${lists
    .filter(({ path }) => path)
    .map(({ path }) => `' ${path}'`)
    .join('|')}) path="$path $word" ;; esac`;

const renderBash = (name: string, lists: WordList[]): string => `_${name}() {
  local path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    ${shellPath(lists)}
  done
  case "\${path# }" in
${shellCases(lists)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}
`;

const renderZsh = (name: string, lists: WordList[]): string => `_${name}() {
  local path='' word words_here=''
  for word in \${words[2,CURRENT-1]}; do
    ${shellPath(lists)}
  done
  case "\${path# }" in
${shellCases(lists).replaceAll("words='", "words_here='")}
  esac
  compadd -- \${=words_here}
  _files
}
compdef _${name} ${name}
`;

function renderFish(name: string, lists: WordList[]): string {
  const lines = lists.flatMap(({ path, subcommands, flags }) => {
    const condition = path
      ? path
          .split(' ')
          .map((word) => `__fish_seen_subcommand_from ${word}`)
          .join('; and ')
      : '__fish_use_subcommand';
    const commands = subcommands.map(
      ({ word, does }) => `complete -c ${name} -n '${condition}' -a ${word} -d '${quote(does)}'`,
    );
    const options = flags.map(
      ({ word, does }) => `complete -c ${name} -n '${condition}' -l ${word.slice(2)} -d '${quote(does)}'`,
    );
    return [...commands, ...options];
  });
  return `${lines.join('\n')}\n`;
}

const quote = (text: string): string => text.replaceAll("'", "\\'");
