import type { Diagnostic, Range, Source } from '../../diagnostics/diagnostic.js';
import { sortDiagnostics } from '../../diagnostics/report/sort-diagnostics.js';
import { documentCodes } from './document-codes.js';
import type { DocumentKind } from './document-kind.js';
import { findMasks } from './secret-positions.js';
import type { ReadSource } from '../read/text-problems.js';
import type { ManifestContext } from './rule-context.js';
import { runRules } from './run-rules.js';
import { applySuppressions } from './ignore-comments.js';
import { isRecord } from '../../base/value-at-path.js';
import { createLineIndex, type LineIndex } from '../yaml/line-index.js';
import { readTree } from '../yaml/read-tree.js';
import { toValue } from '../yaml/to-value.js';
import type { Node, Problem } from '../yaml/tree.js';

export interface CheckedDocument {
  /** Undefined where the text holds no map of fields. */
  value: Record<string, unknown> | undefined;
  diagnostics: Diagnostic[];
  source: Source;
}

/** From text to findings: the form of the text, then its schema and rules, then what comments silence. */
export function checkDocument(
  file: string,
  { text, problems: reading }: ReadSource,
  kind: DocumentKind,
  surroundings: Pick<ManifestContext, 'files' | 'variables'> = {},
): CheckedDocument {
  const lines = createLineIndex(text);
  const { root, problems } = reading.some(isFatal) ? { problems: [] } : readTree(text);
  const form = [...reading, ...problems].map((problem) => toDiagnostic(problem, file, lines.range));
  const content = root && toValue(root);
  if (!root || !isRecord(content)) {
    if (!form.some(({ severity }) => severity === 'error')) {
      const told = notAMap(kind.name, root, lines.endOfLine(root?.start ?? 0));
      form.push(toDiagnostic(told, file, lines.range));
    }
    return finish(undefined, form, { text, root, lines });
  }
  const found = [...form, ...runRules({ file, text, lines, root, content }, kind, surroundings)];
  const codes = [...documentCodes, ...kind.rules].map(({ code }) => code);
  return finish(content, applySuppressions(found, { file, text, lines }, codes), { text, root, lines });
}

/** What may not be shown is only looked for where something is shown. */
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
  const help = 'Write its fields, each on a line: `key: value`.';
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
