import { visibleLines } from '../base/escape-control-characters.js';
import { textWidth } from './text-width.js';

/**
 * Wraps text at `width` cells per line. `used` cells of the first line are already taken. Line breaks and leading spaces are
 * kept, and long words are not split.
 */
export function wrapText(text: string, width: number, used = 0): string[] {
  return visibleLines(text).flatMap((line, index) => wrapLine(line, width, index === 0 ? used : 0));
}

function wrapLine(line: string, width: number, used: number): string[] {
  if (used + textWidth(line) <= width) return [line];
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = '';
  let room = width - used;
  for (const word of line.trim().split(/ +/)) {
    const longer = current ? `${current} ${word}` : `${indent}${word}`;
    if ((current || room < width) && textWidth(longer) > room) {
      lines.push(current);
      current = `${indent}${word}`;
      room = width;
    } else current = longer;
  }
  return [...lines, current];
}
