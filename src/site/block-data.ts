import type { RenderResult } from '../contract/routes/components.js';
import type { UIAction } from '../protocol/events.js';

/** The data that a page passes to the browser for one of its blocks. */
export interface BlockData {
  /** The block's index on its page, from 0. */
  nth: number;
  component: string;
  /** The base for relative URLs in its markup. */
  base: string;
  first?: SealedResult;
  /** The id for fetching the first render if it takes longer than the page waits. */
  pending?: string;
}

/** A result with the proof that the platform has sent its properties. */
export type SealedResult = RenderResult & { seal?: string };

/** The browser's request to render a block again. */
export interface BlockRequest {
  page: string;
  nth: number;
  /** The component of a modal that was opened with a seal. Default: the block's component. */
  component?: string;
  /** Properties from an earlier result, with its seal. Default: the page's properties. */
  props?: Record<string, unknown>;
  seal?: string;
  state?: Record<string, unknown>;
  action?: UIAction;
  modal?: boolean;
  after?: string;
  theme: 'light' | 'dark';
}

/** The data that a page passes to the browser about itself. */
export interface PageData {
  /** The path of the page's space. */
  space: string;
  page: string;
  /** The hash of the page's text. */
  version: string;
}
