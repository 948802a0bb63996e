import { createMarkup, type Markup, type MarkupNode } from './jsx/markup.js';

export { Fragment } from './jsx/markup.js';
export type { JSX } from './jsx/jsx.js';

/** What a compiler makes of `<text>…</text>`. The key means nothing here: markup is plain data. */
export const jsx = (
  type: string | ((props: never) => MarkupNode),
  props: { children?: MarkupNode; [prop: string]: unknown },
): Markup => createMarkup(type, props) as Markup;

export const jsxs = jsx;
