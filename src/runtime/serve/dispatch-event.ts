import type { Bytes } from '../../protocol/envelope/request-bytes.js';
import type { PlatformEvent, FetchEvent } from '../../protocol/events.js';
import { ExposableError } from '../../protocol/exposable-error.js';
import type { RuntimeContext } from '../definition/context.js';
import type { NonFetchEvent } from '../definition/event-callbacks.js';
import type { IntegrationDefinition } from '../definition/integration-definition.js';
import { envelopeError } from '../../protocol/envelope/envelope-limits.js';

/** Passes an event to its handlers. */
export const dispatchEvent = async <Context extends RuntimeContext>(
  definition: IntegrationDefinition<Context>,
  event: PlatformEvent,
  body: Bytes | undefined,
  context: Context,
): Promise<Response | undefined> => {
  const { events = {} } = definition;
  const noHandler = (
    code: number,
    what = `"${event.type}" events`,
    why = `Integration does not handle ${what}`,
  ): never => {
    throw new ExposableError(why, code);
  };
  const named = <Key extends string, Item extends Record<Key, string>>(
    what: string,
    key: Key,
    { [key]: name }: Record<Key, string>,
    items: Item[] = [],
  ): Item => items.find((item) => item[key] === name) ?? noHandler(404, what, `${what} ${name} not found`);
  /** Waits for all handlers of the event, and then throws the first error. */
  const runHandlers = async (): Promise<void> => {
    const handlers = [events[event.type as NonFetchEvent] ?? []].flat();
    const runs = handlers.map(async (handle) => handle(event as never, context));
    await Promise.allSettled(runs);
    await Promise.all(runs);
  };

  const handled = (input: unknown, missing?: string): Promise<Response | undefined> =>
    ((definition as Handlers)[event.type] ?? noHandler(400, missing))(input, context);

  switch (event.type) {
    case 'fetch':
      return handled(buildRequest(event, body), 'HTTP requests');
    case 'fetch_visitor_authentication':
      return handled(event);
    case 'fetch_published_script':
      return (
        (await handled(event)) ??
        new Response('/** no-op */', { headers: { 'Content-Type': 'application/javascript' } })
      );
    case 'task':
      await handled(event.task, 'tasks');
      break;
    case 'content_compute_revision':
    case 'content_compute_document':
      return named('Content source', 'sourceId', event, definition.contentSources).compute(event, context);
    case 'ui_render': {
      const response = await named('Component', 'componentId', event, definition.components).render(
        event,
        context,
      );
      await runHandlers();
      return response;
    }
    default:
      if (!Object.hasOwn(events, event.type)) noHandler(406);
      await runHandlers();
  }
  return new Response('OK');
};

type Handlers = Record<string, (input: unknown, context: RuntimeContext) => Promise<Response | undefined>>;

/** A body of at least this size is streamed instead of being copied into the request. */
const large = 65_536;

/**
 * Returns the request that the author's code receives. The Fetch standard forbids TRACE, CONNECT, and bodies
 * in GET and HEAD requests, so such requests are rejected with an explanation.
 */
const buildRequest = ({ request }: FetchEvent, body: Bytes | undefined): Request => {
  const { url, method } = request ?? ({} as FetchEvent['request']);
  const build = (content: BodyInit | undefined): Request => {
    try {
      // A stream can be the body only if `duplex` is set, and the DOM types do not include that option.
      return new Request(url, { ...request, body: content, duplex: 'half' } as RequestInit);
    } catch (error) {
      const why = `is not a valid request (${String(error)})`;
      throw envelopeError(400, 'event', why);
    }
  };
  const content = body?.length || !/^(GET|HEAD)$/i.test(method) ? body : undefined;
  return content && content.length >= large ? buildLarge(content, build) : build(content);
};

const buildLarge = (body: Bytes, build: (content: BodyInit) => Request): Request => {
  const request = build(
    new ReadableStream<Bytes>({
      start(controller) {
        controller.enqueue(body);
        controller.close();
      },
    }),
  );
  const { arrayBuffer } = request;
  return Object.assign(request, {
    // The built-in method first collects the whole body and then copies it.
    async arrayBuffer() {
      if (request.bodyUsed || request.body?.locked) return arrayBuffer.call(request);
      // Not awaited, because cancel() resolves only when the body of every clone has ended.
      void request.body?.cancel();
      return body.slice().buffer;
    },
  });
};
