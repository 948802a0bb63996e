/** Removes the common indentation, so that more of the marked line fits in a narrow frame. */
export function dedent(lines: readonly string[]): { lines: string[]; removed: number } {
  const indentations = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0] ?? '');
  const [first = '', ...rest] = indentations;
  let removed = first.length;
  while (!rest.every((one) => one.startsWith(first.slice(0, removed)))) removed -= 1;
  return { lines: lines.map((line) => line.slice(removed)), removed };
}
