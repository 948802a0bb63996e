/** A parsed document as plain data. Offsets count UTF-16 units, and `end` is the position after the last unit. */
export type Node = Scalar | MapNode | ListNode;

export interface Span {
  start: number;
  end: number;
}

export interface Scalar extends Span {
  kind: 'scalar';
  /** For an alias, the position of the value it refers to. */
  target?: Span;
  value: string | number | boolean | null;
  style: 'plain' | 'quoted' | 'block';
}

export interface MapNode extends Span {
  kind: 'map';
  entries: Entry[];
  /** Entries with an unusable key, for example a repeated one. They are not part of the value. */
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

/** A syntax error, found before the content is checked. */
export interface Problem extends Span {
  code: string;
  message: string;
  help?: string;
}

export interface Tree {
  root?: Node;
  problems: Problem[];
}

/** Returns the document as JSON values. Its keys cannot change a prototype, because the tree never contains `__proto__`. */
export function toValue(node: Node): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toValue);
  const value: Record<string, unknown> = {};
  for (const entry of node.entries) value[entry.key] = toValue(entry.node);
  return value;
}
