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
 * Sent when the integration is added to a space, and whenever its configuration there changes.
 *
 * @title Installed in a space
 */
export interface SpaceInstallationSetupEvent extends EventBase<'space_installation_setup'>, InSpace {
  status: InstallationStatus;
  previous?: PreviousInstallation;
}

/**
 * Sent when the integration is added to a site, and whenever its configuration there changes.
 *
 * @title Installed on a site
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
 * A user viewed a page in a space.
 *
 * @title Space viewed
 */
export interface SpaceViewEvent extends EventBase<'space_view'>, InSpace, PageView {
  /** The id of the page. */
  pageId?: string;
}

/**
 * The platform requests a component's markup, for the first time or after an action.
 *
 * @title Component render requested
 */
export interface UIRenderEvent extends EventBase<'ui_render'>, Partial<InSpace>, Partial<OnSite> {
  /**
   * The id of the component.
   *
   * @minLength 1
   */
  componentId: string;
  /** The component's properties. */
  props: Record<string, unknown>;
  /** The component's state. Absent in the first render. */
  state?: Record<string, unknown>;
  action?: UIAction;
  context: RenderContext;
}

/**
 * A space's content has changed.
 *
 * @title Content updated
 */
export interface SpaceContentUpdatedEvent extends EventBase<'space_content_updated'>, InSpace {
  /** The id of the content revision. */
  revisionId: string;
  /** The users who changed the content. */
  updatedBy?: {
    /** The user's id. */
    id: string;
    /** The name that other users see. */
    displayName: string;
    /** The user's email address, if known. */
    email?: string;
    /** The URL of the user's profile image. */
    photoURL?: string;
  }[];
}

/**
 * A space's visibility has changed.
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
 * A Git sync has started.
 *
 * @title Git sync started
 */
export interface SpaceGitSyncStartedEvent extends EventBase<'space_gitsync_started'>, InSpace {
  /** The id of the content revision. */
  revisionId: string;
  /** The id of the Git commit. */
  commitId: string;
}

/**
 * A Git sync has completed.
 *
 * @title Git sync completed
 */
export interface SpaceGitSyncCompletedEvent extends EventBase<'space_gitsync_completed'>, InSpace {
  /** The id of the content revision. */
  revisionId: string;
  /** The id of the Git commit. */
  commitId: string;
  /** The result of the sync. */
  state: 'success' | 'failure';
}

/**
 * A visitor viewed a page on a site.
 *
 * @title Site viewed
 */
export interface SiteViewEvent extends EventBase<'site_view'>, OnSite, PageView {}

/**
 * A visitor rated a page.
 *
 * @title Page feedback
 */
export interface PageFeedbackEvent extends EventBase<'page_feedback'>, OnSite, InSpace, PageView {
  /** The id of the page. */
  pageId: string;
  feedback: PageRating;
}

/**
 * A request to one of the integration's public endpoints.
 *
 * @title HTTP request
 */
export interface FetchEvent extends EventBase<'fetch'> {
  /**
   * The id of the installation that the request is for. Empty for requests to the integration's own URL, unless there is exactly
   * one installation.
   */
  installationId: string;
  request: FetchRequest;
}

/**
 * A published page has requested the integration's script.
 *
 * @title Script requested
 */
export interface FetchPublishedScriptEvent
  extends EventBase<'fetch_published_script'>, Partial<OnSite>, Partial<InSpace> {
  request?: FetchRequest;
}

/**
 * A visitor must sign in to read the content, or is signing out.
 *
 * @title Visitor authentication requested
 */
export interface FetchVisitorAuthenticationEvent
  extends EventBase<'fetch_visitor_authentication'>, Partial<OnSite>, Partial<InSpace> {
  /** The path that the visitor wants to open. */
  location?: string;
  /** The query parameters of the requested URL. */
  searchParams?: Record<string, string>;
  /** The visitor's cookies, by name. */
  cookies?: Record<string, string>;
  /** Set if the visitor is signing out. */
  action?: 'logout';
  request?: FetchRequest;
}

/**
 * A queued task is due.
 *
 * @title Task due
 */
export interface TaskEvent extends EventBase<'task'> {
  /** The id of the installation whose token queued the task. Empty if the integration queued it, as queueTask does. */
  installationId: string;
  task: Task;
}

/**
 * The platform requests the list of pages from a content source.
 *
 * @title Revision requested
 */
export interface ContentComputeRevisionEvent extends EventBase<'content_compute_revision'> {
  /**
   * The id of the content source.
   *
   * @minLength 1
   */
  sourceId: string;
  /** The content source's properties. */
  props: Record<string, unknown>;
  /** The values that the content source depends on, by name. */
  dependencies: Record<string, unknown>;
}

/**
 * The platform requests a page from a content source.
 *
 * @title Document requested
 */
export interface ContentComputeDocumentEvent extends EventBase<'content_compute_document'> {
  /**
   * The id of the content source.
   *
   * @minLength 1
   */
  sourceId: string;
  /** The content source's properties. */
  props: Record<string, unknown>;
  /** The values that the content source depends on, by name. */
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
