/**
 * A parsed page as plain data that never contains HTML. The node types are those of the console's Markdown reader, plus `tag`
 * and `task`.
 */
export interface PageTree {
  blocks: PageBlock[];
  /** The image above the title, from the front matter. */
  cover?: { url: string };
  /** The name of the icon in front of the title. */
  icon?: string;
  /** The offset where the page's own text starts, after the front matter. */
  start: number;
  /** The position after each of the `blocks`, where another block can be inserted. */
  ends: number[];
  /** The headings for the table of contents. */
  headings: Heading[];
  /** Every tag on the page, in order of appearance. */
  tags: TagNode[];
  problems: PageProblem[];
}

export type PageBlock =
  | { kind: 'heading'; level: number; id?: string; children: PageInline[] }
  | { kind: 'paragraph'; children: PageInline[] }
  | FenceNode
  | { kind: 'quote'; children: PageBlock[] }
  | { kind: 'list'; ordered: boolean; start: number; items: PageBlock[][] }
  | TableNode
  | { kind: 'rule' }
  /** Set if the task is the only block in its list item. */
  | { kind: 'task'; done: boolean; children: PageBlock[] }
  | ContainerNode
  | TagNode;

export type PageInline =
  | { kind: 'text'; text: string }
  | { kind: 'strong' | 'emphasis' | 'deleted' | 'kbd' | 'sub' | 'sup'; children: PageInline[] }
  | { kind: 'mark'; tone: string; isFilled: boolean; children: PageInline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; url: string; button?: 'primary' | 'secondary'; children: PageInline[] }
  | { kind: 'image'; url: string; alt: string; width?: number }
  | { kind: 'icon'; name: string }
  /** A reference to a footnote. */
  | { kind: 'note'; number: number }
  /** A formula in TeX. If it contains an error, its source is shown. */
  | { kind: 'math'; text: string; isBlock: boolean; math?: MathNode }
  | { kind: 'break' };

/** An element of MathML. */
export interface MathNode {
  tag: string;
  attributes: Record<string, string>;
  children: (MathNode | string)[];
}

export interface TableColumn {
  align?: 'center' | 'right';
  /** Set if the column is not shown. The text of a card's `target` and `cover` contains links. */
  role?: 'hidden' | 'target' | 'cover';
}

export interface TableNode {
  kind: 'table';
  head: PageInline[][];
  rows: PageInline[][][];
  /** Set if a column differs from the others. */
  columns?: TableColumn[];
  view?: 'cards';
}

/** A position in the text of the page. Offsets are counted in UTF-16 units, and line numbers start at 1. */
interface Place {
  line: number;
  start: number;
  end: number;
}

export interface FenceNode extends Partial<Place> {
  kind: 'code';
  /** The language of the fence. A block's `markdown.codeblock` may refer to it. */
  language: string;
  text: string;
  /** Set by the `{% code %}` around the fence. */
  title?: string;
  lineNumbers?: boolean;
  wrap?: boolean;
}

/**
 * One of the product's own blocks, such as `{% hint %}`, or a `details`, `summary`, `figure` or `note` (a footnote). `start` to
 * `end` includes both tags, and `open` to `close` is what is between them. Both are the same if there is no closing tag, for
 * example in `{% include "a.md" %}`.
 */
export interface ContainerNode extends Place {
  kind: 'container';
  name: string;
  attributes: Record<string, unknown>;
  open: number;
  close: number;
  children: PageBlock[];
  /** Read from the API description that an `openapi` tag refers to. */
  operation?: ApiOperation;
}

export interface ApiOperation {
  method: string;
  path: string;
  /** The start of the URL. Empty if it is not known. */
  server: string;
  summary: string;
  text?: string;
  isDeprecated: boolean;
  groups: ApiBody[];
  /** The title of each is its status. */
  responses: ApiBody[];
}

/** A group of parameters, or the body of a request or response. */
export interface ApiBody {
  title: string;
  type?: string;
  text?: string;
  fields: ApiField[];
  example?: string;
}

export interface ApiField {
  name: string;
  type: string;
  isRequired: boolean;
  /** What its value must be, and the default. */
  notes: string[];
  text?: string;
  fields: ApiField[];
}

export type TagNode = Place & { kind: 'tag' } & (
    | { type: 'block'; integration: string; component: string; props: Record<string, unknown> }
    | { type: 'embed'; url: string; caption: string }
    /** A tag that contains an error or that the local platform does not render. */
    | { type: 'other'; name: string; attributes: Record<string, unknown>; problem?: string }
  );

export interface Heading {
  level: number;
  id: string;
  text: string;
}

export interface PageProblem {
  code:
    | 'invalid-math'
    | 'invalid-tag'
    | 'unclosed-tag'
    | 'misplaced-tag'
    | 'too-complex'
    | 'broken-link'
    | 'broken-anchor'
    | 'unknown-block';
  message: string;
  /** What to do next. */
  help?: string;
  line: number;
  column: number;
}
