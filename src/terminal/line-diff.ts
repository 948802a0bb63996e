/** One line of the old text, of the new one, or of both. */
export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  /** Numbers from 1 in the old and the new text. */
  before: number;
  after: number;
}

/** The shortest way from one list of lines to the other (Myers' greedy algorithm). */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const furthest = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let edits = 0; ; edits++) {
    trace.push(new Map(furthest));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOf(furthest, diagonal, edits);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      furthest.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length)
        return walkBack(trace, before.length, after.length);
    }
  }
}

/** Down (a line is added) or right (a line is removed), from whichever neighbour came further. */
const startOf = (furthest: Map<number, number>, diagonal: number, edits: number): number =>
  isDown(furthest, diagonal, edits) ? at(furthest, diagonal + 1) : at(furthest, diagonal - 1) + 1;

const isDown = (furthest: Map<number, number>, diagonal: number, edits: number): boolean =>
  diagonal === -edits || (diagonal !== edits && at(furthest, diagonal - 1) < at(furthest, diagonal + 1));

const at = (furthest: Map<number, number>, diagonal: number): number => furthest.get(diagonal) ?? -1;

function walkBack(trace: readonly Map<number, number>[], oldLength: number, newLength: number): DiffLine[] {
  const lines: DiffLine[] = [];
  let x = oldLength;
  let y = newLength;
  const same = (until: number): void => {
    for (; x > until; x--, y--) lines.push({ kind: 'same', before: x, after: y });
  };
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const furthest = trace[edits] ?? new Map<number, number>();
    const start = startOf(furthest, x - y, edits);
    const down = isDown(furthest, x - y, edits);
    same(start);
    lines.push({ kind: down ? 'added' : 'removed', before: x, after: y });
    if (down) y--;
    else x--;
  }
  same(0);
  return lines.reverse();
}
