// What events are made of. The JSON Schemas are generated from these files, with the comments as descriptions.
import type { ConfigurationValues, InstallationStatus } from './environment.js';

export interface EventBase<Type extends string> {
  /**
   * Identifies the event. It stays the same when the event is delivered again.
   *
   * @minLength 1
   */
  eventId: string;
  type: Type;
  /**
   * The installation that the event is for.
   *
   * @minLength 1
   */
  installationId: string;
}

export interface InSpace {
  /**
   * The space in which it happened.
   *
   * @minLength 1
   */
  spaceId: string;
}

export interface OnSite {
  /**
   * The site on which it happened.
   *
   * @minLength 1
   */
  siteId: string;
}

/**
 * Who viewed a page.
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
  /** Where the visitor came from. May be empty. */
  referrer: string;
}

/**
 * The status and configuration before the change.
 *
 * @title The previous state
 */
export interface PreviousInstallation {
  status?: InstallationStatus;
  configuration?: ConfigurationValues;
}

export interface Deleted {
  /** Its state before the removal. */
  previous: { configuration?: ConfigurationValues };
}

/**
 * Where a component is rendered.
 *
 * @title Where a component is rendered
 */
export interface RenderContext {
  /** A page's content, or the configuration screen. */
  type: 'document' | 'configuration';
  /** The theme of the screen. */
  theme: 'light' | 'dark';
  /** Whether the user may change the block. */
  editable?: boolean;
  /** The space of the page. */
  spaceId?: string;
  /** The site of the page. */
  siteId?: string;
}

/**
 * What was pressed: the action's name and its other fields.
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
  /** The rating, such as `good`. */
  rating: string;
  /** What the user wrote. May be empty. */
  comment: string;
}

/**
 * A request to a public endpoint. Its body is sent next to the event, as `fetch-body`.
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
  /** Headers by lower-case name. */
  headers: Record<string, string>;
}

/**
 * The task as it was queued.
 *
 * @title Task
 */
export interface Task {
  /**
   * The kind of task, as the integration chose it.
   *
   * @minLength 1
   */
  type: string;
  /** Data for the task. */
  payload?: unknown;
  [key: string]: unknown;
}
