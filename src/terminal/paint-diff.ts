import type { Style } from './style.js';

export const paintDiff = (diff: string, style: Style): string =>
  diff
    .split('\n')
    .map((line) => paintOf(line, style)(line))
    .join('\n');

function paintOf(line: string, style: Style): (text: string) => string {
  if (/^(?:---|\+\+\+) /.test(line)) return style.bold;
  if (line.startsWith('@@')) return style.cyan;
  if (line.startsWith('+')) return style.green;
  return line.startsWith('-') ? style.red : (text) => text;
}
