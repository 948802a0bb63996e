// The JSON Schemas of events and webhook payloads are generated from this file, with its comments as descriptions.
import type {
  Deleted,
  EventBase,
  FetchRequest,
  InSpace,
  OnSite,
  PageRating,
  PageView,
  PreviousInstallation,
  RenderContext,
  Task,
  UIAction,
} from './event-parts.js';
import type { InstallationStatus } from './environment.js';

export type { FetchRequest, RenderContext, Task, UIAction, Visitor } from './event-parts.js';

/**
 * Sent when the integration is installed, and whenever its configuration changes.
 *
 * @title Installation set up
 */
export interface InstallationSetupEvent extends EventBase<'installation_setup'> {
  status: InstallationStatus;
  previous?: PreviousInstallation;
}

/**
 * Sent when the integration is installed into a space, and whenever its configuration there changes.
 *
 * @title Installed into a space
 */
export interface SpaceInstallationSetupEvent extends EventBase<'space_installation_setup'>, InSpace {
  status: InstallationStatus;
  previous?: PreviousInstallation;
}

/**
 * Sent when the integration is installed into a site, and whenever its configuration there changes.
 *
 * @title Installed into a site
 */
export interface SiteInstallationSetupEvent extends EventBase<'site_installation_setup'>, OnSite {
  status: InstallationStatus;
  previous?: PreviousInstallation;
}

/**
 * Sent when the integration is uninstalled.
 *
 * @title Installation removed
 */
export interface InstallationDeletedEvent extends EventBase<'installation_deleted'>, Deleted {}

/**
 * Sent when the integration is removed from a space.
 *
 * @title Removed from a space
 */
export interface SpaceInstallationDeletedEvent
  extends EventBase<'space_installation_deleted'>, InSpace, Deleted {}

/**
 * Sent when the integration is removed from a site.
 *
 * @title Removed from a site
 */
export interface SiteInstallationDeletedEvent
  extends EventBase<'site_installation_deleted'>, OnSite, Deleted {}

/**
 * A user viewed a page of a space.
 *
 * @title Space viewed
 */
export interface SpaceViewEvent extends EventBase<'space_view'>, InSpace, PageView {
  /** The page. */
  pageId?: string;
}

/**
 * A component is rendered, or something in it was pressed.
 *
 * @title Component to be rendered
 */
export interface UIRenderEvent extends EventBase<'ui_render'>, Partial<InSpace>, Partial<OnSite> {
  /**
   * The component.
   *
   * @minLength 1
   */
  componentId: string;
  /** Its properties. */
  props: Record<string, unknown>;
  /** Its state, unless it is rendered for the first time. */
  state?: Record<string, unknown>;
  action?: UIAction;
  context: RenderContext;
}

/**
 * Content of a space has changed.
 *
 * @title Content updated
 */
export interface SpaceContentUpdatedEvent extends EventBase<'space_content_updated'>, InSpace {
  /** The revision of the content. */
  revisionId: string;
  /** Who changed it. */
  updatedBy?: {
    /** Id of the user. */
    id: string;
    /** The name that others see. */
    displayName: string;
    /** Email address, if it is known. */
    email?: string;
    /** URL of a profile image. */
    photoURL?: string;
  }[];
}

/**
 * The visibility of a space has changed.
 *
 * @title Visibility updated
 */
export interface SpaceVisibilityUpdatedEvent extends EventBase<'space_visibility_updated'>, InSpace {
  /** The new visibility. */
  visibility: string;
  /** The previous visibility. */
  previousVisibility: string;
}

/**
 * A synchronisation with Git has begun.
 *
 * @title Git sync started
 */
export interface SpaceGitSyncStartedEvent extends EventBase<'space_gitsync_started'>, InSpace {
  /** The revision of the content. */
  revisionId: string;
  /** The Git commit. */
  commitId: string;
}

/**
 * A synchronisation with Git has ended.
 *
 * @title Git sync completed
 */
export interface SpaceGitSyncCompletedEvent extends EventBase<'space_gitsync_completed'>, InSpace {
  /** The revision of the content. */
  revisionId: string;
  /** The Git commit. */
  commitId: string;
  /** The result. */
  state: 'success' | 'failure';
}

/**
 * A user visited a page of a site.
 *
 * @title Site viewed
 */
export interface SiteViewEvent extends EventBase<'site_view'>, OnSite, PageView {}

/**
 * A user rated a page.
 *
 * @title Feedback on a page
 */
export interface PageFeedbackEvent extends EventBase<'page_feedback'>, OnSite, InSpace, PageView {
  /** The page. */
  pageId: string;
  feedback: PageRating;
}

/**
 * A request to a public endpoint of the integration.
 *
 * @title HTTP request
 */
export interface FetchEvent extends EventBase<'fetch'> {
  /**
   * The installation that the request is for. Empty at the integration's own URL if there is no installation,
   * or more than one.
   */
  installationId: string;
  request: FetchRequest;
}

/**
 * A published page requests the integration's script.
 *
 * @title Script requested
 */
export interface FetchPublishedScriptEvent
  extends EventBase<'fetch_published_script'>, Partial<OnSite>, Partial<InSpace> {
  request?: FetchRequest;
}

/**
 * A visitor must sign in before reading, or signs out.
 *
 * @title Visitor to be authenticated
 */
export interface FetchVisitorAuthenticationEvent
  extends EventBase<'fetch_visitor_authentication'>, Partial<OnSite>, Partial<InSpace> {
  /** The path that the visitor wants to read. */
  location?: string;
  /** The query parameters of the URL that the visitor requested. */
  searchParams?: Record<string, string>;
  /** The visitor's cookies, by name. */
  cookies?: Record<string, string>;
  /** Set if the visitor signs out. */
  action?: 'logout';
  request?: FetchRequest;
}

/**
 * A task that the integration queued is due.
 *
 * @title Task due
 */
export interface TaskEvent extends EventBase<'task'> {
  /** The installation whose token queued the task. Empty when the integration queued it, as queueTask does. */
  installationId: string;
  task: Task;
}

/**
 * The pages of a content source are requested.
 *
 * @title Revision requested
 */
export interface ContentComputeRevisionEvent extends EventBase<'content_compute_revision'> {
  /**
   * The content source.
   *
   * @minLength 1
   */
  sourceId: string;
  /** Its properties. */
  props: Record<string, unknown>;
  /** The values that it depends on, by name. */
  dependencies: Record<string, unknown>;
}

/**
 * A page of a content source is requested.
 *
 * @title Document requested
 */
export interface ContentComputeDocumentEvent extends EventBase<'content_compute_document'> {
  /**
   * The content source.
   *
   * @minLength 1
   */
  sourceId: string;
  /** Its properties. */
  props: Record<string, unknown>;
  /** The values that it depends on, by name. */
  dependencies: Record<string, unknown>;
}

/** Every event that can be sent to a webhook endpoint. */
export type WebhookEvent = SpaceContentUpdatedEvent | SiteViewEvent | PageFeedbackEvent;

/** Every event that the platform sends to a script. */
export type PlatformEvent =
  | InstallationSetupEvent
  | SpaceInstallationSetupEvent
  | SiteInstallationSetupEvent
  | InstallationDeletedEvent
  | SpaceInstallationDeletedEvent
  | SiteInstallationDeletedEvent
  | SpaceViewEvent
  | UIRenderEvent
  | SpaceContentUpdatedEvent
  | SpaceVisibilityUpdatedEvent
  | SpaceGitSyncStartedEvent
  | SpaceGitSyncCompletedEvent
  | SiteViewEvent
  | PageFeedbackEvent
  | FetchEvent
  | FetchPublishedScriptEvent
  | FetchVisitorAuthenticationEvent
  | TaskEvent
  | ContentComputeRevisionEvent
  | ContentComputeDocumentEvent;

/** The type of an event, such as `space_content_updated`. */
export type EventType = PlatformEvent['type'];
/** The event with this type. */
export type EventOf<Type extends EventType> = Extract<PlatformEvent, { type: Type }>;
