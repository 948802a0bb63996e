/**
 * A parsed page as plain data that never contains HTML. The node types are those of the console's Markdown reader, plus `tag`
 * and `task`.
 */
export interface PageTree {
  blocks: PageBlock[];
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
  | { kind: 'table'; head: PageInline[][]; rows: PageInline[][][] }
  | { kind: 'rule' }
  /** Set if the task is the only block in its list item. */
  | { kind: 'task'; done: boolean; children: PageBlock[] }
  | TagNode;

export type PageInline =
  | { kind: 'text'; text: string }
  | { kind: 'strong' | 'emphasis' | 'deleted'; children: PageInline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; url: string; children: PageInline[] }
  | { kind: 'image'; url: string; alt: string }
  | { kind: 'break' };

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
  code: 'invalid-tag' | 'too-complex' | 'broken-link' | 'unknown-block';
  message: string;
  /** What to do next. */
  help?: string;
  line: number;
  column: number;
}
