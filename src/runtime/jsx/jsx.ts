import type { Elements } from './elements.js';
import type { Markup, MarkupNode } from './markup-node.js';

/** The types that TypeScript expects from a JSX runtime. */
export declare namespace JSX {
  type Element = Markup;
  type ElementType = keyof IntrinsicElements | ((props: never) => MarkupNode);
  interface ElementChildrenAttribute {
    children: unknown;
  }
  interface IntrinsicAttributes {
    key?: string | number | null | undefined;
  }
  interface IntrinsicElements extends WithKey {}
}

type WithKey = { [Name in keyof Elements]: Elements[Name] & JSX.IntrinsicAttributes };
