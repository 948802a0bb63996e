import type { PlatformEvent } from '../protocol/events.js';
import type { RuntimeContext } from './context.js';
import { ExposableError } from './exposable-error.js';
import { buildRequest, type Body } from './fetch-request.js';
import type { IntegrationDefinition } from './integration-definition.js';

/** Hands an event to what the definition has for it. */
export async function dispatchEvent<Context extends RuntimeContext>(
  definition: IntegrationDefinition<Context>,
  event: PlatformEvent,
  body: Body,
  context: Context,
): Promise<Response> {
  const { components = [], contentSources = [] } = definition;
  const noHandler = (code: number, what = `"${event.type}" events`): never => {
    throw new ExposableError(`Integration does not handle ${what}`, code);
  };

  switch (event.type) {
    case 'fetch': {
      const handle = definition.fetch ?? noHandler(400);
      return responseOf(await handle(buildRequest(event, body), context));
    }
    case 'fetch_visitor_authentication': {
      const handle = definition.fetch_visitor_authentication ?? noHandler(400);
      return responseOf(await handle(event, context));
    }
    case 'fetch_published_script': {
      const handle = definition.fetch_published_script ?? noHandler(400);
      const type = { headers: { 'Content-Type': 'application/javascript' } };
      return (await handle(event, context)) ?? new Response('/** no-op */', type);
    }
    case 'task': {
      const handle = definition.task ?? noHandler(400);
      await handle(event.task, context);
      return new Response('OK');
    }
    case 'content_compute_revision':
    case 'content_compute_document': {
      const source = contentSources.find(({ sourceId }) => sourceId === event.sourceId);
      return (source ?? noHandler(404, `the content source "${event.sourceId}"`)).compute(event, context);
    }
    case 'ui_render': {
      const component = components.find(({ componentId }) => componentId === event.componentId);
      const { render } = component ?? noHandler(404, unknownComponent(event.componentId, components));
      const response = await render(event, context);
      await runHandlers(definition, event, context);
      return response;
    }
    default:
      return (await runHandlers(definition, event, context)) ? new Response('OK') : noHandler(406);
  }
}

/** Runs all of an event's handlers to their end, then throws the first failure. False if there is none. */
async function runHandlers<Context extends RuntimeContext>(
  { events = {} }: IntegrationDefinition<Context>,
  event: PlatformEvent,
  context: Context,
): Promise<boolean> {
  const entry = Object.entries(events).find(([type]) => type === event.type);
  const handlers = [entry?.[1] ?? []].flat() as ((event: PlatformEvent, context: Context) => unknown)[];
  const ends = await Promise.allSettled(handlers.map(async (handle) => handle(event, context)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return entry !== undefined;
}

function unknownComponent(id: string, components: readonly { componentId: string }[]): string {
  const known = components.map(({ componentId }) => `"${componentId}"`).join(', ');
  return `the component "${id}"; it has ${known || 'none'}`;
}

function responseOf(answer: Response | undefined): Response {
  if (answer) return answer;
  throw new TypeError('The handler returned no Response.');
}
