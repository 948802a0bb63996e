import type { Integration } from '../integration.js';
import type { FenceNode, PageBlock, PageTree, TagNode } from './page-tree.js';

/** A block on a page. It is either a tag or a code fence whose language is claimed by a block in the manifest. */
export interface PageBlockOf {
  node: TagNode | FenceNode;
  /** The name of the integration. */
  integration: string;
  component: string;
  props: Record<string, unknown>;
  /** The file that contains the block, if the page includes it. */
  file?: string;
}

const mostBlocks = 50;

/** Returns the integrations' blocks on a page, in order of appearance. The first one that claims a code fence has it. */
export const blocksOnPage = (
  { blocks: nodes }: Pick<PageTree, 'blocks'>,
  integrations: readonly Pick<Integration, 'name' | 'blocks'>[],
): PageBlockOf[] =>
  leavesOf(nodes)
    .flatMap(({ node, ...from }): PageBlockOf[] => {
      if (node.kind === 'tag') {
        if (node.type !== 'block') return [];
        const { integration, component, props } = node;
        const own = integrations.find(({ name }) => name === integration);
        return own?.blocks.some(({ id }) => id === component)
          ? [{ node, integration, component, props, ...from }]
          : [];
      }
      for (const { name, blocks } of integrations) {
        const block = blocks.find(({ markdown }) => markdown?.codeblock === node.language);
        if (!block?.markdown) continue;
        return [
          {
            node,
            integration: name,
            component: block.id,
            props: { [block.markdown.body]: node.text },
            ...from,
          },
        ];
      }
      return [];
    })
    .slice(0, mostBlocks);

/** Returns the tags and code fences on a page, in order of appearance. */
function leavesOf(
  nodes: readonly PageBlock[],
  from: { file?: string } = {},
): { node: TagNode | FenceNode; file?: string }[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'tag' || node.kind === 'code') return [{ node, ...from }];
    if (node.kind === 'list') return node.items.flatMap((item) => leavesOf(item, from));
    if (node.kind !== 'quote' && node.kind !== 'task' && node.kind !== 'container') return [];
    const file = node.kind === 'container' && node.name === 'include' ? node.attributes['file'] : undefined;
    return leavesOf(node.children, typeof file === 'string' ? { file } : from);
  });
}
