import { ownProperty } from '../../../base/own-property.js';
import type { Origin } from '../model/recognise-origin.js';

export interface MovedScripts {
  scripts: Record<string, string>;
  /** The packages whose commands the scripts run. */
  wanted: { name: string; script: string; program: string }[];
  notes: { script: string; message: string }[];
}

/** What replaces the previous platform's commands. */
const commands: Readonly<Record<string, string>> = {
  dev: 'platform dev',
  check: 'platform validate',
  publish: 'platform publish-check',
  tail: 'platform logs --follow',
};
/** Options that mean the same in this platform's commands. */
const sameOptions = new Set(['--env']);

/** Programs that come with Node, the shell or the system. */
const ofTheSystem = new Set(
  'node npm npx yarn pnpm bun bunx deno cd echo rm mkdir cp mv cat exit true false test [ sh bash export set touch sleep curl git find xargs sed grep wait exec source . printf platform'.split(
    ' ',
  ),
);
/** Packages whose program has a different name, keyed by that name. */
const packageOf: Readonly<Record<string, string>> = {
  tsc: 'typescript',
  biome: '@biomejs/biome',
  changeset: '@changesets/cli',
  dotenv: 'dotenv-cli',
  'graphql-codegen': '@graphql-codegen/cli',
  playwright: '@playwright/test',
  'run-s': 'npm-run-all',
  'run-p': 'npm-run-all',
};

export function moveScripts(former: Readonly<Record<string, string>>, origin: Origin): MovedScripts {
  const moved: Omit<MovedScripts, 'scripts'> = { wanted: [], notes: [] };
  const scripts: [string, string][] = [];
  for (const [name, command] of Object.entries(former)) {
    const { text, problems } = moveCommand(command, origin);
    scripts.push([name, text]);
    const note = (message: string): void => void moved.notes.push({ script: name, message });
    problems.forEach(note);
    for (const { program, args } of programsOf(text)) {
      for (const path of [program, ...args].filter((argument) => /^\.\.(\/|$)/.test(argument)))
        note(`The script "${name}" uses ${path}, which is outside the folder.`);
      const called = calledScript(program, args);
      if (called !== undefined && !Object.hasOwn(former, called))
        note(`The script "${name}" runs the script "${called}", which does not exist in package.json.`);
      if (program === 'node' || program === 'bun')
        moved.wanted.push(
          ...preloaded(args).map((wanted) => ({ name: wanted, script: name, program: wanted })),
        );
      if (
        ofTheSystem.has(program) ||
        program === origin.command ||
        /[./]/.test(program) ||
        program.startsWith('$')
      )
        continue;
      moved.wanted.push({ name: ownProperty(packageOf, program) ?? program, script: name, program });
    }
  }
  return { ...moved, scripts: Object.fromEntries(scripts) };
}

function moveCommand(text: string, { command }: Origin): { text: string; problems: string[] } {
  const problems: string[] = [];
  if (command === undefined) return { text, problems };
  // Some versions group the commands, as in `acme integration dev`.
  const call = new RegExp(
    String.raw`((?:^|[;&|]\s*|\bcross-env\s+)(?:\w+=[^\s;&|]*\s+)*)(?:(?:npx|yarn|pnpm(?: exec)?|bunx)\s+)?${command}\s+(?:integrations?\s+)?([a-z-]+)([^;&|]*)`,
    'g',
  );
  const moved = text.replaceAll(call, (whole, head: string, verb: string, rest: string) => {
    const here = ownProperty(commands, verb);
    if (here === undefined) {
      problems.push(`"${command} ${verb}" has no replacement, so "${text}" no longer works.`);
      return whole;
    }
    const unknown = rest.match(/(?<=\s)--?[a-z][\w-]*/g)?.filter((option) => !sameOptions.has(option)) ?? [];
    for (const option of unknown) problems.push(`"${here}" has no option ${option}. Remove or replace it.`);
    if (verb === 'publish')
      problems.push(
        `"${text}" published the integration. "${here}" only checks it, and packs it with --pack.`,
      );
    return `${head}${here}${rest}`;
  });
  return { text: moved, problems };
}

function programsOf(text: string): { program: string; args: string[] }[] {
  return text.split(/&&|\|\||[;|&\n]/).flatMap((part) => {
    const words = part.trim().match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
    const isProgram = (word: string): boolean => !/^\w+=/.test(word);
    const first = words.findIndex((word) => isProgram(word) && word !== 'cross-env');
    const wrapper = words.slice(0, first < 0 ? undefined : first).find(isProgram);
    const [program, ...args] = first < 0 ? [] : words.slice(first);
    return [
      ...(wrapper === undefined ? [] : [{ program: wrapper, args: [] }]),
      ...(program === undefined ? [] : [{ program, args }]),
    ];
  });
}

function calledScript(program: string, [verb, name]: string[]): string | undefined {
  if (!['npm', 'yarn', 'pnpm', 'bun'].includes(program)) return undefined;
  if (verb === 'run') return name?.startsWith('-') ? undefined : name;
  return program !== 'bun' && (verb === 'test' || verb === 'start') ? verb : undefined;
}

/** Returns packages loaded before the program, as in `node -r esbuild-register`. */
const preloaded = (args: readonly string[]): string[] =>
  args.flatMap((argument, index) => {
    const [, inline] = /^--(?:require|import|loader)=(.+)$/.exec(argument) ?? [];
    const name =
      inline ?? (/^(-r|--require|--import|--loader)$/.test(argument) ? args[index + 1] : undefined);
    return name === undefined || /^[./]/.test(name) ? [] : [packageIn(name)];
  });

export const packageIn = (module: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module;

/** Returns the script that the project itself uses to check types. */
export const typeCheckScript = (scripts: Readonly<Record<string, string>>): string | undefined =>
  Object.keys(scripts).find((name) => /^(typecheck|type-check|check:types|types:check|tsc)$/.test(name));
