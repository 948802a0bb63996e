import type { Bytes } from '../protocol/bytes.js';
import type { PlatformEvent } from '../protocol/events.js';
import { ExposableError } from '../protocol/exposable-error.js';
import type { RuntimeContext } from './context.js';
import type { NonFetchEvent } from './event-callbacks.js';
import { buildRequest } from './fetch-request.js';
import type { IntegrationDefinition } from './integration-definition.js';

/** Hands an event to what the definition has for it. */
export const dispatchEvent = async <Context extends RuntimeContext>(
  definition: IntegrationDefinition<Context>,
  event: PlatformEvent,
  body: Bytes | undefined,
  context: Context,
): Promise<Response> => {
  const { components, contentSources, events = {} } = definition;
  const noHandler = (code: number, what = `"${event.type}" events`): never => {
    throw new ExposableError(`Integration does not handle ${what}`, code);
  };
  const named = <Key extends string, Item extends Record<Key, string>>(
    what: string,
    key: Key,
    name: string,
    items: Item[] = [],
  ): Item =>
    items.find((item) => item[key] === name) ??
    noHandler(
      404,
      `the ${what} "${name}"; it has ${items.map((item) => `"${item[key]}"`).join(', ') || 'none'}`,
    );
  /** Runs all of an event's handlers to their end, then throws the first failure. */
  const runHandlers = async (): Promise<void> => {
    const handlers = [events[event.type as NonFetchEvent] ?? []].flat();
    const runs = handlers.map(async (handle) => handle(event as never, context));
    await Promise.allSettled(runs);
    await Promise.all(runs);
  };

  switch (event.type) {
    case 'fetch':
    case 'fetch_visitor_authentication':
    case 'fetch_published_script': {
      const handle = (definition[event.type] ?? noHandler(400)) as (
        input: unknown,
        context: Context,
      ) => Promise<Response | undefined>;
      const answer = await handle(event.type === 'fetch' ? buildRequest(event, body) : event, context);
      if (answer) return answer;
      if (event.type !== 'fetch_published_script') throw new TypeError('The handler returned no Response.');
      return new Response('/** no-op */', { headers: { 'Content-Type': 'application/javascript' } });
    }
    case 'task':
      await (definition.task ?? noHandler(400))(event.task, context);
      break;
    case 'content_compute_revision':
    case 'content_compute_document':
      return named('content source', 'sourceId', event.sourceId, contentSources).compute(event, context);
    case 'ui_render': {
      const component = named('component', 'componentId', event.componentId, components);
      const response = await component.render(event, context);
      await runHandlers();
      return response;
    }
    default:
      if (!Object.hasOwn(events, event.type)) noHandler(406);
      await runHandlers();
  }
  return new Response('OK');
};
