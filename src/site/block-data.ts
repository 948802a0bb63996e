import type { RenderResult } from '../contract/routes/components.js';
import type { UIAction } from '../protocol/events.js';

/** What a page tells the browser about one of its blocks. */
export interface BlockData {
  /** The position of the block on its page, from 0. */
  nth: number;
  component: string;
  /** The base of relative URLs in its markup. */
  base: string;
  first?: SealedResult;
  /** Its first render takes longer than the page waits. This id fetches the result. */
  pending?: string;
}

/** A result with the proof that the platform has sent its properties. */
export type SealedResult = RenderResult & { seal?: string };

/** What the browser sends to render a block again. */
export interface BlockRequest {
  page: string;
  nth: number;
  /** Of a modal, which was opened with a seal. Default: the component of the block. */
  component?: string;
  /** Properties that an earlier result contained, with its seal. Default: those of the page. */
  props?: Record<string, unknown>;
  seal?: string;
  state?: Record<string, unknown>;
  action?: UIAction;
  modal?: boolean;
  after?: string;
  theme: 'light' | 'dark';
}

/** What a page tells the browser about itself. */
export interface PageData {
  /** The path of its space. */
  space: string;
  page: string;
  /** The hash of its text. */
  version: string;
}
