import type { CommandSpec, OptionSpec } from '../../command.js';
import { globalOptions } from '../../program.js';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

interface Word {
  word: string;
  does: string;
}

interface Place {
  /** The path of the command, such as `webhook add`. */
  path: string;
  subcommands: Word[];
  flags: Word[];
}

export function renderCompletion(shell: Shell, specs: readonly CommandSpec[]): string {
  const places = collectPlaces(specs);
  return { bash: renderBash, zsh: renderZsh, fish: renderFish }[shell](places);
}

function collectPlaces(
  specs: readonly CommandSpec[],
  path: string[] = [],
  own: readonly OptionSpec[] = [],
): Place[] {
  const here: Place = {
    path: path.join(' '),
    subcommands: specs.map(({ name, summary }) => ({ word: name, does: summary })),
    flags: [...own, ...globalOptions].flatMap(toFlags),
  };
  return [
    here,
    ...specs.flatMap((spec) => collectPlaces(spec.subcommands ?? [], [...path, spec.name], spec.options)),
  ];
}

const toFlags = ({ flags, description }: OptionSpec): Word[] =>
  [...flags.matchAll(/--[a-z-]+/g)].map(([word]) => ({ word, does: description }));

const words = ({ subcommands, flags }: Place): string =>
  [...subcommands, ...flags].map(({ word }) => word).join(' ');

/** Finds the longest command path among the words typed so far, then the words that can follow. */
const shellCases = (places: Place[]): string =>
  places.map((place) => `    '${place.path}') words='${words(place)}' ;;`).join('\n');

const shellPath = (places: Place[]): string =>
  `case "$path $word" in ${places
    .filter(({ path }) => path)
    .map(({ path }) => `' ${path}'`)
    .join('|')}) path="$path $word" ;; esac`;

const renderBash = (places: Place[]): string => `_platform() {
  local path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    ${shellPath(places)}
  done
  case "\${path# }" in
${shellCases(places)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _platform platform
`;

const renderZsh = (places: Place[]): string => `_platform() {
  local path='' word words_here=''
  for word in \${words[2,CURRENT-1]}; do
    ${shellPath(places)}
  done
  case "\${path# }" in
${shellCases(places).replaceAll("words='", "words_here='")}
  esac
  compadd -- \${=words_here}
  _files
}
compdef _platform platform
`;

function renderFish(places: Place[]): string {
  const lines = places.flatMap(({ path, subcommands, flags }) => {
    const condition = path
      ? path
          .split(' ')
          .map((word) => `__fish_seen_subcommand_from ${word}`)
          .join('; and ')
      : '__fish_use_subcommand';
    const commands = subcommands.map(
      ({ word, does }) => `complete -c platform -n '${condition}' -a ${word} -d '${quote(does)}'`,
    );
    const options = flags.map(
      ({ word, does }) => `complete -c platform -n '${condition}' -l ${word.slice(2)} -d '${quote(does)}'`,
    );
    return [...commands, ...options];
  });
  return `${lines.join('\n')}\n`;
}

const quote = (text: string): string => text.replaceAll("'", "\\'");
