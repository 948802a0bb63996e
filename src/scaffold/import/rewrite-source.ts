import { sdkCalls, sdkExports } from '../generated/sdk-exports.js';
import type { Origin } from './recognise-origin.js';

export interface Rewritten {
  text: string;
  /** What the author has to look at. */
  unmapped: string[];
}

export const sdk = 'integration-platform';

const named = /\b((?:import|export)(?:\s+type)?\s*)\{([^}]*)\}(\s*from\s*)(['"])([^'"\n]+)\4/g;
const whole = /\b(import(?:\s+type)?\s*\*\s*as\s+(\w+)\s+from\s*)(['"])([^'"\n]+)\3/g;
const called =
  /(\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|\b(?:mock|doMock|importActual|requireActual)\s*(?:<[^>]*>)?\(\s*)(['"])([^'"\n]+)\2/g;

/** Imports of the former runtime, and of its client, become those of this one. Comments and layout stay. */
export function rewriteSource(text: string, origin: Origin): Rewritten {
  const { runtime, scope } = origin;
  const unmapped = new Set<string>();
  const told = new Set<string>();
  const missing = callsOfClient(text).filter((name) => !sdkCalls.includes(name));
  const keepsClient = missing.length > 0 && makesClient(text, origin);
  const rewritten = text
    .replaceAll(named, (whole, head: string, given: string, from: string, quote: string, module: string) => {
      const names = module === `${scope}api` && !keepsClient ? withClient(given, origin) : given;
      const statement = (list: string, source: string): string =>
        `${head}{${list}}${from}${quote}${source}${quote}`;
      const { known, unknown } = sortNames(names);
      if (module === runtime) {
        for (const name of unknown.map(nameIn)) unmapped.add(`it imports ${name}, which ${sdk} has not.`);
        return statement(names, sdk);
      }
      if (module !== `${scope}api`) return whole;
      told.add(module);
      if (unknown.length > 0)
        unmapped.add(
          `it still imports ${unknown.map(nameIn).join(', ')} from ${module}, a dependency of its own.`,
        );
      if (known.length === 0) return whole;
      if (unknown.length === 0) return statement(names, sdk);
      return `${statement(listed(known, names), sdk)};\n${statement(listed(unknown, names), module)}`;
    })
    .replaceAll(whole, (statement, head: string, local: string, quote: string, module: string) => {
      if (module !== `${scope}api`) return statement;
      if (hasAllOf(local, text)) return `${head}${quote}${sdk}${quote}`;
      told.add(module);
      unmapped.add(`it still imports ${module} as ${local}, a dependency of its own.`);
      return statement;
    })
    .replaceAll(called, (whole, head: string, quote: string, module: string) => {
      if (module === runtime || module.startsWith(`${runtime}/`))
        return `${head}${quote}${sdk}${module.slice(runtime.length)}${quote}`;
      if (scope !== undefined && module.startsWith(scope) && !told.has(module))
        unmapped.add(`it still imports ${module}, which has no counterpart here: it stays a dependency.`);
      return whole;
    })
    // A target is a word here, and the organization stands beside it.
    .replaceAll(/\b(\w*installation\s*[?!]?)\.target\s*[?!]?\.(organization\b)/gi, '$1.$2')
    .replaceAll(/(@jsxImportSource\s+)(\S+)/g, (whole, head: string, module: string) =>
      module === runtime ? `${head}${sdk}` : whole,
    );
  for (const call of missing)
    unmapped.add(`it calls ${call}(), which the client here has not: see api.request().`);
  if (text.toLowerCase().includes(`x-${origin.command}-integration-signature`))
    unmapped.add('it takes tasks as signed requests: here createIntegration hands them to its `task`.');
  return { text: rewritten, unmapped: [...unmapped] };
}

/** Parts of the platform's API, those that the client here has not among them. */
const groups = [...new Set([...sdkCalls.map((call) => call.split('.')[0]), 'search', 'urls', 'collections'])];
/** Clients of other services have users and a search of their own. */
const receiver = '\\w*(?:api|apiClient|client(?!\\s*\\.(?:user|search)\\b))';
const calls = new RegExp(`\\b${receiver}[?!]?\\s*\\.(${groups.join('|')})\\s*\\.(\\w+)\\s*\\(`, 'gi');

const callsOfClient = (text: string): string[] =>
  [...text.matchAll(calls)].map(([, group = '', method = '']) => `${group}.${method}`);

const makesClient = (text: string, { command }: Origin): boolean =>
  new RegExp(`\\bnew\\s+${command}API\\b`, 'i').test(text);

/** The client bears its platform's name: `AcmeAPI`, and `AcmeAPIError`. */
const withClient = (names: string, { command }: Origin): string =>
  names.replaceAll(
    new RegExp(`\\b(${command}API)(Error)?\\b(\\s+as\\b)?`, 'gi'),
    (name, client: string, error: string | undefined, renamed: string | undefined) =>
      `PlatformApi${error ?? ''}${renamed ?? ` as ${name}`}`,
  );

/** Whether this package has every `local.Name` of the sources. `local.name` is of a variable of a handler's. */
function hasAllOf(local: string, text: string): boolean {
  const used = [...text.matchAll(new RegExp(`\\b${local}\\.([A-Z]\\w*)`, 'g'))].map(([, name = '']) => name);
  return used.length > 0 && used.every((name) => sdkExports.includes(name));
}

/** The specifiers of a clause, each with the comments before it. */
function sortNames(clause: string): { known: string[]; unknown: string[] } {
  const names = clause.split(',').filter((name) => nameIn(name) !== '');
  const isKnown = (name: string): boolean => sdkExports.includes(nameIn(name));
  return { known: names.filter(isKnown), unknown: names.filter((name) => !isKnown(name)) };
}

/** `// why\n type Name as Other` is of `Name`. */
const nameIn = (specifier: string): string =>
  /^(?:type\s+)?([\w$]+)/.exec(
    specifier.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n|$)/g, '').trim(),
  )?.[1] ?? '';

/** Laid out as the whole clause was. */
const listed = (names: readonly string[], clause: string): string =>
  clause.includes('\n')
    ? `${names.map((name) => `\n${indentOf(clause)}${name.trim()},`).join('')}\n`
    : ` ${names.map((name) => name.trim()).join(', ')} `;

const indentOf = (clause: string): string => /\n([ \t]*)\S/.exec(clause)?.[1] ?? '';

/** Modules that the sources still import from packages of the former platform. */
export const importedModules = (text: string): string[] =>
  [...text.matchAll(called)].map(([, , , module = '']) => module);
