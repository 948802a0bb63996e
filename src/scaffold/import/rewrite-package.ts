import type { Origin } from './recognise-origin.js';
import { sdk, type Rewritten } from './rewrite-source.js';
import { workers } from './worker-types.js';

interface Surroundings {
  origin: Origin;
  sdkSpec: string;
  /** Modules of the former platform that the sources still import. */
  imported: readonly string[];
  workerTypes: boolean;
}

/** What stands for a command of the former platform. */
const commands: Readonly<Record<string, string>> = {
  dev: 'platform dev',
  check: 'platform validate',
  publish: 'platform publish-check',
};

type Content = Record<string, Record<string, string> | undefined>;

/** Packages of the former platform that nothing imports any more go, and this one comes. */
export function rewritePackage(text: string, surroundings: Surroundings): Rewritten {
  const { origin, sdkSpec, imported, workerTypes } = surroundings;
  const content = parse(text);
  if (!content)
    return { text, unmapped: [`it can't be read as JSON: add ${sdk} to its devDependencies yourself.`] };
  const unmapped: string[] = [];
  const goes = (name: string): boolean =>
    name === origin.runtime ||
    (origin.scope !== undefined &&
      name.startsWith(origin.scope) &&
      !imported.some((module) => module === name || module.startsWith(`${name}/`)));
  for (const kind of ['dependencies', 'devDependencies', 'peerDependencies']) {
    const before = Object.entries(content[kind] ?? {});
    if (before.length === 0) continue;
    const stay = before.filter(([name]) => !goes(name));
    content[kind] = Object.fromEntries(stay);
    for (const [name, version] of stay.filter(([, spec]) => spec.startsWith('workspace:')))
      unmapped.push(`${name} is "${version}", a part of another repository: give it a version.`);
  }
  content['devDependencies'] = {
    ...content['devDependencies'],
    [sdk]: sdkSpec,
    ...compilerOf(content),
    ...(workerTypes && workersOf(content)),
  };
  for (const [name, command] of Object.entries(content['scripts'] ?? {})) {
    const mapped = mapCommand(command, origin);
    if (mapped !== command) content['scripts'] = { ...content['scripts'], [name]: mapped };
    if (callsFormer(mapped, origin))
      unmapped.push(`the script "${name}" is "${command}", which has no counterpart.`);
  }
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  return { text: `${JSON.stringify(content, null, indent)}\n`, unmapped };
}

/** A part of a larger repository has its compiler from there. */
function compilerOf(content: Content): Record<string, string> {
  const called = Object.values(content['scripts'] ?? {}).some((command) => /(^|[;&|]\s*)tsc\b/.test(command));
  return called && !depends(content, 'typescript') ? { typescript: '^5.9.0' } : {};
}

const workersOf = (content: Content): Record<string, string> =>
  depends(content, workers) ? {} : { [workers]: '^4.0.0' };

const depends = ({ dependencies, devDependencies }: Content, name: string): boolean =>
  name in { ...dependencies, ...devDependencies };

export const newPackage = (name: string, sdkSpec: string): string =>
  `${JSON.stringify({ name: name.toLowerCase(), private: true, devDependencies: { [sdk]: sdkSpec } }, null, 2)}\n`;

const former = ({ command }: Origin): RegExp =>
  new RegExp(
    `((?:^|[;&|]\\s*|\\bcross-env\\s+)(?:\\w+=\\S*\\s+)*)(?:(?:npx|yarn|pnpm(?: exec)?)\\s+)?${command}\\s+([a-z]+)`,
    'g',
  );

const mapCommand = (text: string, origin: Origin): string =>
  text.replaceAll(former(origin), (whole, head: string, verb: string) =>
    commands[verb] === undefined ? whole : `${head}${commands[verb]}`,
  );

const callsFormer = (text: string, origin: Origin): boolean => former(origin).test(text);

function parse(text: string): Content | undefined {
  try {
    return JSON.parse(text) as Content;
  } catch {
    return undefined;
  }
}
