import { decodePath } from '../../base/text/decode-path.js';
import { posix } from 'node:path';
import type { ContainerNode, Heading, PageBlock, PageTree } from '../../protocol/page/page-tree.js';
import { plainText } from '../../protocol/page/page-text.js';
import { headingId, parsePage } from './parse-page.js';
import { readOperation } from './read-operation.js';

/** How deeply files can include each other. */
const deepest = 5;
/** How much text a page can include, because a few files that include each other many times would never end. */
const longest = 1024 * 1024;
/** Every file counts as at least this much, because reading it takes time too. */
const shortest = 1000;

/**
 * Returns a page's tree with the content of the files that it includes. The attribute `file` of an `include` is the path of its
 * file, and `problem` explains why there is none.
 */
export function includeFiles(
  tree: PageTree,
  file: string,
  read: (file: string) => string | undefined,
): PageTree {
  let left = longest;
  const tags = [...tree.tags];
  const problems = [...tree.problems];

  const include = (node: ContainerNode, above: readonly string[]): ContainerNode => {
    const from = above.at(-1) ?? '';
    const path = pathOf(node.attributes['url'], from);
    const text = left > 0 && path !== undefined && /\.md$/i.test(path) ? read(path) : undefined;
    const problem =
      left <= 0
        ? 'This page includes too much text.'
        : path === undefined || text === undefined
          ? 'This file is missing.'
          : above.includes(path)
            ? 'This file includes itself.'
            : above.length > deepest
              ? `Files include each other more than ${deepest} times.`
              : undefined;
    if (problem !== undefined || path === undefined || text === undefined)
      return { ...node, attributes: { ...node.attributes, problem } };
    left -= text.length + shortest;
    const included = parsePage(text);
    tags.push(...included.tags);
    return {
      ...node,
      attributes: { ...node.attributes, file: path },
      children: expand(included.blocks, [...above, path]),
    };
  };
  /** Adds the operation that the tag names. Its summary becomes a heading. */
  const describe = (node: ContainerNode, above: readonly string[]): ContainerNode => {
    const { url, spec: name, path, method } = node.attributes;
    const spec = typeof name === 'string' ? name : undefined;
    if (typeof path !== 'string' || typeof method !== 'string') return node;
    if (url === undefined && spec === undefined) return node;
    // A specification is named from the page, like an image, or by its name at the root of the folder.
    const named = ['', '/'].flatMap((root) =>
      ['', '.yaml', '.yml', '.json'].map((ending) => `${root}${spec}${ending}`),
    );
    const files = (url === undefined ? named : [url]).flatMap((one) => pathOf(one, above.at(-1) ?? '') ?? []);
    const text = left > 0 ? files.map(read).find((one) => one !== undefined) : undefined;
    const operation = text === undefined ? undefined : readOperation(text, path, method);
    if (typeof operation === 'object') {
      left -= shortest;
      const id = headingId(operation.summary);
      const children = [{ kind: 'text' as const, text: operation.summary }];
      return { ...node, operation, children: [{ kind: 'heading', level: 2, id, children }] };
    }
    const isMissing = url !== undefined && files.length > 0;
    const problem =
      operation ??
      (isMissing
        ? 'This file is missing.'
        : `The API description ${typeof url === 'string' ? url : spec} is not in this folder, so the operation is not shown.`);
    // A missing file is reported like any other broken link.
    if (above.length === 1 && (operation !== undefined || !isMissing))
      problems.push({ code: 'broken-link', message: problem, line: node.line, column: 1 });
    return { ...node, attributes: { ...node.attributes, problem } };
  };
  const expand = (blocks: readonly PageBlock[], above: readonly string[]): PageBlock[] =>
    blocks.map((node): PageBlock => {
      if (node.kind === 'container' && node.name === 'include') return include(node, above);
      if (node.kind === 'container' && /^(?:openapi|swagger)/.test(node.name)) return describe(node, above);
      if (node.kind === 'list') return { ...node, items: node.items.map((item) => expand(item, above)) };
      return node.kind === 'container' || node.kind === 'quote' || node.kind === 'task'
        ? { ...node, children: expand(node.children, above) }
        : node;
    });

  const blocks = expand(tree.blocks, [file]);
  return { ...tree, blocks, tags, headings: headingsIn(blocks), problems };
}

const headingsIn = (blocks: readonly PageBlock[]): Heading[] =>
  blocks.flatMap((node) => {
    if (node.kind === 'heading')
      return [{ level: node.level, id: node.id ?? '', text: plainText(node.children).trim() }];
    if (node.kind === 'list') return node.items.flatMap(headingsIn);
    return 'children' in node && node.kind !== 'paragraph' ? headingsIn(node.children) : [];
  });

/** Returns the path that a relative URL in a file refers to. */
function pathOf(url: unknown, file: string): string | undefined {
  if (typeof url !== 'string' || /^[a-z][a-z0-9+.-]*:/i.test(url)) return undefined;
  const written = decodePath(url.replace(/[?#].*/s, ''));
  const path = posix
    .join(written.startsWith('/') ? '' : posix.dirname(file), written)
    .replace(/^\/+|\/+$/g, '');
  return path === '.' || path.startsWith('../') ? undefined : path.normalize();
}
