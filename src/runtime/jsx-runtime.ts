import { createMarkup, type Markup, type MarkupNode } from './jsx/markup-node.js';

export { Fragment } from './jsx/markup-node.js';
export type { JSX } from './jsx/jsx.js';

/** Compilers turn `<text>…</text>` into a call to this function. Keys are ignored, because markup is plain data. */
export const jsx = (
  type: string | ((props: never) => MarkupNode),
  props: { children?: MarkupNode; [prop: string]: unknown },
): Markup => createMarkup(type, props) as Markup;

/** Like `jsx`, for an element with several children. */
export const jsxs = jsx;
