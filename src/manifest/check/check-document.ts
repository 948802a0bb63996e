import type { Diagnostic, Range, Source } from '../../diagnostics/model/diagnostic.js';
import { sortDiagnostics } from '../../diagnostics/report/sort-diagnostics.js';
import { environmentsOf, unknownEnvironment } from './manifest-environments.js';
import type { DocumentKind } from './document-kind.js';
import { findMasks } from './secret-positions.js';
import type { ReadSource } from '../read/text-problems.js';
import type { ManifestContext } from './rule-support/rule-context.js';
import { runRules, type ReadDocument } from './run-rules.js';
import { createIgnores } from '../../diagnostics/apply-ignores.js';
import { findIgnoreComments } from './manifest-ignores.js';
import { isRecord } from '../../base/value-at-path.js';
import { createLineIndex, type LineIndex } from '../yaml/line-starts.js';
import { readTree } from '../yaml/read-tree.js';
import { toValue, type Node, type Problem } from '../yaml/tree.js';
import { listRules, type RuleInfo } from '../../diagnostics/model/rule.js';

export interface CheckedDocument {
  /** Undefined if the text is not a map of fields. */
  value: Record<string, unknown> | undefined;
  diagnostics: Diagnostic[];
  source: Source;
}

/** Checks the syntax of the document, and then its schema and rules. Applies ignore comments to the findings. */
export function checkDocument(
  file: string,
  { text, problems: reading }: ReadSource,
  kind: DocumentKind,
  surroundings: Pick<ManifestContext, 'files' | 'variables'> = {},
  environment?: string,
): CheckedDocument {
  const lines = createLineIndex(text);
  const { root, problems } = reading.some(isFatal) ? { problems: [] } : readTree(text);
  const form = [...reading, ...problems].map((problem) => toDiagnostic(problem, file, lines.range));
  const content = root && toValue(root);
  if (!root || !isRecord(content)) {
    if (!form.some(({ severity }) => severity === 'error')) {
      const problem = notAMap(kind.name, root, lines.endOfLine(root?.start ?? 0));
      form.push(toDiagnostic(problem, file, lines.range));
    }
    return finish(undefined, form, { text, root, lines });
  }
  const { value, found } = findProblems(
    { file, text, lines, root, content },
    kind,
    surroundings,
    environment,
  );
  const rules = [...documentCodes, ...kind.rules];
  const ignores = createIgnores({
    comments: new Map([[file, findIgnoreComments(text, lines)]]),
    codes: rules.map(({ code }) => code),
    // Errors cannot be ignored.
    isLocked: (code) => rules.some((rule) => rule.code === code && rule.severity === 'error'),
  });
  const applied = ignores.apply([...form, ...found]);
  return finish(value, [...applied, ...ignores.problems()], { text, root, lines });
}

/** Checks the chosen environment or, if none was chosen, the document itself and then each of its environments. */
function findProblems(
  document: ReadDocument,
  kind: DocumentKind,
  surroundings: Pick<ManifestContext, 'files' | 'variables'>,
  environment: string | undefined,
): { value: Record<string, unknown>; found: Diagnostic[] } {
  const { root, content } = document;
  const environments = kind.hasEnvironments ? environmentsOf(root) : [];
  const check = (
    of: Node,
    around = surroundings,
  ): { value: Record<string, unknown>; found: Diagnostic[] } => {
    const value = toValue(of) as Record<string, unknown>;
    return { value, found: runRules({ ...document, root: of, content: value }, kind, around) };
  };
  if (environment !== undefined) {
    const chosen = environments.find(({ name }) => name === environment);
    if (!chosen) return { value: content, found: [unknownEnvironment(environment, root, document)] };
    const { value, found } = check(chosen.root);
    return { value, found: distinct(found).map(withoutFix) };
  }
  const { found } = check(root);
  // Problems that also exist without an environment are reported only once. The environment variables are ignored, because an
  // environment is meant for another machine.
  const known = new Set(found.map(identify));
  const { variables: _, ...files } = surroundings;
  for (const { name, root: of } of environments) {
    for (const problem of check(of, files).found) {
      if (known.has(identify(problem)) || problem.code === 'manifest/extension-field') continue;
      known.add(identify(problem));
      found.push({ ...withoutFix(problem), message: `In the environment ${name}: ${problem.message}` });
    }
  }
  return { value: content, found };
}

/**
 * Removes the fix from a problem in an environment. A fix edits the manifest's top-level fields, but an environment's fields
 * are under `envs`.
 */
const withoutFix = (problem: Diagnostic): Diagnostic => {
  const { fix: _, ...rest } = problem;
  return rest;
};

/** Removes duplicates. A rule that reads `envs` itself reports the same problem twice for the chosen environment. */
const distinct = (found: readonly Diagnostic[]): Diagnostic[] => [
  ...new Map(found.toReversed().map((problem) => [identify(problem), problem])).values(),
];

const identify = ({ code, range }: Diagnostic): string => JSON.stringify([code, range]);

/** Looks for secrets to mask only if there is something to show. */
function finish(
  value: CheckedDocument['value'],
  diagnostics: readonly Diagnostic[],
  { text, root, lines }: { text: string; root: Node | undefined; lines: LineIndex },
): CheckedDocument {
  const spans = diagnostics.length > 0 ? findMasks(text, root) : [];
  const masks = spans.map(({ start, end }) => lines.range(start, end));
  return {
    value,
    diagnostics: sortDiagnostics(diagnostics),
    source: { text, ...(masks.length > 0 && { masks }) },
  };
}

const severityOf = (code: string): Diagnostic['severity'] =>
  documentCodes.find((known) => known.code === code)?.severity ?? 'error';

const isFatal = ({ code }: Problem): boolean => severityOf(code) === 'error';

const toDiagnostic = (
  { code, message, help, start, end }: Problem,
  file: string,
  range: (start: number, end: number) => Range,
): Diagnostic => ({
  code,
  severity: severityOf(code),
  message,
  ...(help && { help }),
  file,
  range: range(start, end),
});

function notAMap(name: string, root: Node | undefined, endOfLine: number): Problem {
  const help = 'Write one field per line: `key: value`.';
  if (!root || (root.kind === 'scalar' && root.value === null))
    return { code: 'manifest/empty-document', message: `The ${name} is empty.`, help, start: 0, end: 0 };
  const found = root.kind === 'list' ? 'a list' : 'a single value';
  const message = `The ${name} must be a map of keys and values, not ${found}.`;
  return {
    code: 'manifest/wrong-type',
    message,
    help,
    start: root.start,
    end: Math.min(root.end, endOfLine),
  };
}

/** Problems found before any rules run, and problems with ignore comments. */
export const documentCodes: readonly RuleInfo[] = [
  ...listRules('error', {
    'manifest/unreadable': 'The file does not exist or cannot be read.',
    'manifest/too-large': 'The file is larger than 256 KiB.',
    'manifest/encoding': 'The file is not UTF-8.',
    'manifest/control-character': 'The file contains an invisible control character.',
    'manifest/syntax': 'The file is not valid YAML.',
    'manifest/tab-indent': 'A line is indented with a tab.',
    'manifest/several-documents': 'The file contains more than one YAML document.',
    'manifest/too-deep': 'The document is nested more than 64 levels deep.',
    'manifest/too-many-aliases': 'The aliases expand to too many values.',
    'manifest/empty-document': 'The file is empty or contains only comments.',
    'manifest/duplicate-key': 'A key appears twice in the same map.',
    'manifest/non-string-key': 'A key is not a string.',
    'manifest/reserved-key': 'The file contains a key that is not allowed: __proto__ or a merge key.',
    'manifest/duplicate-name': 'Two manifests in the same run have the same name.',
    'manifest/unknown-environment': 'The manifest does not define the environment passed to --env.',
    'manifest/too-many-findings': 'The file has more than 500 problems.',
  }),
  ...listRules('warning', {
    'manifest/duplicate-fence': 'Two manifests in the same run claim the same code fences.',
    'manifest/duplicate-link': 'Two manifests in the same run unfurl the same links.',
    'manifest/byte-order-mark': 'The file starts with a byte order mark.',
    'manifest/mixed-line-ends': 'The file has mixed line endings (CR LF and LF).',
    'manifest/unused-ignore': 'A platform-ignore comment has no effect.',
    'manifest/ignore-without-reason': 'A platform-ignore comment does not give a reason.',
  }),
];
