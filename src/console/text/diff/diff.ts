export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
  before?: number;
  after?: number;
}

/** Beyond this many changed lines the shortest script is not looked for: all out, all in. */
const mostEdits = 1500;

export function diffLines(before: string, after: string): DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;

  const lines: DiffLine[] = [];
  const push = (kind: DiffLine['kind'], i: number, j: number): void => {
    const text = (kind === 'added' ? b[j] : a[i]) ?? '';
    lines.push({
      kind,
      text,
      ...(kind !== 'added' && { before: i + 1 }),
      ...(kind !== 'removed' && { after: j + 1 }),
    });
  };
  for (let i = 0; i < head; i += 1) push('same', i, i);
  let [i, j] = [head, head];
  for (const kind of editScript(a.slice(head, a.length - tail), b.slice(head, b.length - tail))) {
    push(kind, i, j);
    if (kind !== 'added') i += 1;
    if (kind !== 'removed') j += 1;
  }
  for (; i < a.length; i += 1, j += 1) push('same', i, j);
  return lines;
}

/** Myers' greedy search, forwards; the way back is read from the kept frontiers. */
function editScript(a: readonly string[], b: readonly string[]): DiffLine['kind'][] {
  const frontiers: Map<number, number>[] = [];
  const frontier = new Map<number, number>([[1, 0]]);
  const most = Math.min(a.length + b.length, mostEdits);
  for (let edits = 0; edits <= most; edits += 1) {
    frontiers.push(new Map(frontier));
    for (let k = -edits; k <= edits; k += 2) {
      let x = comesFromAbove(frontier, k, edits) ? at(frontier, k + 1) : at(frontier, k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      frontier.set(k, x);
      if (x >= a.length && x - k >= b.length) return wayBack(frontiers, a.length, b.length);
    }
  }
  return [...a.map(() => 'removed' as const), ...b.map(() => 'added' as const)];
}

const at = (frontier: Map<number, number>, k: number): number => frontier.get(k) ?? -1;

const comesFromAbove = (frontier: Map<number, number>, k: number, edits: number): boolean =>
  k === -edits || (k !== edits && at(frontier, k - 1) < at(frontier, k + 1));

function wayBack(frontiers: Map<number, number>[], width: number, height: number): DiffLine['kind'][] {
  const script: DiffLine['kind'][] = [];
  let [x, y] = [width, height];
  for (let edits = frontiers.length - 1; edits >= 0; edits -= 1) {
    const frontier = frontiers[edits] ?? new Map<number, number>();
    const k = x - y;
    const above = comesFromAbove(frontier, k, edits);
    const fromX = edits === 0 ? 0 : at(frontier, above ? k + 1 : k - 1);
    const fromY = edits === 0 ? 0 : fromX - (above ? k + 1 : k - 1);
    while (x > fromX && y > fromY) {
      script.push('same');
      x -= 1;
      y -= 1;
    }
    if (edits > 0) script.push(above ? 'added' : 'removed');
    [x, y] = [fromX, fromY];
  }
  return script.reverse();
}

/** Runs of unchanged lines longer than twice `context` shrink to a count. */
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
