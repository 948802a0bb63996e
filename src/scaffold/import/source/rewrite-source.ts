import { sdkCalls, sdkExports } from '../../generated/sdk-exports.js';
import { createLineIndex } from '../../../manifest/yaml/line-starts.js';
import { noteAt, notesAt, type Note, type Rewritten } from '../model/open-decision.js';
import type { Origin } from '../model/recognise-origin.js';
import { rewriteInstallationReads } from './installation-reads.js';
import { plainContexts } from './plain-context.js';

export const sdk = 'integration-platform';

const named = /\b((?:import|export)(?:\s+type)?\s*)\{([^{}]*)\}(\s*from\s*)(['"])([^'"\n]+)\4/g;
const whole = /\b(import(?:\s+type)?\s*\*\s*as\s+(\w+)\s+from\s*)(['"])([^'"\n]+)\3/g;
const called =
  /(\bfrom\s*|\bimport\s*(?:\(\s*)?|\brequire\s*\(\s*|\b(?:mock|doMock|importActual|requireActual)\s*(?:<[^>]{0,500}>)?\(\s*)(['"])([^'"\n]+)\2/g;

/** Replaces imports of the previous runtime and its API client with imports from this package. Comments and layout are kept. */
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

/** Adds notes about remaining imports from the previous platform, and about names that this package does not export. */
function importsLeft(text: string, { scope }: Origin): Note[] {
  const notes: Note[] = [];
  const lines = createLineIndex(text);
  const lineAt = (offset: number): number => lines.position(offset).line;
  const clauses = [...text.matchAll(named)];
  for (const { index, 1: head = '', 2: names = '', 5: module = '' } of clauses) {
    const unknown = sortNames(names).unknown.map(nameIn);
    if (module === sdk)
      for (const { name, offset } of namesWithOffsets(names).filter((one) => !sdkExports.includes(one.name)))
        notes.push({
          line: lineAt(index + head.length + 1 + offset),
          message: `This code imports ${name}, which ${sdk} does not export.`,
        });
    else if (module === `${scope}api`)
      notes.push({
        line: lineAt(index),
        message: `This code still imports ${unknown.join(', ')} from ${module}, so that package remains a dependency.`,
      });
  }
  for (const { index, 2: local = '', 4: module = '' } of text.matchAll(whole))
    if (module === `${scope}api`)
      notes.push({
        line: lineAt(index),
        message: `This code still imports ${module} as ${local}, so that package remains a dependency.`,
      });
  const told = new Set(notes.map(({ line }) => line));
  for (const { index, 3: module = '' } of text.matchAll(called)) {
    const line = lineAt(index);
    const ofClause = clauses.some(
      (clause) => clause.index < index && index < clause.index + clause[0].length,
    );
    if (scope === undefined || !module.startsWith(scope) || told.has(line)) continue;
    if (ofClause && module === `${scope}api`) continue;
    notes.push({
      line,
      message: `This code still imports ${module}, which has no replacement on this platform and remains a dependency.`,
    });
  }
  return notes;
}

function usesLeft(text: string, { command }: Origin): Note[] {
  const inScript = sdkImported(text);
  const signature = `x-${command}-integration-signature`;
  const signed = text.slice(text.toLowerCase().indexOf(signature)).slice(0, signature.length);
  return [
    ...notesAt(text, calls, ([, group, method]) => `${group}.${method}`)
      .filter(({ message }) => !sdkCalls.includes(message))
      .map(({ message, ...position }) => ({
        ...position,
        message: `This code calls ${message}(), which this client does not support. Use api.request() instead.`,
      })),
    ...(inScript ? unknownOf(text, 'context') : []),
    ...(inScript ? unknownOf(text, 'environment') : []),
    ...(text.toLowerCase().includes(signature)
      ? [
          noteAt(
            text,
            signed,
            'This code receives tasks as signed requests. On this platform, createIntegration passes them to its `task` handler.',
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

function unknownOf(text: string, holder: keyof typeof known): Note[] {
  const isPlain = holder === 'context' ? plainContexts(text) : () => false;
  // `element.context` is a different object.
  const own = holder === 'context' ? String.raw`(?<![\w$\])][?!]?\.)` : '';
  return notesAt(
    text,
    new RegExp(String.raw`${own}\b${holder}[?!]?\.(?!(?:${known[holder]})\b)([a-z]\w*)`, 'g'),
    ({ index, 1: name }) =>
      isPlain(index)
        ? undefined
        : `This code reads ${holder}.${name}, which does not exist on this platform.`,
  );
}

const sdkImported = (text: string): boolean =>
  [...text.matchAll(called)].some(([, , , module]) => module === sdk);

/** The groups of calls in the platform's API, including those missing from this client. */
const groups = [...new Set([...sdkCalls.map((call) => call.split('.')[0]), 'search', 'urls', 'collections'])];
/** The clients of other services can also have `user` and `search`. */
const receiver = '\\w{0,100}(?:api|apiClient|client(?!\\s*\\.(?:user|search)\\b))';
const calls = new RegExp(`\\b${receiver}[?!]?\\s*\\.(${groups.join('|')})\\s*\\.(\\w+)\\s*\\(`, 'gi');

const missingCalls = (text: string): string[] =>
  [...text.matchAll(calls)]
    .map(([, group = '', method = '']) => `${group}.${method}`)
    .filter((name) => !sdkCalls.includes(name));

const makesClient = (text: string, { command }: Origin): boolean =>
  new RegExp(`\\bnew\\s+${command}API\\b`, 'i').test(text);

/** The client's name contains its platform's name, as in `AcmeAPI` and `AcmeAPIError`. */
const withClient = (names: string, { command }: Origin): string =>
  names.replaceAll(
    new RegExp(`\\b(${command}API)(Error)?\\b(\\s+as\\b)?`, 'gi'),
    (name, client: string, error: string | undefined, renamed: string | undefined) =>
      `PlatformApi${error ?? ''}${renamed ?? ` as ${name}`}`,
  );

const ownTypes: Readonly<Record<string, string>> = {
  SearchAIAnswer: 'AskAnswer',
  SearchAIAnswerStream: 'AskStreamEvent',
};

const withOwnTypes = (names: string): string =>
  names.replaceAll(
    /\b(SearchAIAnswer(?:Stream)?)\b(\s+as\b)?/g,
    (_, name: string, renamed: string | undefined) => `${ownTypes[name]}${renamed ?? ` as ${name}`}`,
  );

/** Whether this package exports every `local.Name` that the sources use. `local.name` belongs to a variable in a handler. */
function hasAllOf(local: string, text: string): boolean {
  const used = [...text.matchAll(new RegExp(`\\b${local}\\.([A-Z]\\w*)`, 'g'))].map(([, name = '']) => name);
  return used.length > 0 && used.every((name) => sdkExports.includes(name));
}

/** Returns the specifiers in a clause, each with the comments that precede it. */
function sortNames(clause: string): { known: string[]; unknown: string[] } {
  const names = clause.split(',').filter((name) => nameIn(name) !== '');
  const isKnown = (name: string): boolean => sdkExports.includes(nameIn(name));
  return { known: names.filter(isKnown), unknown: names.filter((name) => !isKnown(name)) };
}

function namesWithOffsets(clause: string): { name: string; offset: number }[] {
  let start = 0;
  return clause.split(',').flatMap((specifier) => {
    const name = nameIn(specifier);
    const offset = start + specifier.lastIndexOf(name);
    start += specifier.length + 1;
    return name === '' ? [] : [{ name, offset }];
  });
}

/** Returns the exported name in a specifier, such as `Name` in `// why\n type Name as Other`. */
const nameIn = (specifier: string): string =>
  /^(?:type\s+)?([\w$]+)/.exec(
    specifier.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*(?:\n|$)/g, '').trim(),
  )?.[1] ?? '';

const listed = (names: readonly string[], clause: string): string =>
  clause.includes('\n')
    ? `${names.map((name) => `\n${indentOf(clause)}${name.trim()},`).join('')}\n`
    : ` ${names.map((name) => name.trim()).join(', ')} `;

const indentOf = (clause: string): string => /\n([ \t]*)\S/.exec(clause)?.[1] ?? '';

export const importedModules = (text: string): string[] =>
  [...text.matchAll(called)].map(([, , , module = '']) => module);
