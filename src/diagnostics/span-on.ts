import type { Range } from './diagnostic.js';
import type { Span } from '../terminal/frame-line.js';

/** The part of a range on one line, without indentation and trailing space where it goes over several. */
export function spanOn(
  { start, end }: Range,
  number: number,
  line: string,
  empty: boolean,
): Span | undefined {
  if (number < start.line || number > end.line)
    return empty ? { from: line.length, to: line.length } : undefined;
  const indent = line.length - line.trimStart().length;
  const from = number === start.line ? start.column - 1 : indent;
  const to = number === end.line ? end.column - 1 : line.trimEnd().length;
  return to > from || empty ? { from: Math.min(from, line.length), to } : undefined;
}
