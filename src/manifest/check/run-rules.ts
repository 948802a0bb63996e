import type { Diagnostic } from '../../diagnostics/model/diagnostic.js';
import { isOneLetterOff } from '../../base/did-you-mean.js';
import { valueAt } from '../../base/value-at-path.js';
import { renderFix } from '../fix/apply-fixes.js';
import { profileOf } from '../../profiles/profile.js';
import type { DocumentKind } from './document-kind.js';
import { dropConsequences } from './drop-consequences.js';
import type { ManifestContext, ManifestFinding } from './rule-support/rule-context.js';
import { sortSchemaErrors, type SchemaErrorAt } from './rule-support/schema-errors.js';
import type { LineIndex } from '../yaml/line-starts.js';
import { findEntry, locate } from '../yaml/locate-problem.js';
import type { Node } from '../yaml/tree.js';

/** A document, read as a map of fields. */
export interface ReadDocument {
  file: string;
  text: string;
  lines: LineIndex;
  root: Node;
  content: Record<string, unknown>;
}

const maxFindings = 500;

/** What another platform may allow although this one does not, unless it looks like a misspelling of what both allow. */
const ownChoices = new Set(
  [
    'icon-not-square',
    'image-ending',
    'internal-scope',
    'key-of-other-type',
    'preview-size',
    'secret-expression',
    'unknown-category',
    'unknown-key',
    'unknown-property-type',
    'unknown-scope',
    'unknown-target',
  ].map((name) => `manifest/${name}`),
);

/** Returns the findings of the schema and the rules. Rules report only paths, so positions and edits are added here. */
export function runRules(
  document: ReadDocument,
  kind: DocumentKind,
  surroundings: Pick<ManifestContext, 'files' | 'variables'>,
): Diagnostic[] {
  const context = createContext(document, kind, surroundings);
  const diagnostics: Diagnostic[] = [];
  for (const { code, severity, check } of kind.rules) {
    const isOwnChoice = context.profile !== undefined && ownChoices.has(code);
    for (const finding of check(context)) {
      if (diagnostics.length === maxFindings) return [...diagnostics, tooMany(document)];
      const allowed = isOwnChoice && !isMisspelled(finding, context.value);
      diagnostics.push({ code, severity: allowed ? 'info' : severity, ...describe(finding, document) });
    }
  }
  return diagnostics;
}

/** Longer differences may be words that only the other platform knows. */
function isMisspelled({ fix, path = [], at }: ManifestFinding, content: unknown): boolean {
  if (fix?.kind !== 'rename' && fix?.kind !== 'replace') return false;
  return isOneLetterOff(fix.text, String(at === 'key' ? path.at(-1) : valueAt(content, path)));
}

function createContext(
  { file, content, root }: ReadDocument,
  kind: DocumentKind,
  surroundings: Pick<ManifestContext, 'files' | 'variables'>,
): ManifestContext {
  let byCode: Map<string, SchemaErrorAt[]> | undefined;
  if (!kind.validate(content)) {
    const codes = new Set(kind.rules.map(({ code }) => code));
    // An error that no rule describes is reported as an invalid value. Otherwise, it would be lost.
    const codeOf = (mistake: SchemaErrorAt): string => {
      const code = kind.codeOf(mistake, content);
      return codes.has(code) ? code : 'manifest/invalid-value';
    };
    byCode = sortSchemaErrors(kind.validate.errors ?? [], content, codeOf, kind.guide.keysAt);
    dropConsequences(byCode, root);
  }
  return {
    value: content,
    profile: profileOf(file),
    mistakes: (code) => byCode?.get(code) ?? [],
    guide: kind.guide,
    isPlain(path) {
      const node = findEntry(root, path)?.node;
      return node?.kind === 'scalar' && node.style === 'plain';
    },
    ...surroundings,
  };
}

function describe(
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
  message: `There are more than ${maxFindings} problems. Only the first ${maxFindings} are shown.`,
  help: 'Check that this is the right file.',
  file,
  range: lines.range(0, 0),
});
