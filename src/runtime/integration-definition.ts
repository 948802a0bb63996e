import type { RuntimeContext } from './context.js';
import type { ComponentDefinition } from './create-component.js';
import type { ContentSourceDefinition } from './create-content-source.js';
import type {
  EventCallbackMap,
  FetchEventCallback,
  FetchPublishScriptEventCallback,
  FetchVisitorAuthenticationEventCallback,
  TaskCallback,
} from './serve/event-callbacks.js';

/** What `createIntegration` takes. */
export interface IntegrationDefinition<Context extends RuntimeContext = RuntimeContext> {
  /** Answers the HTTP requests to the public endpoints. */
  fetch?: FetchEventCallback<Context>;
  /** Handlers of the platform's events. */
  events?: EventCallbackMap<Context>;
  components?: ComponentDefinition<Context>[];
  contentSources?: ContentSourceDefinition<Context>[];
  /** Carries out what `context.integration.queueTask` has put off. */
  task?: TaskCallback<Context>;
  fetch_published_script?: FetchPublishScriptEventCallback<Context>;
  fetch_visitor_authentication?: FetchVisitorAuthenticationEventCallback<Context>;
}
