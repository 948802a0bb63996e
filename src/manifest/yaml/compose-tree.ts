import { Composer, Parser, Lexer, isAlias, isMap, isScalar, isSeq, type Document } from 'yaml';
import type { Entry, MapNode, Node, Problem, Scalar, Span, Tree } from './tree.js';
import { syntaxProblem } from './syntax-problem.js';

const maxDepth = 64;
/** Values that aliases may add to what is written out. */
const maxAliased = 10_000;

/**
 * Reads one YAML document. Nesting is counted while the parser runs, because composing a deep document
 * can abort the process; keys are compared here, because the library compares each with each.
 */
export function composeTree(text: string): Tree {
  const composed = composeDocument(text);
  if ('problems' in composed) return composed;
  const { document } = composed;
  const problems = [...document.errors, ...document.warnings].map((error) => syntaxProblem(error, text));
  if (problems.length > 0) return { problems: problems.slice(0, 1) };
  if (!document.contents) return { problems };
  const walk: Walk = { text, problems, anchors: new Map(), sizes: new WeakMap(), aliased: 0 };
  const root = readNode(document.contents, walk);
  if (walk.aliased > maxAliased) return { problems };
  return { root, problems };
}

function composeDocument(text: string): { document: Document.Parsed } | { problems: Problem[] } {
  const parser = new Parser();
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  let documents = 0;
  const take = (tokens: ReturnType<Parser['next']>): Problem | undefined => {
    for (const token of tokens) {
      if (token.type === 'directive') return directiveProblem(token.offset, token.source);
      if (token.type === 'document' && ++documents > 1) return secondDocumentProblem(token.offset, text);
      for (const _ of composer.next(token));
    }
    return undefined;
  };
  for (const lexeme of new Lexer().lex(text)) {
    const problem = take(parser.next(lexeme));
    if (problem) return { problems: [problem] };
    if (parser.stack.length > maxDepth) return { problems: [depthProblem(parser.offset, text)] };
  }
  const problem = take(parser.end());
  if (problem) return { problems: [problem] };
  const [document] = composer.end(true, text.length);
  return document ? { document } : { problems: [] };
}

interface Walk {
  text: string;
  problems: Problem[];
  anchors: Map<string, Node>;
  sizes: WeakMap<object, number>;
  aliased: number;
}

function readNode(source: unknown, walk: Walk): Node {
  if (isAlias(source)) return readAlias(source.source, spanOf(source), walk);
  const span = spanOf(source);
  const node = isMap(source)
    ? readMap(source.items, span, walk)
    : isSeq(source)
      ? ({ kind: 'list', ...span, items: source.items.map((item) => readNode(item, walk)) } as const)
      : readScalar(source, span, walk.text);
  if ((isMap(source) || isSeq(source) || isScalar(source)) && source.anchor)
    walk.anchors.set(source.anchor, node);
  return node;
}

function readAlias(name: string, span: Span, walk: Walk): Node {
  const target = walk.anchors.get(name);
  if (!target) {
    walk.problems.push({
      code: 'manifest/syntax',
      message: `No anchor &${name} stands before this alias.`,
      help: 'Define the anchor further up, or write the value out.',
      ...span,
    });
    return { kind: 'scalar', value: null, style: 'plain', ...span };
  }
  const before = walk.aliased;
  walk.aliased += sizeOf(target, walk.sizes);
  if (before <= maxAliased && walk.aliased > maxAliased) {
    walk.problems.push({
      code: 'manifest/too-many-aliases',
      message: `The aliases of this file unfold to more than ${maxAliased} values.`,
      help: 'Write the values out, or use fewer aliases within aliases.',
      ...span,
    });
  }
  return target.kind === 'scalar'
    ? { ...target, target: { start: target.start, end: target.end }, ...span }
    : { ...target, ...span };
}

/** An alias has the children of its target, so a size is counted once for each list of children. */
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
  for (const { key: keyNode, value } of pairs) {
    const place = spanOf(keyNode);
    const key = isScalar(keyNode) ? keyNode.value : undefined;
    const node = readNode(value, walk);
    const problem = keyProblem(key, place, walk.text, entries);
    if (problem) walk.problems.push(problem);
    else if (typeof key === 'string')
      entries.set(key, { key, keyStart: place.start, keyEnd: place.end, node });
  }
  return { kind: 'map', ...span, entries: [...entries.values()] };
}

function keyProblem(
  key: unknown,
  place: Span,
  text: string,
  entries: ReadonlyMap<string, Entry>,
): Problem | undefined {
  if (typeof key !== 'string') {
    return {
      code: 'manifest/non-string-key',
      message: 'A key must be text.',
      help: 'Put the key in quotes.',
      ...place,
    };
  }
  if (key === '__proto__' || key === '<<') {
    return {
      code: 'manifest/reserved-key',
      message: key === '<<' ? 'Merge keys are not read.' : `The key ${key} cannot be used.`,
      help: key === '<<' ? 'Write the keys out.' : 'Choose another name.',
      ...place,
    };
  }
  const first = entries.get(key);
  if (!first) return undefined;
  return {
    code: 'manifest/duplicate-key',
    message: `The key ${key} stands here a second time.`,
    help: `It stands on line ${lineOf(text, first.keyStart)} already. Keep one of them.`,
    ...place,
  };
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

function readScalar(source: unknown, span: Span, text: string): Scalar {
  if (!isScalar(source)) return { kind: 'scalar', value: null, style: 'plain', ...span };
  const { value, type } = source;
  const style =
    type === 'PLAIN' ? 'plain' : type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED' ? 'block' : 'quoted';
  const known =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null;
  return { kind: 'scalar', value: known ? value : text.slice(span.start, span.end), style, ...span };
}

function spanOf(node: unknown): Span {
  const range = (node as { range?: [number, number, number] | null } | null)?.range;
  return { start: range?.[0] ?? 0, end: range?.[1] ?? 0 };
}

function directiveProblem(offset: number, source: string): Problem {
  return {
    code: 'manifest/syntax',
    message: 'A manifest has no YAML directives.',
    help: 'Remove the line that begins with %.',
    start: offset,
    end: offset + source.length,
  };
}

function secondDocumentProblem(offset: number, text: string): Problem {
  return {
    code: 'manifest/several-documents',
    message: 'The file holds more than one YAML document.',
    help: 'A manifest is one document: remove the --- line and what belongs to another file.',
    start: offset,
    end: Math.min(offset + 3, text.length),
  };
}

function depthProblem(offset: number, text: string): Problem {
  return {
    code: 'manifest/too-deep',
    message: `The document is nested more than ${maxDepth} levels deep.`,
    help: 'No field of a manifest needs more than ten.',
    start: Math.min(offset, Math.max(0, text.length - 1)),
    end: Math.min(offset + 1, text.length),
  };
}
