export { createApiClient, PlatformApi } from './api/api-client.js';
export { PlatformApiError, type ApiAccess, type ApiAnswer } from './api/api-request.js';
export type * from './api/api-resources.js';
export type { ComponentAction, HostAction } from './definition/component-action.js';
export { createContext, type RuntimeCallback, type RuntimeContext } from './definition/context.js';
export {
  createComponent,
  type ComponentDefinition,
  type ComponentInstance,
  type ComponentRenderCache,
} from './definition/create-component.js';
export {
  createContentSource,
  type ContentSourceDefinition,
  type ContentSourceInput,
} from './definition/create-content-source.js';
export { createRecurringTask, type RecurringTask } from './recurring-task.js';
export { createIntegration, type IntegrationScript } from './create-integration.js';
export type { IntegrationDefinition } from './definition/integration-definition.js';
export { createOAuthHandler } from './oauth/create-oauth-handler.js';
export type { RuntimeEnvironment } from './environment/runtime-environment.js';
export type {
  EventCallback,
  EventCallbackMap,
  ExtractTaskPayload,
  FetchEventCallback,
  FetchPublishScriptEventCallback,
  FetchVisitorAuthenticationEventCallback,
  NonFetchEvent,
  TaskCallback,
} from './definition/event-callbacks.js';
export { ExposableError } from '../protocol/exposable-error.js';
export { getOAuthToken } from './oauth/get-oauth-token.js';
export { ContentKitIcon, GitSyncOperationState } from './icons-and-sync-states.js';
export { createElement } from './jsx/create-element.js';
export { Fragment } from './jsx/markup-node.js';
export { Logger, type Log } from './definition/logger.js';
export type { OAuthConfig, OAuthConfiguration, OAuthResponse } from './oauth/oauth-config.js';
export { OAuthError } from './oauth/oauth-error.js';
export { defaultOAuthExtractCredentials } from './oauth/oauth-credentials.js';
export { verifyHmac, type HmacSignature } from './serve/verify-hmac.js';
export type { HostContext } from './serve/serve-envelope.js';
export { publicEndpoint, routePath, withQuery } from './environment/urls.js';
export type * from './author-types.js';
