export { createApiClient, PlatformApi } from './api-client.js';
export type { ExtendedListOptions, InstallationChange, List, ListOptions, QueuedTask } from './api-client.js';
export { PlatformApiError, type ApiAccess, type ApiAnswer } from './api-request.js';
export type * from './api-resources.js';
export type { ComponentAction, HostAction } from './component-action.js';
export { createContext, type RuntimeCallback, type RuntimeContext } from './context.js';
export {
  createComponent,
  type ComponentDefinition,
  type ComponentInstance,
  type ComponentRenderCache,
} from './create-component.js';
export {
  createContentSource,
  type ContentSourceDefinition,
  type ContentSourceInput,
} from './create-content-source.js';
export { createIntegration, type IntegrationScript } from './create-integration.js';
export type { IntegrationDefinition } from './integration-definition.js';
export { createOAuthHandler } from './create-oauth-handler.js';
export type { RuntimeEnvironment } from './environment.js';
export type {
  EventCallback,
  EventCallbackMap,
  ExtractTaskPayload,
  FetchEventCallback,
  FetchPublishScriptEventCallback,
  FetchVisitorAuthenticationEventCallback,
  NonFetchEvent,
  TaskCallback,
} from './event-callbacks.js';
export { ExposableError } from '../protocol/exposable-error.js';
export { getOAuthToken } from './get-oauth-token.js';
export { ContentKitIcon, GitSyncOperationState } from './named-values.js';
export { createElement } from './jsx/create-element.js';
export { Fragment } from './jsx/markup.js';
export { Logger, type Log } from './logger.js';
export type { OAuthConfig, OAuthConfiguration, OAuthResponse } from './oauth-config.js';
export { defaultOAuthExtractCredentials } from './oauth-credentials.js';
export type { HostContext } from './serve-envelope.js';
export { publicEndpoint, routePath, withQuery } from './urls.js';
export type * from './author-types.js';
