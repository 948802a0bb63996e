// The parts of events. The JSON Schemas are generated from these files, with the comments as descriptions.
import type { ConfigurationValues, InstallationStatus } from './environment.js';

export interface EventBase<Type extends string> {
  /**
   * Identifies the event. The id stays the same if the event is delivered again.
   *
   * @minLength 1
   */
  eventId: string;
  type: Type;
  /**
   * The id of the installation that receives the event.
   *
   * @minLength 1
   */
  installationId: string;
}

export interface InSpace {
  /**
   * The id of the space.
   *
   * @minLength 1
   */
  spaceId: string;
}

export interface OnSite {
  /**
   * The id of the site.
   *
   * @minLength 1
   */
  siteId: string;
}

/**
 * The visitor who viewed or rated the page.
 *
 * @title Visitor
 */
export interface Visitor {
  /** Identifies the visitor's browser, not the person. */
  anonymousId: string;
  /** The browser's User-Agent header. */
  userAgent: string;
  /** The IP address that the request came from. */
  ip: string;
  /** Cookies by name. May be empty. */
  cookies: Record<string, string>;
}

export interface PageView {
  visitor: Visitor;
  /** The URL of the page. */
  url: string;
  /** The URL of the page that the visitor came from. May be empty. */
  referrer: string;
}

/**
 * The status and configuration before the change.
 *
 * @title Previous state
 */
export interface PreviousInstallation {
  status?: InstallationStatus;
  configuration?: ConfigurationValues;
}

export interface Deleted {
  /** The state before the removal. */
  previous: { configuration?: ConfigurationValues };
}

/**
 * Where the component is rendered.
 *
 * @title Render context
 */
export interface RenderContext {
  /** `document` for a page, or `configuration` for the configuration screen. */
  type: 'document' | 'configuration';
  /** The color theme of the page or screen. */
  theme: 'light' | 'dark';
  /** Whether the user can edit the block. */
  editable?: boolean;
  /** The id of the page's space. */
  spaceId?: string;
  /** The id of the page's site. */
  siteId?: string;
}

/**
 * The action that the user triggered, with its name and other fields.
 *
 * @title Action
 */
export interface UIAction {
  /**
   * The name of the action.
   *
   * @minLength 1
   */
  action: string;
  [key: string]: unknown;
}

/** @title Feedback */
export interface PageRating {
  /** The rating. On the documentation site, readers choose `good`, `ok` or `bad`. */
  rating: string;
  /** The visitor's comment. May be empty. */
  comment: string;
}

/**
 * A request to a public endpoint. Its body is sent separately from the event, as `fetch-body`.
 *
 * @title HTTP request
 */
export interface FetchRequest {
  /** The full URL. */
  url: string;
  /**
   * The method, such as `POST`.
   *
   * @minLength 1
   */
  method: string;
  /** Headers by lowercase name. */
  headers: Record<string, string>;
}

/**
 * The task, as it was queued.
 *
 * @title Task
 */
export interface Task {
  /**
   * The type of task, as defined by the integration.
   *
   * @minLength 1
   */
  type: string;
  /** The data of the task. */
  payload?: unknown;
  [key: string]: unknown;
}
