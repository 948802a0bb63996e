import type { RuntimeContext } from './context.js';
import type { ComponentDefinition } from './create-component.js';
import type { ContentSourceDefinition } from './create-content-source.js';
import type {
  EventCallbackMap,
  FetchEventCallback,
  FetchPublishScriptEventCallback,
  FetchVisitorAuthenticationEventCallback,
  TaskCallback,
} from './event-callbacks.js';

/** The options of `createIntegration`. */
export interface IntegrationDefinition<Context extends RuntimeContext = RuntimeContext> {
  /** Responds to HTTP requests to the integration's public endpoints. */
  fetch?: FetchEventCallback<Context>;
  /** Event handlers, keyed by event type. Each is a function or an array of functions. */
  events?: EventCallbackMap<Context>;
  /** Components that render blocks and configuration screens. */
  components?: ComponentDefinition<Context>[];
  /** Content sources that generate pages. */
  contentSources?: ContentSourceDefinition<Context>[];
  /** Runs a task that was queued with `context.integration.queueTask`. */
  task?: TaskCallback<Context>;
  /** Returns the script to inject into a published site. */
  fetch_published_script?: FetchPublishScriptEventCallback<Context>;
  /** Responds to a visitor who must sign in, usually with a redirect. */
  fetch_visitor_authentication?: FetchVisitorAuthenticationEventCallback<Context>;
}
