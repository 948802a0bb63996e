import type { Node } from './tree.js';

/** The document as JSON values. No key of it can reach a prototype: the tree holds no `__proto__`. */
export function toValue(node: Node): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toValue);
  const value: Record<string, unknown> = {};
  for (const entry of node.entries) value[entry.key] = toValue(entry.node);
  return value;
}
