import type { PageNode } from '../site-content.js';
import { plainText, type HeadingLink } from './page-view.js';

/** The headings of a page with their anchors: `h-` and the words, so that they can't be any other id. */
export function headingsOf(nodes: readonly PageNode[]): Map<PageNode, HeadingLink> {
  const taken = new Map<string, number>();
  const headings = new Map<PageNode, HeadingLink>();
  for (const node of nodes) {
    if (node.kind !== 'heading') continue;
    const text = plainText(node.children);
    const words = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '');
    const count = (taken.get(words) ?? 0) + 1;
    taken.set(words, count);
    headings.set(node, { id: `h-${words}${count > 1 ? `-${count}` : ''}`, text, level: node.level });
  }
  return headings;
}

/** The text without a first heading that repeats the title. */
export function withoutTitle(nodes: readonly PageNode[], title: string): readonly PageNode[] {
  const [first] = nodes;
  return first?.kind === 'heading' && first.level === 1 && plainText(first.children) === title
    ? nodes.slice(1)
    : nodes;
}
