import { decodePath } from '../../base/text/decode-path.js';
import { posix } from 'node:path';
import type { ContainerNode, PageBlock, PageTree } from '../../protocol/page/page-tree.js';
import { parsePage } from './parse-page.js';

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
  const headings = [...tree.headings];

  const include = (node: ContainerNode, above: readonly string[]): ContainerNode => {
    const from = above.at(-1) ?? '';
    const path = pathOf(node.attributes['url'], from);
    const text = left > 0 && path !== undefined ? read(path) : undefined;
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
    headings.push(...included.headings);
    return {
      ...node,
      attributes: { ...node.attributes, file: path },
      children: expand(included.blocks, [...above, path]),
    };
  };
  const expand = (blocks: readonly PageBlock[], above: readonly string[]): PageBlock[] =>
    blocks.map((node): PageBlock => {
      if (node.kind === 'container' && node.name === 'include') return include(node, above);
      if (node.kind === 'list') return { ...node, items: node.items.map((item) => expand(item, above)) };
      return node.kind === 'container' || node.kind === 'quote' || node.kind === 'task'
        ? { ...node, children: expand(node.children, above) }
        : node;
    });

  return { ...tree, blocks: expand(tree.blocks, [file]), tags, headings };
}

/** Returns the path that a relative URL in a file refers to. */
function pathOf(url: unknown, file: string): string | undefined {
  if (typeof url !== 'string' || /^[a-z][a-z0-9+.-]*:/i.test(url)) return undefined;
  const written = decodePath(url.replace(/[?#].*/s, ''));
  const path = posix
    .join(written.startsWith('/') ? '' : posix.dirname(file), written)
    .replace(/^\/+|\/+$/g, '');
  return path === '.' || path.startsWith('../') ? undefined : path.normalize();
}
