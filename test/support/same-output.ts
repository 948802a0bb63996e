/** Replaces times, loopback addresses and ids, which differ in every run, and sizes, which differ in every version. */
export const steady = (output: string): string =>
  output
    .replaceAll(/\b[\d.,]+ ?(?:ms|s)\b/g, '12 ms')
    .replaceAll(/ +12 ms/g, ' 12 ms')
    // Two saves that follow each other closely are one build.
    .replaceAll(/( 12 ms {2})v\d+$/gm, '$1v1')
    .replaceAll(/[\d.]+\s+KB/g, '12.3 KB')
    .replaceAll(/\b127(?:\.\d+){3}:\d+/g, '127.0.0.1:4100')
    .replaceAll(/\blocalhost:\d+/g, 'localhost:4100')
    .replaceAll(/(Console .*):4100/g, '$1:54321')
    .replaceAll(/\b(call|evt|dlv|whe|rev|vis|task|tok)_[0-9A-Za-z]{4,}/g, '$1_1')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?/g, '2026-01-01T10:15:00')
    .replaceAll(/\d\d:\d\d:\d\d/g, '10:15:00')
    .replaceAll(/ +$/gm, '');

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** In expected output, `…` matches any text within a line, and a line with only `…` matches any lines. */
function patternOf(expected: string): string {
  const lines = steady(expected).split('\n');
  return lines
    .map((line, index) => {
      if (line.trim() === '…') return '(?:.*\\n)*?';
      const text = line.split('…').map(escape).join('.*');
      return index === lines.length - 1 ? text : `${text}\\n`;
    })
    .join('');
}

export const sameOutput = (expected: string, actual: string): boolean =>
  new RegExp(`^${patternOf(expected)}$`).test(steady(actual));

/** Finds the expected text in the output so far, after `from`. Returns the index after it in `steady` text, or -1. */
export function printedUntil(expected: string, soFar: string, from: number): number {
  const lines = steady(soFar.slice(0, soFar.lastIndexOf('\n') + 1));
  const found = new RegExp(patternOf(expected)).exec(lines.slice(from));
  return found ? from + found.index + found[0].length : -1;
}
