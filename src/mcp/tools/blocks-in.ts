import type { TagNode } from '../../protocol/page/page-tree.js';

type BlockTag = Extract<TagNode, { type: 'block' }>;

const isNode = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Returns the integration blocks on a page, in order of appearance. */
export function blocksIn(node: unknown): BlockTag[] {
  if (!isNode(node)) return [];
  const found = node['kind'] === 'tag' && node['type'] === 'block' ? [node as unknown as BlockTag] : [];
  return [...found, ...Object.values(node).flatMap(blocksIn)];
}
