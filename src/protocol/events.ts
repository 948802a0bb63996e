import type { ConfigurationValues, InstallationStatus } from './environment.js';

interface EventBase<Type extends string> {
  eventId: string;
  type: Type;
  /** Empty for a request or a task with no installation in play. */
  installationId: string;
}

export interface Visitor {
  anonymousId: string;
  userAgent: string;
  ip: string;
  cookies: Record<string, string>;
}

interface PreviousInstallation {
  status?: InstallationStatus;
  configuration?: ConfigurationValues;
}

export interface InstallationSetupEvent extends EventBase<'installation_setup'> {
  status: InstallationStatus;
  previous?: PreviousInstallation;
}

export interface SpaceInstallationSetupEvent extends EventBase<'space_installation_setup'> {
  spaceId: string;
  status: InstallationStatus;
  previous?: PreviousInstallation;
}

export interface SiteInstallationSetupEvent extends EventBase<'site_installation_setup'> {
  siteId: string;
  status: InstallationStatus;
  previous?: PreviousInstallation;
}

interface Deleted {
  /** How it was until then. */
  previous: { configuration?: ConfigurationValues };
}

export interface InstallationDeletedEvent extends EventBase<'installation_deleted'>, Deleted {}

export interface SpaceInstallationDeletedEvent extends EventBase<'space_installation_deleted'>, Deleted {
  spaceId: string;
}

export interface SiteInstallationDeletedEvent extends EventBase<'site_installation_deleted'>, Deleted {
  siteId: string;
}

export interface SpaceViewEvent extends EventBase<'space_view'> {
  spaceId: string;
  pageId?: string;
  visitor: Visitor;
  url: string;
  referrer: string;
}

export interface RenderContext {
  type: 'document' | 'configuration';
  theme: 'light' | 'dark';
  editable?: boolean;
  spaceId?: string;
  siteId?: string;
}

export interface UIAction {
  action: string;
  [key: string]: unknown;
}

export interface UIRenderEvent extends EventBase<'ui_render'> {
  componentId: string;
  props: Record<string, unknown>;
  state?: Record<string, unknown>;
  action?: UIAction;
  context: RenderContext;
  spaceId?: string;
  siteId?: string;
}

export interface SpaceContentUpdatedEvent extends EventBase<'space_content_updated'> {
  spaceId: string;
  revisionId: string;
  /** Who changed it. */
  updatedBy?: { id: string; displayName: string; email?: string; photoURL?: string }[];
}

export interface SpaceVisibilityUpdatedEvent extends EventBase<'space_visibility_updated'> {
  spaceId: string;
  visibility: string;
  previousVisibility: string;
}

export interface SpaceGitSyncStartedEvent extends EventBase<'space_gitsync_started'> {
  spaceId: string;
  revisionId: string;
  commitId: string;
}

export interface SpaceGitSyncCompletedEvent extends EventBase<'space_gitsync_completed'> {
  spaceId: string;
  revisionId: string;
  commitId: string;
  state: 'success' | 'failure';
}

export interface SiteViewEvent extends EventBase<'site_view'> {
  siteId: string;
  visitor: Visitor;
  url: string;
  referrer: string;
}

export interface PageFeedbackEvent extends EventBase<'page_feedback'> {
  siteId: string;
  spaceId: string;
  pageId: string;
  feedback: { rating: string; comment: string };
  visitor: Visitor;
  url: string;
  referrer: string;
}

export interface FetchRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
}

export interface FetchEvent extends EventBase<'fetch'> {
  request: FetchRequest;
}

export interface FetchPublishedScriptEvent extends EventBase<'fetch_published_script'> {
  siteId?: string;
  spaceId?: string;
  request?: FetchRequest;
}

export interface FetchVisitorAuthenticationEvent extends EventBase<'fetch_visitor_authentication'> {
  siteId?: string;
  spaceId?: string;
  location?: string;
  searchParams?: Record<string, string>;
  cookies?: Record<string, string>;
  action?: 'logout';
  request?: FetchRequest;
}

export interface Task {
  type: string;
  payload?: unknown;
  [key: string]: unknown;
}

export interface TaskEvent extends EventBase<'task'> {
  task: Task;
}

export interface ContentComputeRevisionEvent extends EventBase<'content_compute_revision'> {
  sourceId: string;
  props: Record<string, unknown>;
  dependencies: Record<string, unknown>;
}

export interface ContentComputeDocumentEvent extends EventBase<'content_compute_document'> {
  sourceId: string;
  props: Record<string, unknown>;
  dependencies: Record<string, unknown>;
}

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

export type EventType = PlatformEvent['type'];
export type EventOf<Type extends EventType> = Extract<PlatformEvent, { type: Type }>;
