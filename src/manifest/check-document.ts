import type { Diagnostic, Range, Source } from '../diagnostics/diagnostic.js';
import { sortDiagnostics } from '../diagnostics/order.js';
import { dropConsequences } from './consequences.js';
import { documentCodes } from './document-codes.js';
import { renderFix } from './fixes.js';
import type { SchemaError } from './generated/validate-manifest.js';
import { findMasks } from './masks.js';
import type { ReadSource } from './read-source.js';
import type { ManifestContext, ManifestFinding, ManifestRule } from './rule-context.js';
import type { SchemaGuide } from './schema-guide.js';
import { type SchemaMistake, sortSchemaErrors } from './schema-mistakes.js';
import { applySuppressions } from './suppressions.js';
import { isRecord } from './values.js';
import { composeTree } from './yaml/compose-tree.js';
import { createLineIndex } from './yaml/line-index.js';
import { findEntry, locate } from './yaml/locate.js';
import { toValue } from './yaml/to-value.js';
import type { Problem } from './yaml/tree.js';

/** What makes a kind of document: its schema, and the rules beyond it. */
export interface DocumentKind {
  /** As it stands in messages: "manifest". */
  name: string;
  validate: ((value: unknown) => boolean) & { errors?: SchemaError[] | null };
  codeOf(mistake: SchemaMistake, value: unknown): string;
  rules: readonly ManifestRule[];
  guide: SchemaGuide;
}

export interface CheckedDocument {
  /** Undefined where the text holds no map of fields. */
  value: Record<string, unknown> | undefined;
  diagnostics: Diagnostic[];
  source: Source;
}

const maxFindings = 500;

export function checkDocument(
  file: string,
  { text, problem: broken }: ReadSource,
  kind: DocumentKind,
  surroundings: Pick<ManifestContext, 'files' | 'variables'> = {},
): CheckedDocument {
  const lines = createLineIndex(text);
  const { root, problems } = broken ? { problems: [broken] } : composeTree(text);
  const spans = findMasks(text, root);
  const masks = spans.map(({ start, end }) => lines.range(start, end));
  const source: Source = { text, ...(masks.length > 0 && { masks }) };
  const diagnostics = problems.map((problem) => toDiagnostic(problem, file, lines.range));
  const content = root && toValue(root);
  if (!root || !isRecord(content)) {
    if (diagnostics.length === 0) {
      const start = root?.start ?? 0;
      const told = notAMap(kind.name, content, start, Math.max(start, lines.endOfLine(start)));
      diagnostics.push(toDiagnostic(told, file, lines.range));
    }
    return { value: undefined, diagnostics, source };
  }

  let byCode: Map<string, SchemaMistake[]> | undefined;
  if (!kind.validate(content)) {
    byCode = sortSchemaErrors(kind.validate.errors ?? [], content, (mistake) =>
      kind.codeOf(mistake, content),
    );
    dropConsequences(byCode);
  }
  const context: ManifestContext = {
    value: content,
    mistakes: (code) => byCode?.get(code) ?? [],
    guide: kind.guide,
    isPlain(path) {
      const node = findEntry(root, path)?.node;
      return node?.kind === 'scalar' && node.style === 'plain';
    },
    ...surroundings,
  };
  const place = (finding: ManifestFinding): Range => {
    const { start, end } = locate(root, finding.path ?? [], finding.at ?? 'value');
    return lines.range(start, Math.max(start, Math.min(end, lines.endOfLine(start))));
  };
  for (const rule of kind.rules) {
    for (const finding of rule.check(context)) {
      const { message, help, fix, path = [] } = finding;
      const edit = fix && renderFix(fix, path, { text, root, lines });
      diagnostics.push({
        code: rule.code,
        severity: rule.severity,
        message,
        ...(help && { help }),
        file,
        range: place(finding),
        ...(edit && { fix: [edit] }),
      });
      if (diagnostics.length >= maxFindings) break;
    }
  }
  const codes = [...documentCodes, ...kind.rules].map(({ code }) => code);
  const kept = applySuppressions(diagnostics, { file, text, lines }, codes);
  return { value: content, diagnostics: sortDiagnostics(kept), source };
}

function toDiagnostic(
  { code, message, help, start, end }: Problem,
  file: string,
  range: (start: number, end: number) => Range,
): Diagnostic {
  const severity = documentCodes.find((known) => known.code === code)?.severity ?? 'error';
  return { code, severity, message, ...(help && { help }), file, range: range(start, end) };
}

function notAMap(name: string, content: unknown, start: number, end: number): Problem {
  return content === undefined || content === null
    ? {
        code: 'manifest/empty-document',
        message: `The ${name} is empty.`,
        help: 'Write its fields, each on a line: `key: value`.',
        start: 0,
        end: 0,
      }
    : {
        code: 'manifest/wrong-type',
        message: `The ${name} must be a map of keys and values, not ${Array.isArray(content) ? 'a list' : 'a single value'}.`,
        help: 'Write its fields, each on a line: `key: value`.',
        start,
        end,
      };
}
