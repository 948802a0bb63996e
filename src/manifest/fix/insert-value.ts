import { createLineIndex } from '../yaml/line-starts.js';
import { readTree } from '../yaml/read-tree.js';
import type { Entry, ListNode, MapNode, Node, Span } from '../yaml/tree.js';
import { yamlText } from './yaml-literal.js';

export type YamlValue =
  | string
  | number
  | boolean
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue };

/**
 * Inserts a value at a path. In the path, `-` represents a new list item. Missing parents are created. All other bytes stay
 * unchanged.
 */
export function insertValue(text: string, path: readonly string[], value: YamlValue): string {
  const { root } = readTree(text);
  if (root?.kind !== 'map') throw new Error('Values can only be inserted into a map.');
  const { start, end, replacement } = insertInto({ text, node: root, indent: 0 }, path, value);
  return text.slice(0, start) + replacement + text.slice(end);
}

interface Change {
  start: number;
  end: number;
  replacement: string;
}

interface Container {
  text: string;
  node: Node;
  /** The key of the container. The document itself has no key. */
  entry?: Entry;
  /** The column where the container's keys start, or would start if it had any. */
  indent: number;
}

function insertInto(container: Container, path: readonly string[], value: YamlValue): Change {
  const [key = '', ...rest] = path;
  const { text, node } = container;
  if (node.kind === 'map') {
    const entry = node.entries.find((candidate) => candidate.key === key);
    if (!entry) return addTo(container, node, key, wrap(rest, value));
    if (rest.length === 0) throw new Error(`${key} already exists.`);
    return insertInto({ text, node: entry.node, entry, indent: childIndent(text, entry) }, rest, value);
  }
  if (node.kind === 'list' && key === '-') return addTo(container, node, key, wrap(rest, value));
  if (node.kind === 'scalar' && node.value === null) return fillEmpty(container, wrap(path, value));
  throw new Error(`${key} cannot be added to ${container.entry?.key}.`);
}

/** Adds any keys missing on the path to the value. */
const wrap = (path: readonly string[], value: YamlValue): YamlValue =>
  path.reduceRight<YamlValue>((inner, key) => (key === '-' ? [inner] : { [key]: inner }), value);

function addTo(container: Container, node: MapNode | ListNode, key: string, value: YamlValue): Change {
  const { text } = container;
  const last = node.kind === 'map' ? node.entries.at(-1) : node.items.at(-1);
  const flow = text[node.start] === '{' || text[node.start] === '[';
  const added: YamlValue = key === '-' ? [value] : { [key]: value };
  const hasComment = flow && /\s#/.test(text.slice(node.start, node.end));
  if (!last && !hasComment) return fillEmpty(container, added);
  if (flow) return addBehind(text, node, last && spanOf(text, last), JSON.stringify(added).slice(1, -1));
  const indent = columnOf(text, node.start);
  const blankLine = container.entry === undefined && typeof value === 'object' ? lineBreakOf(text) : '';
  return behind(text, node.end, blankLine + renderLines(text, added, indent));
}

/** The colon of an entry without a value belongs to it. */
function spanOf(text: string, last: Node | Entry): Span {
  if (!('key' in last)) return last;
  const { keyStart, keyEnd, node } = last;
  const colon = /^\s*:/.exec(text.slice(keyEnd))?.[0].length ?? 0;
  return { start: keyStart, end: Math.max(node.end, keyEnd + colon) };
}

/** Adds an item behind the last one in brackets, on its own line if the closing bracket is on its own line. */
function addBehind(text: string, brackets: Node, last: Span | undefined, inside: string): Change {
  const from = last?.end ?? brackets.start + 1;
  const rest = text.slice(from, brackets.end - 1);
  const comma = last && /^(?:\s|#.*$)*,/m.exec(rest)?.[0];
  const missing = last && comma === undefined ? ',' : '';
  if (!rest.slice(comma?.length).includes('\n')) {
    const at = from + (comma?.length ?? 0);
    return { start: at, end: at, replacement: `${missing} ${inside}` };
  }
  const begin = last?.start ?? brackets.start + 1;
  const line = text.slice(text.lastIndexOf('\n', begin - 1) + 1, begin);
  const indent = (/^ */.exec(line)?.[0] ?? '') + (line.length >= begin - brackets.start ? '  ' : '');
  const between = missing + rest.trimEnd() + lineBreakOf(text) + indent;
  return {
    start: from,
    end: from + rest.trimEnd().length,
    replacement: `${between}${inside}${comma === undefined ? '' : ','}`,
  };
}

function fillEmpty({ text, node, entry, indent }: Container, value: YamlValue): Change {
  const keyEnd = entry ? text.indexOf(':', entry.keyEnd) + 1 : node.start;
  const lines = renderLines(text, value, indent);
  if (node.start === node.end) return behind(text, keyEnd, lines);
  return { start: keyEnd, end: node.end, replacement: lines };
}

/** Inserts a value on a new line, below the last line with text before this offset. */
function behind(text: string, offset: number, replacement: string): Change {
  const last = text.slice(0, offset).trimEnd().length;
  const at = createLineIndex(text).endOfLine(last);
  return { start: at, end: at, replacement };
}

const lineBreakOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1);

const childIndent = (text: string, { keyStart, node }: Entry): number =>
  node.kind === 'scalar' || text[node.start] === '{' || text[node.start] === '['
    ? columnOf(text, keyStart) + 2
    : columnOf(text, node.start);

const renderLines = (text: string, value: YamlValue, indent: number): string =>
  linesOf(value)
    .map((line) => `${lineBreakOf(text)}${' '.repeat(indent)}${line}`)
    .join('');

function linesOf(value: YamlValue): string[] {
  if (typeof value !== 'object') return [typeof value === 'string' ? yamlText(value) : String(value)];
  if (isList(value))
    return value.flatMap((item) => linesOf(item).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`));
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'object' && !isEmpty(item)
      ? [`${key}:`, ...linesOf(item).map((line) => `  ${line}`)]
      : [`${key}: ${typeof item === 'object' ? '[]' : linesOf(item)[0]}`],
  );
}

const isList = (value: YamlValue): value is readonly YamlValue[] => Array.isArray(value);
const isEmpty = (value: object): boolean => Object.keys(value).length === 0;
