import type { PageBlock, PageInline } from './page-tree.js';

/** Returns the text of inline nodes, without formatting. */
export const plainText = (inlines: readonly PageInline[]): string =>
  inlines
    .map((inline) => {
      if ('children' in inline) return plainText(inline.children);
      if ('text' in inline) return inline.text;
      if (inline.kind === 'image') return inline.alt;
      return inline.kind === 'break' ? ' ' : '';
    })
    .join('');

/** Returns the title of a tab, an update or a code block. */
const titleOf = (block: PageBlock): string[] => {
  const title = block.kind === 'container' ? block.attributes['title'] : undefined;
  return typeof title === 'string' ? [title] : [];
};

/**
 * Returns the text of a page, with one line for each heading, paragraph, list item and table row. Tags and hidden columns have no
 * text.
 */
export const linesOf = (blocks: readonly PageBlock[]): string[] =>
  blocks.flatMap((block): string[] => {
    switch (block.kind) {
      case 'heading':
      case 'paragraph':
        return [plainText(block.children)];
      case 'code':
        return [block.text];
      case 'quote':
      case 'task':
      case 'container':
        return [...titleOf(block), ...linesOf(block.children)];
      case 'list':
        return block.items.flatMap(linesOf);
      case 'table':
        return [block.head, ...block.rows].map((cells) =>
          cells
            .filter((_, at) => block.columns?.[at]?.role === undefined)
            .map(plainText)
            .join(' | '),
        );
      default:
        return [];
    }
  });
