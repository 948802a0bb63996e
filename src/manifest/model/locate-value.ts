import type { Range } from '../../diagnostics/diagnostic.js';
import type { Path } from '../../diagnostics/rule.js';
import { createLineIndex } from '../yaml/line-index.js';
import { locate } from '../yaml/locate-node.js';
import { readTree } from '../yaml/read-tree.js';

/** Where paths are in the text of a manifest; the nearest parent where one is missing. */
export function createLocator(text: string): (path: Path, at?: 'key' | 'value') => Range {
  const lines = createLineIndex(text);
  const { root } = readTree(text);
  return (path, at = 'value') => {
    const { start, end } = locate(root, path, at);
    return lines.range(start, Math.max(start, Math.min(end, lines.endOfLine(start))));
  };
}
