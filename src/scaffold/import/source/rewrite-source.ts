import { sdkCalls, sdkExports } from '../../generated/sdk-exports.js';
import { lineAt, noteAt, notesAt, type Note, type Rewritten } from '../open-decision.js';
import type { Origin } from '../recognise-origin.js';
import { rewriteInstallationReads } from './installation-reads.js';

export const sdk = 'integration-platform';

const named = /\b((?:import|export)(?:\s+type)?\s*)\{([^}]*)\}(\s*from\s*)(['"])([^'"\n]+)\4/g;
const whole = /\b(import(?:\s+type)?\s*\*\s*as\s+(\w+)\s+from\s*)(['"])([^'"\n]+)\3/g;
const called =
  /(\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|\b(?:mock|doMock|importActual|requireActual)\s*(?:<[^>]*>)?\(\s*)(['"])([^'"\n]+)\2/g;

/** Imports of the former runtime, and of its client, become those of this one. Comments and layout stay. */
export function rewriteSource(text: string, origin: Origin): Rewritten {
  const { text: rewritten, notes } = rewriteInstallationReads(rewriteImports(text, origin));
  const found = [...importsLeft(rewritten, origin), ...notes, ...usesLeft(rewritten, origin)];
  return { text: rewritten, notes: found.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)) };
}

function rewriteImports(text: string, origin: Origin): string {
  const { runtime, scope } = origin;
  const keepsClient = missingCalls(text).length > 0 && makesClient(text, origin);
  return text
    .replaceAll(named, (whole, head: string, given: string, from: string, quote: string, module: string) => {
      if (module !== `${scope}api`) return whole;
      const names = withOwnTypes(keepsClient ? given : withClient(given, origin));
      const statement = (list: string, source: string): string =>
        `${head}{${list}}${from}${quote}${source}${quote}`;
      const { known, unknown } = sortNames(names);
      if (known.length === 0) return whole;
      if (unknown.length === 0) return statement(names, sdk);
      return `${statement(listed(known, names), sdk)};\n${statement(listed(unknown, names), module)}`;
    })
    .replaceAll(whole, (statement, head: string, local: string, quote: string, module: string) =>
      module === `${scope}api` && hasAllOf(local, text) ? `${head}${quote}${sdk}${quote}` : statement,
    )
    .replaceAll(called, (whole, head: string, quote: string, module: string) =>
      module === runtime || module.startsWith(`${runtime}/`)
        ? `${head}${quote}${sdk}${module.slice(runtime.length)}${quote}`
        : whole,
    )
    .replaceAll(/(@jsxImportSource\s+)(\S+)/g, (whole, head: string, module: string) =>
      module === runtime ? `${head}${sdk}` : whole,
    );
}

/** What is still imported from the former platform, and what this package does not export. */
function importsLeft(text: string, { scope }: Origin): Note[] {
  const notes: Note[] = [];
  const clauses = [...text.matchAll(named)];
  for (const { index, 2: names = '', 5: module = '' } of clauses) {
    const unknown = sortNames(names).unknown.map(nameIn);
    if (module === sdk)
      for (const name of unknown)
        notes.push({
          line: lineAt(text, index + text.slice(index).search(new RegExp(`\\b${name}\\b`))),
          message: `It imports ${name}, which ${sdk} does not export.`,
        });
    else if (module === `${scope}api`)
      notes.push({
        line: lineAt(text, index),
        message: `It still imports ${unknown.join(', ')} from ${module}, which stays a dependency.`,
      });
  }
  for (const { index, 2: local = '', 4: module = '' } of text.matchAll(whole))
    if (module === `${scope}api`)
      notes.push({
        line: lineAt(text, index),
        message: `It still imports ${module} as ${local}, which stays a dependency.`,
      });
  const told = new Set(notes.map(({ line }) => line));
  for (const { index, 3: module = '' } of text.matchAll(called)) {
    const line = lineAt(text, index);
    const ofClause = clauses.some(
      (clause) => clause.index < index && index < clause.index + clause[0].length,
    );
    if (scope === undefined || !module.startsWith(scope) || told.has(line)) continue;
    if (ofClause && module === `${scope}api`) continue;
    notes.push({
      line,
      message: `It still imports ${module}, which has no counterpart here and stays a dependency.`,
    });
  }
  return notes;
}

/** Calls and properties of the former platform that are not here. */
function usesLeft(text: string, { command }: Origin): Note[] {
  const inScript = sdkImported(text);
  const signature = `x-${command}-integration-signature`;
  const signed = text.slice(text.toLowerCase().indexOf(signature)).slice(0, signature.length);
  return [
    ...notesAt(text, calls, ([, group, method]) => `${group}.${method}`)
      .filter(({ message }) => !sdkCalls.includes(message))
      .map(({ message, ...place }) => ({
        ...place,
        message: `It calls ${message}(), which the client here does not have: use api.request().`,
      })),
    ...(inScript ? unknownOf(text, 'context') : []),
    ...(inScript ? unknownOf(text, 'environment') : []),
    ...(text.toLowerCase().includes(signature)
      ? [
          noteAt(
            text,
            signed,
            'It receives tasks as signed requests: here createIntegration passes them to its `task`.',
          ),
        ]
      : []),
  ];
}

const known = {
  context: 'environment|api|integration|waitUntil',
  environment:
    'apiEndpoint|apiTokens|integration|secrets|signingSecrets|installation|siteInstallation|spaceInstallation',
};

const unknownOf = (text: string, holder: keyof typeof known): Note[] =>
  notesAt(
    text,
    new RegExp(String.raw`\b${holder}[?!]?\.(?!(?:${known[holder]})\b)([a-z]\w*)`, 'g'),
    ([, name]) => `It reads ${holder}.${name}, which the ${holder} here does not have.`,
  );

const sdkImported = (text: string): boolean =>
  [...text.matchAll(called)].some(([, , , module]) => module === sdk);

/** Parts of the platform's API, those that the client here has not among them. */
const groups = [...new Set([...sdkCalls.map((call) => call.split('.')[0]), 'search', 'urls', 'collections'])];
/** Clients of other services have users and a search of their own. */
const receiver = '\\w*(?:api|apiClient|client(?!\\s*\\.(?:user|search)\\b))';
const calls = new RegExp(`\\b${receiver}[?!]?\\s*\\.(${groups.join('|')})\\s*\\.(\\w+)\\s*\\(`, 'gi');

const missingCalls = (text: string): string[] =>
  [...text.matchAll(calls)]
    .map(([, group = '', method = '']) => `${group}.${method}`)
    .filter((name) => !sdkCalls.includes(name));

const makesClient = (text: string, { command }: Origin): boolean =>
  new RegExp(`\\bnew\\s+${command}API\\b`, 'i').test(text);

/** The client bears its platform's name: `AcmeAPI`, and `AcmeAPIError`. */
const withClient = (names: string, { command }: Origin): string =>
  names.replaceAll(
    new RegExp(`\\b(${command}API)(Error)?\\b(\\s+as\\b)?`, 'gi'),
    (name, client: string, error: string | undefined, renamed: string | undefined) =>
      `PlatformApi${error ?? ''}${renamed ?? ` as ${name}`}`,
  );

/** What has another name here. */
const ownTypes: Readonly<Record<string, string>> = {
  SearchAIAnswer: 'AskAnswer',
  SearchAIAnswerStream: 'AskStreamEvent',
};

const withOwnTypes = (names: string): string =>
  names.replaceAll(
    /\b(SearchAIAnswer(?:Stream)?)\b(\s+as\b)?/g,
    (_, name: string, renamed: string | undefined) => `${ownTypes[name]}${renamed ?? ` as ${name}`}`,
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

/** The modules that a source imports. */
export const importedModules = (text: string): string[] =>
  [...text.matchAll(called)].map(([, , , module = '']) => module);
