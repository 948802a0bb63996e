import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { dropConsequences } from './drop-consequences.js';
import { renderFix } from '../fix/apply-fixes.js';
import type { DocumentKind } from './document-kind.js';
import type { ManifestContext, ManifestFinding } from './rule-context.js';
import { type SchemaMistake, sortSchemaErrors } from './schema-errors.js';
import type { LineIndex } from '../yaml/line-index.js';
import { findEntry, locate } from '../yaml/locate-node.js';
import type { Node } from '../yaml/tree.js';

/** A document that could be read as a map of fields. */
export interface ReadDocument {
  file: string;
  text: string;
  lines: LineIndex;
  root: Node;
  content: Record<string, unknown>;
}

const maxFindings = 500;

/** What the schema and the rules of a kind find. The rules speak of paths; positions and edits are added here. */
export function runRules(
  document: ReadDocument,
  kind: DocumentKind,
  surroundings: Pick<ManifestContext, 'files' | 'variables'>,
): Diagnostic[] {
  const context = createContext(document, kind, surroundings);
  const diagnostics: Diagnostic[] = [];
  for (const { code, severity, check } of kind.rules) {
    for (const finding of check(context)) {
      if (diagnostics.length === maxFindings) return [...diagnostics, tooMany(document)];
      diagnostics.push({ code, severity, ...place(finding, document) });
    }
  }
  return diagnostics;
}

function createContext(
  { content, root }: ReadDocument,
  kind: DocumentKind,
  surroundings: Pick<ManifestContext, 'files' | 'variables'>,
): ManifestContext {
  let byCode: Map<string, SchemaMistake[]> | undefined;
  if (!kind.validate(content)) {
    const codeOf = (mistake: SchemaMistake): string => kind.codeOf(mistake, content);
    byCode = sortSchemaErrors(kind.validate.errors ?? [], content, codeOf);
    dropConsequences(byCode);
  }
  return {
    value: content,
    mistakes: (code) => byCode?.get(code) ?? [],
    guide: kind.guide,
    isPlain(path) {
      const node = findEntry(root, path)?.node;
      return node?.kind === 'scalar' && node.style === 'plain';
    },
    ...surroundings,
  };
}

function place(
  { message, help, fix, path = [], at = 'value' }: ManifestFinding,
  { file, text, lines, root }: ReadDocument,
): Omit<Diagnostic, 'code' | 'severity'> {
  const { start, end } = locate(root, path, at);
  const range = lines.range(start, Math.max(start, Math.min(end, lines.endOfLine(start))));
  const edit = fix && renderFix(fix, path, { text, root, lines });
  return { message, ...(help && { help }), file, range, ...(edit && { fix: [edit] }) };
}

const tooMany = ({ file, lines }: ReadDocument): Diagnostic => ({
  code: 'manifest/too-many-findings',
  severity: 'error',
  message: `There are more than ${maxFindings} findings; the others are left out.`,
  help: 'Is it the right file?',
  file,
  range: lines.range(0, 0),
});
