import type { Position } from '../../diagnostics/model/diagnostic.js';

/** Converts offsets to lines and columns. The text is split into lines only when the first position is needed. */
export type LineIndex = ReturnType<typeof createLineIndex>;

export function createLineIndex(text: string) {
  let starts: number[] | undefined;
  const lineStarts = (): number[] => (starts ??= findLineStarts(text));
  const position = (offset: number): Position => {
    const at = Math.min(offset, text.length);
    const line = lastAtOrBefore(lineStarts(), at);
    return { line: line + 1, column: at - (lineStarts()[line] ?? 0) + 1 };
  };
  return {
    position,
    range: (start: number, end: number) => ({ start: position(start), end: position(Math.max(start, end)) }),
    offset: ({ line, column }: Position) =>
      Math.min((lineStarts()[line - 1] ?? text.length) + column - 1, text.length),
    endOfLine(offset: number) {
      const found = text.indexOf('\n', offset);
      const end = found < 0 ? text.length : found;
      return end > offset && text[end - 1] === '\r' ? end - 1 : end;
    },
  };
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lastAtOrBefore(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? Infinity) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
