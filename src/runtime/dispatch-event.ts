import type { PlatformEvent, UIRenderEvent } from '../protocol/events.js';
import type { IntegrationDefinition } from './integration-definition.js';
import type { RuntimeContext } from './context.js';
import { ExposableError } from './exposable-error.js';
import { buildRequest, type Body } from './fetch-request.js';

/** Hands an event to what the definition has for it. */
export async function dispatchEvent<Context extends RuntimeContext>(
  definition: IntegrationDefinition<Context>,
  event: PlatformEvent,
  body: Body,
  context: Context,
): Promise<Response> {
  const { components = [], contentSources = [] } = definition;
  switch (event.type) {
    case 'fetch': {
      const handle = definition.fetch ?? noHandler('HTTP requests');
      return responseOf(await handle(buildRequest(event, body), context), 'fetch');
    }
    case 'fetch_published_script': {
      const handle = definition.fetch_published_script ?? noHandler(event.type);
      return (await handle(event, context)) ?? noScript();
    }
    case 'fetch_visitor_authentication': {
      const handle = definition.fetch_visitor_authentication ?? noHandler(event.type);
      return responseOf(await handle(event, context), event.type);
    }
    case 'task': {
      await (definition.task ?? noHandler('tasks'))(event.task, context);
      return new Response('OK');
    }
    case 'content_compute_revision':
    case 'content_compute_document': {
      const source = contentSources.find(({ sourceId }) => sourceId === event.sourceId);
      if (!source) throw new ExposableError(`Content source ${event.sourceId} not found`, 404);
      return source.compute(event, context);
    }
    case 'ui_render': {
      const component = components.find(({ componentId }) => componentId === event.componentId);
      if (!component) throw new ExposableError(`Component ${event.componentId} not found`, 404);
      const response = await component.render(event, context);
      await runHandlers(definition, event, context);
      return response;
    }
    default: {
      if (!(await runHandlers(definition, event, context))) {
        throw new ExposableError(`Integration does not handle "${event.type}" events`, 406);
      }
      return new Response('OK');
    }
  }
}

type NamedEvent = Exclude<
  PlatformEvent,
  { type: 'fetch' | `fetch_${string}` | 'task' | `content_compute_${string}` }
>;

/** Runs all of an event's handlers to their end, then throws the first failure. False if there is none. */
async function runHandlers<Context extends RuntimeContext>(
  { events = {} }: IntegrationDefinition<Context>,
  event: NamedEvent | UIRenderEvent,
  context: Context,
): Promise<boolean> {
  const named = Object.hasOwn(events, event.type) ? events[event.type] : undefined;
  if (!named) return false;
  const handlers = [named].flat() as ((event: NamedEvent, context: Context) => unknown)[];
  const ends = await Promise.allSettled(handlers.map(async (handle) => handle(event, context)));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return true;
}

function noHandler(what: string): never {
  throw new ExposableError(`Integration does not handle ${what}`, 400);
}

const noScript = (): Response =>
  new Response('/** no-op */', { headers: { 'Content-Type': 'application/javascript' } });

function responseOf(answer: Response | undefined, name: string): Response {
  if (answer) return answer;
  throw new TypeError(`The handler of "${name}" returned no Response.`);
}
