import type { Clock } from '../../base/clock.js';
import { decodeEnvelope } from '../../protocol/envelope/decode-envelope.js';
import { createContext, type RuntimeContext } from '../definition/context.js';
import type { IntegrationDefinition } from '../definition/integration-definition.js';
import { dispatchEvent } from './dispatch-event.js';
import { logger, logThrown } from '../definition/logger.js';
import { internalError, type ExposableError } from '../../protocol/exposable-error.js';

/** Passed to the script by its host process with each request. */
export interface HostContext {
  /** Keeps the host running until the promise settles. */
  waitUntil?(promise: Promise<unknown>): void;
  /** The host's clock. */
  clock?: Pick<Clock, 'now'>;
  /** Returns the position where a function is defined, as a stack line that starts with a line break. */
  placeOf?(handler: unknown): string | undefined;
  /** Called when a promise passed to `waitUntil` rejects. */
  rejected?(error: unknown, work: Promise<unknown>): void;
}

/** Handles `POST /{version}`: reads the envelope, and then handles the event in it. */
export const serveEnvelope = async <Context extends RuntimeContext>(
  definition: IntegrationDefinition<Context>,
  request: Request,
  host: HostContext = {},
): Promise<Response> => {
  if (request.method !== 'POST') {
    return new Response('Method not allowed', { status: 405, headers: { Allow: 'POST' } });
  }
  const version = new URL(request.url).pathname.slice(1);
  if (version !== 'v1') {
    return respond(`Version "${version}" is not supported. Use v1.`, 400);
  }
  const pending: Promise<unknown>[] = [];
  const waitUntil = (promise: Promise<unknown>): void => {
    const work = Promise.resolve(promise).catch((error: unknown) => {
      logger.error('waitUntil failed', error);
      host.rejected?.(error, work);
    });
    if (host.waitUntil) host.waitUntil(work);
    else pending.push(work);
  };
  try {
    const { event, environment, body } = await decodeEnvelope(request);
    const context = createContext(environment, waitUntil, host.clock);
    const response = await dispatchEvent(definition, event, body, context as Context);
    // Checks for a method instead of the class, because a package may define its own Response class.
    if (response?.text) return response;
    const error = new TypeError(`"${event.type}" handler returned no Response`);
    // The handler is no longer on the stack, but the host may know its position.
    error.stack += host.placeOf?.(definition[event.type as 'fetch']) ?? '';
    throw error;
  } catch (error) {
    return errorResponse(error);
  } finally {
    // Without the host's waitUntil, the response waits for this work and for any work added in the meantime.
    for (const work of pending) await work;
  }
};

/** Returns the response for an error. If an error must not be exposed, its details are only logged. */
const errorResponse = (error: unknown): Response => {
  const { exposable, code, message, stack } = (error ?? {}) as ExposableError;
  if (!exposable) {
    logThrown(error);
    return respond(internalError, 500);
  }
  // Not logged for status 406, because the platform itself reports events without a handler.
  if (code !== 406) logger.info(`Responded ${code}: ${stack ?? message}`);
  return respond(message, code);
};

/** Returns a response that contains the error. The code comes from the author, so it may be out of range. */
const respond = (error: string, code: number): Response =>
  Response.json({ error }, { status: code >= 400 && code <= 599 ? code : 500 });
