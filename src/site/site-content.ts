import type { Block } from '../console/text/markdown/markdown.js';

/** A page of a space, with the pages below it. */
export interface SitePage {
  id: string;
  /** Below its space, without slashes at the ends. Empty for the first page. */
  path: string;
  title: string;
  description?: string;
  pages: SitePage[];
}

/** A block, an embedded link or another tag on a line of its own. */
export interface TagNode {
  kind: 'tag';
  /** `hello/counter`, or `embed`. */
  name: string;
  values: Record<string, unknown>;
}

export type PageNode = Block | TagNode;

export interface PageText {
  text: string;
  nodes: readonly PageNode[];
}

/** The pages of one space. */
export interface SiteContent {
  pages(): SitePage[];
  read(id: string): PageText | undefined;
}
