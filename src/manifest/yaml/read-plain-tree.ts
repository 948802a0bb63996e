import { resolvePlain } from './plain-scalar.js';
import { readBlockText } from './read-block-text.js';
import { readLineValue } from './read-line-value.js';
import { type Reader, skipBlank, skipSpaces, type SourceLine, splitLines } from './source-lines.js';
import type { Entry, ListNode, MapNode, Node } from './tree.js';

/**
 * Reads the YAML that most manifests use: block maps and lists, single-line strings, block scalars, and short lists in
 * brackets. Returns undefined for anything else, including errors, and leaves the text to the library. This function exists
 * because loading the library in a short-lived process takes longer than the rest of a check.
 */
export function readPlainTree(text: string): MapNode | undefined {
  if (unusual.test(text)) return undefined;
  const reader: Reader = { text, lines: splitLines(text), at: 0, depth: 0 };
  skipBlank(reader);
  if (text.startsWith('---', reader.lines[reader.at]?.start) && !skipDocumentStart(reader)) return undefined;
  const first = reader.lines[reader.at];
  if (!first) return undefined;
  const root = readMap(reader, first.indent);
  return root && reader.at === reader.lines.length ? root : undefined;
}

/** Matches tabs, control characters, byte order marks, unusual line breaks, and directives. */
const unusual = /(?![\n\r])[\p{Cc}\u2028\u2029\uFEFF]|\r(?!\n)|^%/mu;

function skipDocumentStart(reader: Reader): boolean {
  const line = reader.lines[reader.at];
  if (!line || line.end !== line.start + 3) return false;
  reader.at++;
  skipBlank(reader);
  return true;
}

const maxDepth = 20;
const hash = 35;
const dash = 45;
const colon = 58;

/** Reads the entries of a map with its keys in column `indent`. The first key may come after a dash. */
function readMap(reader: Reader, indent: number, firstKey?: number): MapNode | undefined {
  if (++reader.depth > maxDepth) return undefined;
  const entries: Entry[] = [];
  const keys = new Set<string>();
  let keyStart = firstKey;
  let line = reader.lines[reader.at];
  const start = keyStart ?? (line?.start ?? 0) + indent;
  while (line && (keyStart !== undefined || line.indent === indent)) {
    const entry = readEntry(reader, line, keyStart ?? line.start + indent, indent);
    if (!entry || keys.has(entry.key)) return undefined;
    keys.add(entry.key);
    entries.push(entry);
    keyStart = undefined;
    line = reader.lines[reader.at];
  }
  reader.depth--;
  if (line && line.indent > indent) return undefined;
  return { kind: 'map', entries, start, end: entries.at(-1)?.node.end ?? start };
}

const keyPattern = /[A-Za-z_$][\w$./-]*/y;

function readEntry(reader: Reader, line: SourceLine, keyStart: number, indent: number): Entry | undefined {
  const { text } = reader;
  keyPattern.lastIndex = keyStart;
  const key = keyPattern.exec(text)?.[0];
  if (key === undefined || key === '__proto__' || typeof resolvePlain(key) !== 'string') return undefined;
  const keyEnd = keyStart + key.length;
  if (text.charCodeAt(keyEnd) !== colon) return undefined;
  const value = skipSpaces(text, keyEnd + 1, line.end);
  if (value < line.end && value === keyEnd + 1) return undefined;
  const inline = value < line.end && text.charCodeAt(value) !== hash;
  const node = inline ? readInline(reader, line, value, indent) : readBelow(reader, keyEnd, indent);
  return node && { key, keyStart, keyEnd, node };
}

/** Reads the value on the lines below a key. If the value is a list, it may start in the same column as the key. */
function readBelow(reader: Reader, keyEnd: number, indent: number): Node | undefined {
  reader.at++;
  skipBlank(reader);
  const line = reader.lines[reader.at];
  const isList = line && isItem(reader.text, line);
  if (line && (line.indent > indent || (isList && line.indent === indent)))
    return isList ? readList(reader, line.indent) : readMap(reader, line.indent);
  return { kind: 'scalar', value: null, style: 'plain', start: keyEnd, end: keyEnd };
}

const isItem = (text: string, { start, end, indent }: SourceLine): boolean =>
  text.charCodeAt(start + indent) === dash &&
  (start + indent + 1 === end || text[start + indent + 1] === ' ');

function readList(reader: Reader, indent: number): ListNode | undefined {
  if (++reader.depth > maxDepth) return undefined;
  const { text, lines } = reader;
  const items: Node[] = [];
  let line = lines[reader.at];
  const start = (line?.start ?? 0) + indent;
  while (line && line.indent === indent && isItem(text, line)) {
    const value = skipSpaces(text, line.start + indent + 1, line.end);
    if (value >= line.end || text.charCodeAt(value) === hash) return undefined;
    const item = startsMap(text, value, line.end)
      ? readMap(reader, value - line.start, value)
      : readInline(reader, line, value, indent);
    if (!item) return undefined;
    items.push(item);
    line = lines[reader.at];
  }
  reader.depth--;
  if (line && line.indent > indent) return undefined;
  return { kind: 'list', items, start, end: items.at(-1)?.end ?? start };
}

function startsMap(text: string, at: number, lineEnd: number): boolean {
  keyPattern.lastIndex = at;
  const end = at + (keyPattern.exec(text)?.[0].length ?? 0);
  return end > at && text.charCodeAt(end) === colon && (end + 1 >= lineEnd || text[end + 1] === ' ');
}

/** Reads a value on the same line as its key or dash, which is in column `indent`. */
function readInline(reader: Reader, line: SourceLine, start: number, indent: number): Node | undefined {
  const first = reader.text[start];
  if (first === '|' || first === '>') return readBlockText(reader, line, start, indent);
  reader.at++;
  skipBlank(reader);
  const next = reader.lines[reader.at];
  if (next && next.indent > indent) return undefined;
  return readLineValue(reader.text, start, line.end);
}
