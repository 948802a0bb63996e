/** Returns the offset where each line starts. A byte order mark does not count as part of the first line. */
export const findLineStarts = (text: string): number[] => [
  text.startsWith('\uFEFF') ? 1 : 0,
  ...Array.from(text.matchAll(/\r\n|\r|\n/g), (match) => match.index + match[0].length),
];

/**
 * Converts an offset to a line and a column. A page can have 1,000 tags and a million lines, so lines are not counted again
 * for each tag.
 */
export function positionIn(lineStarts: readonly number[], offset: number): { line: number; column: number } {
  let [low, high] = [0, lineStarts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lineStarts[middle] ?? Infinity) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: Math.max(0, offset - (lineStarts[low] ?? 0)) + 1 };
}
