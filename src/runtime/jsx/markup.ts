/** An element of the interface, as plain data. */
export interface Markup {
  type: string;
  children?: MarkupNode[];
  [prop: string]: unknown;
}

/** What may stand between two tags. */
export type MarkupNode = Markup | string | number | boolean | null | undefined | MarkupNode[];

/** A function that is used as an element. */
export type MarkupComponent<Props extends object = {}> = (props: Props) => MarkupNode;

type AnyProps = { children?: MarkupNode; [prop: string]: unknown };

/**
 * Groups elements without being one: `<>…</>`.
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
