import type { RenderResult } from '../contract/routes/components.js';
import type { UIAction } from '../protocol/events.js';

/** The data that a page passes to the browser for each block. */
export interface BlockData {
  /** The block's index on its page, starting at 0. */
  nth: number;
  component: string;
  /** The name of the integration, if the platform runs several. */
  integration?: string;
  /** The base for relative URLs in the block's markup. */
  base: string;
  first?: SealedResult;
  /** The id for fetching the first render later, if the page did not wait for it or if it failed. */
  pending?: string;
  /** Set if the first render failed. Only readers with the key can fetch the reason. */
  failed?: true;
}

/** A result with a seal. The seal proves that the properties come from the platform. */
export type SealedResult = RenderResult & { seal?: string };

/** A request from the browser to render a block again. */
export interface BlockRequest {
  page: string;
  nth: number;
  /** The component of a modal. Accepted only with `props` and `seal`, and defaults to the block's component. */
  component?: string;
  /** The properties from an earlier result. Accepted only with `seal`, and default to the properties on the page. */
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
  /** The path of the space that the page is in. */
  space: string;
  /** The page's id. Empty if there is no page at this URL. */
  page: string;
  /** The hash of the page's text. */
  version: string;
}
