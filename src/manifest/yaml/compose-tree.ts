import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import { composeDocument } from './compose-document.js';
import type { Entry, ListNode, MapNode, Node, Problem, Scalar, Span, Tree } from './tree.js';

/** The maximum number of values that aliases may add to those in the text. */
const maxAliased = 10_000;
const maxProblems = 100;

/**
 * Reads a YAML document with the library. Repeated keys are detected here, because the library would compare every key with every
 * other key.
 */
export function composeTree(text: string): Tree {
  const { contents, problem } = composeDocument(text);
  if (problem || !contents) return { problems: problem ? [problem] : [] };
  const walk: Walk = { text, problems: [], anchors: new Map(), sizes: new WeakMap(), aliased: 0 };
  const root = readNode(contents, walk);
  return walk.refused ? { problems: [walk.refused] } : { root, problems: walk.problems };
}

interface Walk {
  text: string;
  problems: Problem[];
  /** An error that makes the whole tree unusable. */
  refused?: Problem;
  anchors: Map<string, Node>;
  sizes: WeakMap<object, number>;
  aliased: number;
}

function readNode(source: unknown, walk: Walk): Node {
  if (isAlias(source)) return readAlias(source.source, spanOf(source), walk);
  const span = spanOf(source);
  const node: Node = isMap(source)
    ? endWithLast(readMap(source.items, span, walk), source.flow)
    : isSeq(source)
      ? endWithLast(
          { kind: 'list', ...span, items: source.items.map((item) => readNode(item, walk)) },
          source.flow,
        )
      : readScalar(source, span, walk.text);
  if ((isMap(source) || isSeq(source) || isScalar(source)) && source.anchor)
    walk.anchors.set(source.anchor, node);
  return node;
}

/** A block map or list ends where its last entry ends. */
function endWithLast<Collection extends MapNode | ListNode>(node: Collection, flow?: boolean): Collection {
  if (flow) return node;
  const last = node.kind === 'map' ? node.entries.at(-1)?.node : node.items.at(-1);
  return { ...node, end: last?.end ?? node.start };
}

function readAlias(name: string, span: Span, walk: Walk): Node {
  const target = walk.anchors.get(name);
  if (!target) {
    walk.refused ??= {
      code: 'manifest/syntax',
      message: `The anchor &${name} is not defined before this alias.`,
      help: 'Define the anchor further up, or write the value out in full.',
      ...span,
    };
    return { kind: 'scalar', value: null, style: 'plain', ...span };
  }
  walk.aliased += sizeOf(target, walk.sizes);
  if (walk.aliased > maxAliased) {
    walk.refused ??= {
      code: 'manifest/too-many-aliases',
      message: `The aliases in this file expand to more than ${maxAliased} values.`,
      help: 'Write the values out in full, or nest fewer aliases.',
      ...span,
    };
  }
  return target.kind === 'scalar'
    ? { ...target, target: { start: target.start, end: target.end }, ...span }
    : { ...target, ...span };
}

/** An alias shares its target's children, so each list of children is counted only once. */
function sizeOf(node: Node, sizes: WeakMap<object, number>): number {
  if (node.kind === 'scalar') return 1;
  const children = node.kind === 'list' ? node.items : node.entries;
  const known = sizes.get(children);
  if (known !== undefined) return known;
  let size = 1;
  for (const child of children) size += sizeOf('kind' in child ? child : child.node, sizes);
  sizes.set(children, size);
  return size;
}

function readMap(pairs: { key: unknown; value: unknown }[], span: Span, walk: Walk): MapNode {
  const entries = new Map<string, Entry>();
  const refused: Entry[] = [];
  for (const { key: keyNode, value } of pairs) {
    const span = spanOf(keyNode);
    const key = isScalar(keyNode) ? keyNode.value : undefined;
    const node = moveEmpty(readNode(value, walk), span.end);
    const problem = keyProblem(key, span, walk.text, entries);
    const entry = { key: String(key), keyStart: span.start, keyEnd: span.end, node };
    if (!problem) entries.set(entry.key, entry);
    else refused.push(entry);
    if (problem && walk.problems.length < maxProblems) walk.problems.push(problem);
  }
  return { kind: 'map', ...span, entries: [...entries.values()], ...(refused.length > 0 && { refused }) };
}

/** Moves an empty value to the position directly after its key. */
const moveEmpty = (node: Node, at: number): Node =>
  node.kind === 'scalar' && node.start === node.end ? { ...node, start: at, end: at } : node;

function readScalar(source: unknown, span: Span, text: string): Scalar {
  if (!isScalar(source)) return { kind: 'scalar', value: null, style: 'plain', ...span };
  const { value, type } = source;
  const style =
    type === 'PLAIN' ? 'plain' : type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED' ? 'block' : 'quoted';
  if (style === 'block') span = { start: span.start, end: endOfText(text, span.end) };
  const known =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null;
  return { kind: 'scalar', value: known ? value : text.slice(span.start, span.end), style, ...span };
}

function spanOf(node: unknown): Span {
  const range = (node as { range?: [number, number, number] | null } | null)?.range;
  return { start: range?.[0] ?? 0, end: range?.[1] ?? 0 };
}

/** A block scalar ends at the end of its last line, and does not include the line breaks after it. */
function endOfText(text: string, end: number): number {
  let at = end;
  while (at > 0 && ' \r\n'.includes(text.charAt(at - 1))) at--;
  return at;
}

/** Checks a key against the rules and the earlier keys in the same map. */
function keyProblem(
  key: unknown,
  span: Span,
  text: string,
  entries: ReadonlyMap<string, Entry>,
): Problem | undefined {
  if (typeof key !== 'string') {
    return {
      code: 'manifest/non-string-key',
      message: 'A key must be a string.',
      help: 'Put the key in quotes.',
      ...span,
    };
  }
  if (key === '__proto__' || key === '<<') {
    return {
      code: 'manifest/reserved-key',
      message: key === '<<' ? 'Merge keys are not supported.' : `The key ${key} cannot be used.`,
      help: key === '<<' ? 'Write each key out in full.' : 'Choose another name.',
      ...span,
    };
  }
  const first = entries.get(key);
  if (!first) return undefined;
  return {
    code: 'manifest/duplicate-key',
    message: `The key ${key} is repeated.`,
    help: `It is already on line ${lineOf(text, first.keyStart)}. Keep one of them.`,
    ...span,
  };
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
