import type { Integration } from '../integration.js';
import type { FenceNode, PageBlock, PageTree, TagNode } from './page-tree.js';

/** A block on a page. It is either a tag or a code fence whose language is claimed by a block in the manifest. */
export interface PageBlockOf {
  node: TagNode | FenceNode;
  component: string;
  props: Record<string, unknown>;
}

const mostBlocks = 50;

/** Returns the integration's blocks on a page, in order of appearance. */
export const blocksOnPage = (
  { blocks: nodes }: Pick<PageTree, 'blocks'>,
  { name, blocks }: Pick<Integration, 'name' | 'blocks'>,
): PageBlockOf[] =>
  leavesOf(nodes)
    .flatMap((node): PageBlockOf[] => {
      if (node.kind === 'tag') {
        const own = node.type === 'block' && node.integration === name;
        return own && blocks.some(({ id }) => id === node.component)
          ? [{ node, component: node.component, props: node.props }]
          : [];
      }
      const block = blocks.find(({ markdown }) => markdown?.codeblock === node.language);
      return block?.markdown
        ? [{ node, component: block.id, props: { [block.markdown.body]: node.text } }]
        : [];
    })
    .slice(0, mostBlocks);

/** Returns the tags and code fences on a page, in order of appearance. */
const leavesOf = (nodes: readonly PageBlock[]): (TagNode | FenceNode)[] =>
  nodes.flatMap((node) => {
    if (node.kind === 'tag' || node.kind === 'code') return [node];
    if (node.kind === 'list') return node.items.flatMap(leavesOf);
    return node.kind === 'quote' || node.kind === 'task' || node.kind === 'container'
      ? leavesOf(node.children)
      : [];
  });
