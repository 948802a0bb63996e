import type {
  EventOf,
  EventType,
  FetchPublishedScriptEvent,
  FetchVisitorAuthenticationEvent,
} from '../../protocol/events.js';
import type { RuntimeCallback, RuntimeContext } from './context.js';

/** Events whose handler is an option of `createIntegration` and not an entry in `events`. */
type EventWithKey =
  | 'fetch'
  | 'fetch_published_script'
  | 'fetch_visitor_authentication'
  | 'task'
  | 'content_compute_revision'
  | 'content_compute_document';

/** An event whose handler belongs in `events`. */
export type NonFetchEvent = Exclude<EventType, EventWithKey>;

/**
 * A handler for one type of event.
 *
 * @example
 * ```ts
 * import type { EventCallback } from 'integration-platform';
 *
 * const onContent: EventCallback<'space_content_updated'> = async (event, context) => {
 *   const { data: space } = await context.api.spaces.getSpaceById(event.spaceId);
 *   console.log(`${space.title} is now at revision ${event.revisionId}`);
 * };
 * ```
 */
export type EventCallback<
  Type extends NonFetchEvent,
  Context extends RuntimeContext = RuntimeContext,
> = RuntimeCallback<[EventOf<Type>], unknown, Context>;

/** The handlers in `events`. */
export type EventCallbackMap<Context extends RuntimeContext = RuntimeContext> = {
  [Type in NonFetchEvent]?: EventCallback<Type, Context> | EventCallback<Type, Context>[];
};

/** Responds to HTTP requests to the integration's public endpoints. */
export type FetchEventCallback<Context extends RuntimeContext = RuntimeContext> = RuntimeCallback<
  [Request],
  Response | Promise<Response>,
  Context
>;

/** Returns the script to inject into a published site, or nothing. */
export type FetchPublishScriptEventCallback<Context extends RuntimeContext = RuntimeContext> =
  RuntimeCallback<[FetchPublishedScriptEvent], Response | undefined | Promise<Response | undefined>, Context>;

/** Responds to a visitor who must sign in, usually with a redirect. */
export type FetchVisitorAuthenticationEventCallback<Context extends RuntimeContext = RuntimeContext> =
  RuntimeCallback<[FetchVisitorAuthenticationEvent], Response | Promise<Response>, Context>;

/** The type of a context's tasks. */
export type ExtractTaskPayload<Context extends RuntimeContext> = Parameters<
  Context['integration']['queueTask']
>[0]['task'];

/** Runs a queued task. */
export type TaskCallback<Context extends RuntimeContext = RuntimeContext> = RuntimeCallback<
  [ExtractTaskPayload<Context>],
  unknown,
  Context
>;
