export interface SourceLine {
  start: number;
  /** The end of the text on the line, without its line break and the spaces before it. */
  end: number;
  break: number;
  indent: number;
  /** Whether the line contains only spaces or a comment. */
  blank: boolean;
}

/** A position in the lines of the text while they are being read. It only moves forward. */
export interface Reader {
  text: string;
  lines: readonly SourceLine[];
  /** The index of the next line to read. */
  at: number;
  depth: number;
}

const space = 32;
const hash = 35;
const carriageReturn = 13;

export function splitLines(text: string): SourceLine[] {
  const lines: SourceLine[] = [];
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const lineBreak = found < 0 ? text.length : found;
    let end = lineBreak;
    while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
    let first = start;
    while (first < end && text.charCodeAt(first) === space) first++;
    const blank = first === end || text.charCodeAt(first) === hash;
    lines.push({ start, end, break: lineBreak, indent: first - start, blank });
    start = lineBreak + 1;
  }
  return lines;
}

const isSpace = (code: number): boolean => code === space || code === carriageReturn;

export function skipBlank(reader: Reader): void {
  while (reader.lines[reader.at]?.blank) reader.at++;
}

export function skipSpaces(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === space) at++;
  return at;
}
