import { composeTree } from './compose-tree.js';
import { readPlainTree } from './read-plain-tree.js';
import type { Tree } from './tree.js';

export function readTree(text: string): Tree {
  const root = readPlainTree(text);
  return root ? { root, problems: [] } : composeTree(text);
}
