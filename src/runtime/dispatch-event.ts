import type { Blocks } from '../protocol/byte-blocks.js';
import type { PlatformEvent } from '../protocol/events.js';
import type { RuntimeContext } from './context.js';
import type { NonFetchEvent } from './event-callbacks.js';
import { ExposableError } from './exposable-error.js';
import { buildRequest } from './fetch-request.js';
import type { IntegrationDefinition } from './integration-definition.js';

type KeyOfItsOwn = 'fetch' | 'fetch_visitor_authentication' | 'fetch_published_script' | 'task';

/** Hands an event to what the definition has for it. */
export async function dispatchEvent<Context extends RuntimeContext>(
  definition: IntegrationDefinition<Context>,
  event: PlatformEvent,
  body: Blocks | undefined,
  context: Context,
): Promise<Response> {
  const { components = [], contentSources = [] } = definition;
  const noHandler = (code: number, what = `"${event.type}" events`): never => {
    throw new ExposableError(`Integration does not handle ${what}`, code);
  };
  const handlerOf = <Key extends KeyOfItsOwn>(key: Key): NonNullable<IntegrationDefinition<Context>[Key]> =>
    definition[key] ?? noHandler(400);

  switch (event.type) {
    case 'fetch':
      return responseOf(await handlerOf(event.type)(buildRequest(event, body), context));
    case 'fetch_visitor_authentication':
      return responseOf(await handlerOf(event.type)(event, context));
    case 'fetch_published_script': {
      const type = { headers: { 'Content-Type': 'application/javascript' } };
      return (await handlerOf(event.type)(event, context)) ?? new Response('/** no-op */', type);
    }
    case 'task':
      await handlerOf(event.type)(event.task, context);
      break;
    case 'content_compute_revision':
    case 'content_compute_document': {
      const source = contentSources.find(({ sourceId }) => sourceId === event.sourceId);
      return (source ?? noHandler(404, `the content source "${event.sourceId}"`)).compute(event, context);
    }
    case 'ui_render': {
      const component = components.find(({ componentId }) => componentId === event.componentId);
      const known = components.map(({ componentId }) => `"${componentId}"`).join(', ') || 'none';
      const what = `the component "${event.componentId}"; it has ${known}`;
      const response = await (component ?? noHandler(404, what)).render(event, context);
      await runHandlers(definition, event, context);
      return response;
    }
    default:
      if (!(await runHandlers(definition, event, context))) noHandler(406);
  }
  return new Response('OK');
}

/** Runs all of an event's handlers to their end, then throws the first failure. False if there is none. */
async function runHandlers<Context extends RuntimeContext>(
  { events = {} }: IntegrationDefinition<Context>,
  event: PlatformEvent,
  context: Context,
): Promise<boolean> {
  if (!Object.hasOwn(events, event.type)) return false;
  const handlers = [events[event.type as NonFetchEvent] ?? []].flat();
  const runs = handlers.map(async (handle) => handle(event as never, context));
  await Promise.allSettled(runs);
  await Promise.all(runs);
  return true;
}

function responseOf(answer: Response | undefined): Response {
  if (answer) return answer;
  throw new TypeError('The handler returned no Response.');
}
