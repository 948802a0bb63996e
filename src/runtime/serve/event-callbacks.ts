import type {
  EventOf,
  EventType,
  FetchPublishedScriptEvent,
  FetchVisitorAuthenticationEvent,
} from '../../protocol/events.js';
import type { RuntimeCallback, RuntimeContext } from '../context.js';

/** Events that go to a key of the definition of their own, not to `events`. */
type EventWithKey =
  | 'fetch'
  | 'fetch_published_script'
  | 'fetch_visitor_authentication'
  | 'task'
  | 'content_compute_revision'
  | 'content_compute_document';

export type NonFetchEvent = Exclude<EventType, EventWithKey>;

/**
 * A handler of one event.
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

export type EventCallbackMap<Context extends RuntimeContext = RuntimeContext> = {
  [Type in NonFetchEvent]?: EventCallback<Type, Context> | EventCallback<Type, Context>[];
};

/** Handles the HTTP requests to the integration's public endpoints. */
export type FetchEventCallback<Context extends RuntimeContext = RuntimeContext> = RuntimeCallback<
  [Request],
  Response | Promise<Response>,
  Context
>;

/** Answers the script to publish, or nothing. */
export type FetchPublishScriptEventCallback<Context extends RuntimeContext = RuntimeContext> =
  RuntimeCallback<[FetchPublishedScriptEvent], Response | undefined | Promise<Response | undefined>, Context>;

/** Answers where a visitor is sent to sign in. */
export type FetchVisitorAuthenticationEventCallback<Context extends RuntimeContext = RuntimeContext> =
  RuntimeCallback<[FetchVisitorAuthenticationEvent], Response | Promise<Response>, Context>;

/** What the tasks of a context are. */
export type ExtractTaskPayload<Context extends RuntimeContext> = Parameters<
  Context['integration']['queueTask']
>[0]['task'];

/** Carries out a task that was queued before. */
export type TaskCallback<Context extends RuntimeContext = RuntimeContext> = RuntimeCallback<
  [ExtractTaskPayload<Context>],
  unknown,
  Context
>;
