/** A parsed document as plain data. Offsets count UTF-16 units into the text; `end` is behind the last one. */
export type Node = Scalar | MapNode | ListNode;

export interface Span {
  start: number;
  end: number;
}

export interface Scalar extends Span {
  kind: 'scalar';
  /** The position of the value if this is an alias. */
  target?: Span;
  value: string | number | boolean | null;
  style: 'plain' | 'quoted' | 'block';
}

export interface MapNode extends Span {
  kind: 'map';
  entries: Entry[];
  /** Entries whose key cannot be used, such as the second of two. They are no part of the value. */
  refused?: Entry[];
}

export interface ListNode extends Span {
  kind: 'list';
  items: Node[];
}

export interface Entry {
  key: string;
  keyStart: number;
  keyEnd: number;
  node: Node;
}

/** An error in the form of the document, found before its meaning is checked. */
export interface Problem extends Span {
  code: string;
  message: string;
  help?: string;
}

export interface Tree {
  root?: Node;
  problems: Problem[];
}

/** The document as JSON values. No key of it can reach a prototype: the tree holds no `__proto__`. */
export function toValue(node: Node): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toValue);
  const value: Record<string, unknown> = {};
  for (const entry of node.entries) value[entry.key] = toValue(entry.node);
  return value;
}
