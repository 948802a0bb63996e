import type { ConfigurationValues, InstallationStatus } from './environment.js';

interface EventBase<Type extends string> {
  /** Identifies the event. */
  eventId: string;
  /** Type of the event. */
  type: Type;
  /** The installation that the event is for. Empty for a request or task without an installation. */
  installationId: string;
}

/** A visitor of a published site or space. */
export interface Visitor {
  /** Random id that stays the same for a browser. */
  anonymousId: string;
  /** `User-Agent` header of the browser. */
  userAgent: string;
  /** IP address. */
  ip: string;
  /** Cookies by name. */
  cookies: Record<string, string>;
}

/** The status and configuration before the change. */
interface PreviousInstallation {
  status?: InstallationStatus;
  configuration?: ConfigurationValues;
}

/** The integration was installed, or the configuration of an installation changed. */
export interface InstallationSetupEvent extends EventBase<'installation_setup'> {
  status: InstallationStatus;
  previous?: PreviousInstallation;
}

/** The installation was added to a space, or its configuration there changed. */
export interface SpaceInstallationSetupEvent extends EventBase<'space_installation_setup'> {
  spaceId: string;
  status: InstallationStatus;
  previous?: PreviousInstallation;
}

/** The installation was added to a site, or its configuration there changed. */
export interface SiteInstallationSetupEvent extends EventBase<'site_installation_setup'> {
  siteId: string;
  status: InstallationStatus;
  previous?: PreviousInstallation;
}

interface Deleted {
  /** The installation before it was deleted. */
  previous: { configuration?: ConfigurationValues };
}

/** The integration was uninstalled. */
export interface InstallationDeletedEvent extends EventBase<'installation_deleted'>, Deleted {}

/** The installation was removed from a space. */
export interface SpaceInstallationDeletedEvent extends EventBase<'space_installation_deleted'>, Deleted {
  spaceId: string;
}

/** The installation was removed from a site. */
export interface SiteInstallationDeletedEvent extends EventBase<'site_installation_deleted'>, Deleted {
  siteId: string;
}

/** A visitor viewed a page of a published space. */
export interface SpaceViewEvent extends EventBase<'space_view'> {
  spaceId: string;
  pageId?: string;
  visitor: Visitor;
  url: string;
  referrer: string;
}

/** Where a component is rendered. */
export interface RenderContext {
  type: 'document' | 'configuration';
  theme: 'light' | 'dark';
  editable?: boolean;
  spaceId?: string;
  siteId?: string;
}

/** An action that a component receives. */
export interface UIAction {
  /** Name of the action. */
  action: string;
  [key: string]: unknown;
}

/** The platform needs the markup of a component. */
export interface UIRenderEvent extends EventBase<'ui_render'> {
  componentId: string;
  props: Record<string, unknown>;
  state?: Record<string, unknown>;
  action?: UIAction;
  context: RenderContext;
  spaceId?: string;
  siteId?: string;
}

/** The content of a space changed. */
export interface SpaceContentUpdatedEvent extends EventBase<'space_content_updated'> {
  spaceId: string;
  revisionId: string;
  /** The users who made the change. */
  updatedBy?: { id: string; displayName: string; email?: string; photoURL?: string }[];
}

/** The visibility of a space changed. */
export interface SpaceVisibilityUpdatedEvent extends EventBase<'space_visibility_updated'> {
  spaceId: string;
  visibility: string;
  previousVisibility: string;
}

/** A Git sync of a space started. */
export interface SpaceGitSyncStartedEvent extends EventBase<'space_gitsync_started'> {
  spaceId: string;
  revisionId: string;
  commitId: string;
}

/** A Git sync of a space ended. `state` contains the result. */
export interface SpaceGitSyncCompletedEvent extends EventBase<'space_gitsync_completed'> {
  spaceId: string;
  revisionId: string;
  commitId: string;
  state: 'success' | 'failure';
}

/** A visitor viewed a page of a published site. */
export interface SiteViewEvent extends EventBase<'site_view'> {
  siteId: string;
  visitor: Visitor;
  url: string;
  referrer: string;
}

/** A visitor rated a page. */
export interface PageFeedbackEvent extends EventBase<'page_feedback'> {
  siteId: string;
  spaceId: string;
  pageId: string;
  feedback: { rating: string; comment: string };
  visitor: Visitor;
  url: string;
  referrer: string;
}

/** An HTTP request. */
export interface FetchRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
}

/** An HTTP request arrived at a public endpoint of the integration. */
export interface FetchEvent extends EventBase<'fetch'> {
  request: FetchRequest;
}

/** A published site needs the script that the integration injects. */
export interface FetchPublishedScriptEvent extends EventBase<'fetch_published_script'> {
  siteId?: string;
  spaceId?: string;
  request?: FetchRequest;
}

/** A visitor has to sign in, or signs out. */
export interface FetchVisitorAuthenticationEvent extends EventBase<'fetch_visitor_authentication'> {
  siteId?: string;
  spaceId?: string;
  location?: string;
  searchParams?: Record<string, string>;
  cookies?: Record<string, string>;
  action?: 'logout';
  request?: FetchRequest;
}

/** A task that the integration queued. */
export interface Task {
  /** Kind of task, as chosen by the integration. */
  type: string;
  payload?: unknown;
  [key: string]: unknown;
}

/** A queued task is due. */
export interface TaskEvent extends EventBase<'task'> {
  task: Task;
}

/** The platform needs the list of pages of a content source. */
export interface ContentComputeRevisionEvent extends EventBase<'content_compute_revision'> {
  sourceId: string;
  props: Record<string, unknown>;
  dependencies: Record<string, unknown>;
}

/** The platform needs the content of a page of a content source. */
export interface ContentComputeDocumentEvent extends EventBase<'content_compute_document'> {
  sourceId: string;
  props: Record<string, unknown>;
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
