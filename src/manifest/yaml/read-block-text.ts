import { type Reader, skipBlank, type SourceLine } from './source-lines.js';
import type { Scalar } from './tree.js';

/** Reads a block scalar after `|` or `>`. Returns undefined if it contains spaces or empty lines with an unusual meaning. */
export function readBlockText(
  reader: Reader,
  line: SourceLine,
  start: number,
  indent: number,
): Scalar | undefined {
  const { text, lines } = reader;
  const header = text.slice(start, line.end);
  if (!/^[|>][-+]?$/.test(header)) return undefined;
  const block = findBlock(reader, indent);
  if (!block) return undefined;
  const content = block.lines.map((own) => lineText(text, own, block.indent));
  if (header.startsWith('>') && content.some((own) => own.startsWith(' '))) return undefined;
  reader.at += 1 + content.length;
  const before = reader.at;
  skipBlank(reader);
  if (header.endsWith('+') && (reader.at > before || reader.at === lines.length)) return undefined;
  const joined = header.startsWith('|') ? content.join('\n') : fold(content);
  const value = joined + (header.endsWith('-') ? '' : '\n');
  return { kind: 'scalar', value, style: 'block', start, end: block.lines.at(-1)?.end ?? start };
}

/** Finds the following lines that are indented further than `indent`, without empty lines at the end. */
function findBlock(
  { text, lines, at }: Reader,
  indent: number,
): { lines: readonly SourceLine[]; indent: number } | undefined {
  let blockIndent = 0;
  let last = at;
  for (let index = at + 1; ; index++) {
    const line = lines[index];
    if (!line) break;
    if (line.start + line.indent === line.end) {
      const spaces = line.break - line.start - (text.charCodeAt(line.break - 1) === 13 ? 1 : 0);
      if (spaces > blockIndent) return undefined;
      continue;
    }
    if (blockIndent === 0) {
      if (line.indent <= indent) return undefined;
      blockIndent = line.indent;
    } else if (line.indent < blockIndent) {
      if (line.indent > indent && !line.blank) return undefined;
      break;
    }
    last = index;
  }
  return last === at ? undefined : { lines: lines.slice(at + 1, last + 1), indent: blockIndent };
}

/** Spaces at the end of a line are part of the text. */
function lineText(text: string, line: SourceLine, indent: number): string {
  const from = line.start + indent;
  const content = text.slice(from, Math.max(from, line.break));
  return content.endsWith('\r') ? content.slice(0, -1) : content;
}

/** Joins the lines. Each empty line between two other lines becomes a line break. */
function fold(lines: readonly string[]): string {
  let folded = '';
  let breaks = 0;
  for (const [index, line] of lines.entries()) {
    if (line === '') breaks += 1;
    else {
      folded += breaks > 0 ? '\n'.repeat(breaks) : index > 0 ? ' ' : '';
      folded += line;
      breaks = 0;
    }
  }
  return folded;
}
