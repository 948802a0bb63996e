import { diffArrays } from 'diff';

/** A line that is in the old text, the new text, or both. */
export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
  /**
   * Line numbers in the old and the new text, starting at 1. For an added line, `before` is the number of the preceding line
   * in the old text. For a removed line, `after` is the number of the preceding line in the new text.
   */
  before: number;
  after: number;
}

/**
 * Comparing takes time proportional to the square of the number of changed lines. If more lines than this have
 * changed, the diff shows all lines as removed and added.
 */
const maxEdits = 1500;

export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  const push = (kind: DiffLine['kind'], texts: readonly string[]): void => {
    for (const text of texts) {
      const { before: i, after: j } = lines.at(-1) ?? { before: 0, after: 0 };
      lines.push({ kind, text, before: kind === 'added' ? i : i + 1, after: kind === 'removed' ? j : j + 1 });
    }
  };
  const head = countSame(before, after, (index) => index);
  const tail = countSame(before.slice(head), after.slice(head), (index) => -1 - index);
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  const changes = diffArrays(removed, added, { maxEditLength: maxEdits }) ?? [
    { removed: true, added: false, value: removed },
    { removed: false, added: true, value: added },
  ];
  push('same', before.slice(0, head));
  for (const change of changes) push(kindOf(change), change.value);
  push('same', before.slice(before.length - tail));
  return lines;
}

const kindOf = (change: { removed: boolean; added: boolean }): DiffLine['kind'] =>
  change.removed ? 'removed' : change.added ? 'added' : 'same';

function countSame(a: readonly string[], b: readonly string[], at: (index: number) => number): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a.at(at(count)) === b.at(at(count))) count++;
  return count;
}

/** Returns the changed lines with some lines of context. Longer runs of unchanged lines are replaced with a count. */
export function foldSame(lines: readonly DiffLine[], context = 3): (DiffLine | { skipped: number })[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ kind }) => kind !== 'same'),
  );
  const folded: (DiffLine | { skipped: number })[] = [];
  lines.forEach((line, index) => {
    const last = folded.at(-1);
    if (near[index]) folded.push(line);
    else if (last && 'skipped' in last) last.skipped += 1;
    else folded.push({ skipped: 1 });
  });
  return folded;
}
