import type { Range, Severity, Source } from '../model/diagnostic.js';
import type { Style } from '../../terminal/style.js';
import { renderFrameLine, type Span } from '../../terminal/frame-line.js';

interface FrameOptions {
  style: Style;
  severity: Severity;
  /** Maximum width of the frame in terminal cells. */
  width: number;
}

export interface FrameSource {
  lines: readonly string[];
  masks: readonly Range[];
}

/** Splits text into lines the way positions count them: a carriage return without a line feed does not end a line. */
export const toFrameSource = ({ text, masks = [] }: Source): FrameSource => ({
  lines: text.split('\n').map((line) => line.replace(/\r$/, '')),
  masks,
});

/** If a range is longer than this, only its first two lines and its last line are shown. */
const longest = 4;

/** Shows the lines of a range, with one line before and one line after it, and underlines the range. */
export function renderCodeFrame(
  { lines, masks }: FrameSource,
  range: Range,
  { style, severity, width }: FrameOptions,
): string[] {
  // An empty or missing file has no lines to show.
  if (!lines.some(Boolean)) return [];
  const { first, last } = clampLines(range, lines.length);
  const digits = String(last + 1).length;
  const paint = severityPaint(style, severity);
  const frame: string[] = [];

  const show = (number: number): void => {
    const line = lines[number - 1];
    const marked = number >= first && number <= last;
    if (line === undefined || (!marked && !line.trim())) return;
    const span = marked ? spanOn(range, number, line, first === last) : undefined;
    const hidden = masks.flatMap((mask) => spanOn(mask, number, line, false) ?? []);
    const { text, mark } = renderFrameLine(line, {
      width: Math.max(20, width - digits - 5),
      masks: hidden,
      ...(span && { mark: span }),
    });
    const pointer = marked ? paint('>') : ' ';
    frame.push(`${pointer} ${style.dim(`${String(number).padStart(digits)} |`)} ${text}`.trimEnd());
    if (!mark) return;
    const under = `${' '.repeat(mark.offset)}${paint('^'.repeat(Math.max(1, mark.length)))}`;
    frame.push(`  ${style.dim(`${' '.repeat(digits)} |`)} ${under}`);
  };

  show(first - 1);
  const shown = last - first < longest ? last - first + 1 : longest - 2;
  for (let number = first; number < first + shown; number++) show(number);
  if (first + shown <= last) {
    frame.push(`  ${style.dim(`${'.'.repeat(digits)} |`)}`);
    show(last);
  }
  show(last + 1);
  return frame;
}

function clampLines({ start, end }: Range, count: number): { first: number; last: number } {
  const first = Math.min(Math.max(1, start.line), count);
  const endsBefore = end.column === 1 && end.line > start.line;
  return { first, last: Math.min(Math.max(first, endsBefore ? end.line - 1 : end.line), count) };
}

export const severityPaint = (style: Style, severity: Severity): ((text: string) => string) =>
  ({ error: style.red, warning: style.yellow, info: style.blue })[severity];

/** Returns the part of a range on the given line. If the range has several lines, omits indentation and trailing spaces. */
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
