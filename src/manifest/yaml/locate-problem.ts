import type { Path } from '../../diagnostics/model/rule.js';
import type { Entry, Node } from './tree.js';
import type { Range } from '../../diagnostics/model/diagnostic.js';
import { createLineIndex } from './line-starts.js';
import { readTree } from './read-tree.js';

export interface SourcePosition {
  start: number;
  end: number;
}

interface Step {
  node: Node;
  entry?: Entry;
}

/**
 * Returns the position of a path in the text. For a missing field, this is its parent's position: the parent's key, the
 * start of a list item, or the first line of the document.
 */
export function locate(root: Node | undefined, path: Path, at: 'key' | 'value'): SourcePosition {
  if (!root) return { start: 0, end: 0 };
  let step: Step = { node: root };
  for (const [depth, part] of path.entries()) {
    const next = stepInto(step.node, part);
    if (!next) return depth === 0 ? { start: 0, end: 0 } : headOf(step);
    step = next;
  }
  if (path.length === 0) return { start: 0, end: 0 };
  if (step.entry && (at === 'key' || step.node.start === step.node.end)) return keyOf(step.entry);
  return { start: step.node.start, end: step.node.end };
}

export function findEntry(root: Node | undefined, path: Path): Step | undefined {
  let step: Step | undefined = root && { node: root };
  for (const part of path) step = step && stepInto(step.node, part);
  return step;
}

function stepInto(node: Node, part: string | number): Step | undefined {
  if (node.kind === 'map') {
    const entry = node.entries.find(({ key }) => key === part);
    return entry && { node: entry.node, entry };
  }
  const item = node.kind === 'list' && typeof part === 'number' ? node.items[part] : undefined;
  return item && { node: item };
}

const headOf = ({ node, entry }: Step): SourcePosition =>
  entry ? keyOf(entry) : { start: node.start, end: node.end };

const keyOf = ({ keyStart, keyEnd }: Entry): SourcePosition => ({ start: keyStart, end: keyEnd });

/** Finds the positions of paths in the text of a manifest. If a path is missing, this is the position of its nearest parent. */
export function createLocator(text: string): (path: Path, at?: 'key' | 'value') => Range {
  const lines = createLineIndex(text);
  const { root } = readTree(text);
  return (path, at = 'value') => {
    const { start, end } = locate(root, path, at);
    return lines.range(start, Math.max(start, Math.min(end, lines.endOfLine(start))));
  };
}
