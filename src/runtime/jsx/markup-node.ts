/** An element as plain data. */
export interface Markup {
  /** Name of the element, such as `button`. */
  type: string;
  /** The element's content. */
  children?: MarkupNode[];
  [prop: string]: unknown;
}

/** The content of an element: elements, strings, numbers, lists of these, or nothing. */
export type MarkupNode = Markup | string | number | boolean | null | undefined | MarkupNode[];

/** A function that can be used as an element: `<Greeting name="Ada" />`. */
export type MarkupComponent<Props extends object = {}> = (props: Props) => MarkupNode;

type AnyProps = { children?: MarkupNode; [prop: string]: unknown };

/**
 * Groups elements without adding an element (`<>…</>`).
 *
 * @example
 * ```tsx
 * import { Fragment, type MarkupNode } from 'integration-platform';
 *
 * const rows = (names: string[]): MarkupNode => (
 *   <Fragment>
 *     {names.map((name) => (
 *       <text>{name}</text>
 *     ))}
 *   </Fragment>
 * );
 * ```
 */
export const Fragment: MarkupComponent<{ children?: MarkupNode }> = ({ children }) => flatten(children);

export const createMarkup = (type: string | ((props: never) => MarkupNode), props: AnyProps): MarkupNode => {
  if (typeof type === 'function') return type(props as never);
  const { children, ...rest } = props;
  return { type, ...rest, ...(children !== undefined && { children: flatten(children) }) };
};

const flatten = (children: MarkupNode): MarkupNode[] =>
  [children]
    .flat(Infinity as 1)
    .filter((child) => child !== null && child !== undefined && typeof child !== 'boolean');
