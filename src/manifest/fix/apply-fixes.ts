import type { Diagnostic, Edit } from '../../diagnostics/model/diagnostic.js';
import type { Path } from '../../diagnostics/model/rule.js';
import type { Fix } from '../check/rule-support/rule-context.js';
import { createLineIndex, type LineIndex } from '../yaml/line-starts.js';
import { findEntry } from '../yaml/locate-problem.js';
import { yamlText } from './yaml-literal.js';
import type { MapNode, Node, Span } from '../yaml/tree.js';

/** Applies every fix that does not overlap with an earlier one. All other bytes stay unchanged. */
export function applyFixes(text: string, diagnostics: readonly Diagnostic[]): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const plain = text.slice(mark.length);
  const lines = createLineIndex(plain);
  const edits = diagnostics
    .flatMap(({ fix = [] }) => fix)
    .map(({ range, text }) => ({ start: lines.offset(range.start), end: lines.offset(range.end), text }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  let result = mark;
  let at = 0;
  for (const edit of edits) {
    if (edit.start < at) continue;
    result += plain.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + plain.slice(at);
}

interface Source {
  text: string;
  root: Node | undefined;
  lines: LineIndex;
}

/** Returns the edit for a fix, or undefined if it would change too much. */
export function renderFix(fix: Fix, path: Path, { text, root, lines }: Source): Edit | undefined {
  const change = changeFor(fix, path, text, root);
  return change && { range: lines.range(change.start, change.end), text: change.text };
}

interface Change extends Span {
  text: string;
}

function changeFor(fix: Fix, path: Path, text: string, root: Node | undefined): Change | undefined {
  if (fix.kind === 'add') return addEntry(fix.key, fix.value, text, root);
  const found = findEntry(root, path);
  if (!found) return undefined;
  const { node, entry } = found;
  switch (fix.kind) {
    case 'rename':
      return entry && replaceText({ start: entry.keyStart, end: entry.keyEnd }, fix.text, text);
    case 'replace':
      return node.kind === 'scalar' && node.style !== 'block' ? replaceText(node, fix.text, text) : undefined;
    case 'quote':
      return { start: node.start, end: node.end, text: JSON.stringify(text.slice(node.start, node.end)) };
    case 'remove':
      return removeItem(path, text, root);
  }
}

function replaceText({ start, end }: Span, replacement: string, text: string): Change | undefined {
  const quote = text[start];
  if (quote === '"' || quote === "'") {
    if (/["'\\]/.test(replacement)) return undefined;
    return { start, end, text: quote + replacement + quote };
  }
  return { start, end, text: yamlText(replacement) };
}

/** Removes an item from a block list together with its line, or an item from a flow list together with the comma before it. */
function removeItem(path: Path, text: string, root: Node | undefined): Change | undefined {
  const index = Number(path.at(-1));
  const list = findEntry(root, path.slice(0, -1))?.node;
  const item = list?.kind === 'list' ? list.items[index] : undefined;
  const before = list?.kind === 'list' ? list.items[index - 1] : undefined;
  if (!item || !before || !list) return undefined;
  if (text[list.start] === '[') {
    const comma = /^\s*,\s*$/.test(text.slice(before.end, item.start));
    return comma ? { start: before.end, end: item.end, text: '' } : undefined;
  }
  const lineStart = text.lastIndexOf('\n', item.start - 1) + 1;
  const found = text.indexOf('\n', item.end);
  const lineEnd = found < 0 ? text.length : found;
  const alone =
    /^\s*-\s+$/.test(text.slice(lineStart, item.start)) && /^\s*$/.test(text.slice(item.end, lineEnd));
  if (!alone) return undefined;
  return found < 0
    ? { start: text.endsWith('\r', lineStart - 1) ? lineStart - 2 : lineStart - 1, end: lineEnd, text: '' }
    : { start: lineStart, end: lineEnd + 1, text: '' };
}

/** Adds a line after the short fields that usually come first in a manifest, such as `name` and `title`. */
function addEntry(key: string, value: string, text: string, root: Node | undefined): Change | undefined {
  if (root?.kind !== 'map' || text[root.start] === '{') return undefined;
  const neighbour = lastShortEntry(root);
  if (!neighbour) return undefined;
  const lines = createLineIndex(text);
  const at = lines.endOfLine(neighbour.node.end);
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = ' '.repeat(lines.position(neighbour.keyStart).column - 1);
  return { start: at, end: at, text: `${lineBreak}${indent}${key}: ${value}` };
}

const lastShortEntry = (root: MapNode): MapNode['entries'][number] | undefined =>
  root.entries.findLast(
    ({ key, node }) =>
      ['name', 'title', 'description', 'organization'].includes(key) &&
      node.kind === 'scalar' &&
      node.style !== 'block',
  );
