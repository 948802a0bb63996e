import { createMarkup, type MarkupNode } from './markup-node.js';

/**
 * Creates an element. Used by JSX that is compiled in classic mode or has a `key` after a spread.
 *
 * @example
 * ```ts
 * import { createElement } from 'integration-platform';
 *
 * const greeting = createElement('text', { style: 'bold' }, 'Hello');
 * ```
 */
export const createElement = (
  type: string | ((props: never) => MarkupNode),
  props: object | null,
  ...children: MarkupNode[]
): MarkupNode => {
  const { key: _, ...rest }: { key?: unknown } = props ?? {};
  return createMarkup(type, children.length > 0 ? { ...rest, children } : rest);
};
