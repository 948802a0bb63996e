import type { Diagnostic, FixedProblem, Position, Range, Source } from '../../../diagnostics/index.js';

/** Returns the diagnostics in the order of their fixes, omitting fixes that overlap with an earlier one. */
export function withoutOverlaps(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const kept: Diagnostic[] = [];
  let end: Position = { line: 1, column: 1 };
  const sorted = diagnostics.toSorted((a, b) => compare(rangeOfFix(a).start, rangeOfFix(b).start));
  for (const diagnostic of sorted) {
    const range = rangeOfFix(diagnostic);
    if (compare(range.start, end) < 0) continue;
    kept.push(diagnostic);
    end = range.end;
  }
  return kept;
}

/** Describes what a fix changes in its original text. */
export function describeFix(diagnostic: Diagnostic, { text, masks = [] }: Source): FixedProblem[] {
  const { code, message, fix: [edit] = [] } = diagnostic;
  if (!edit) return [];
  const isSecret = masks.some(
    (mask) => compare(mask.start, edit.range.end) < 0 && compare(edit.range.start, mask.end) < 0,
  );
  const change = { before: trim(textIn(text, edit.range)), after: trim(edit.text) };
  return [{ code, message, range: edit.range, ...(!isSecret && change) }];
}

/** Renders a sentence such as `Replaced name with title.` */
export function renderChange({ before, after }: Pick<FixedProblem, 'before' | 'after'>): string {
  if (before === undefined || after === undefined) return 'Changed a value that may be a secret.';
  if (after === '') return `Removed ${before}.`;
  return before === '' ? `Added ${after}.` : `Replaced ${before} with ${after}.`;
}

/** Every fix has exactly one edit. */
const rangeOfFix = ({ fix: [edit] = [] }: Diagnostic): Range =>
  edit?.range ?? { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };

const compare = (a: Position, b: Position): number => a.line - b.line || a.column - b.column;

function textIn(text: string, { start, end }: Range): string {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
    )
    .join('\n');
}

/** Removes line breaks and separators around the text, because they are not part of the value. */
const trim = (text: string): string => text.replace(/^[\s,]+|(?<![\s,])[\s,]+$/g, '');
