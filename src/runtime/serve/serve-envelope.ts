import type { Clock } from '../../base/clock.js';
import { decodeEnvelope } from '../../protocol/envelope/envelope.js';
import { createContext, type RuntimeContext } from '../context.js';
import type { IntegrationDefinition } from '../integration-definition.js';
import { dispatchEvent } from './dispatch-event.js';
import { logger, logThrown } from '../logger.js';
import { internalError, type ExposableError } from '../../protocol/exposable-error.js';

/** What a host may hand to the script beside the request. */
export interface HostContext {
  waitUntil?(promise: Promise<unknown>): void;
  clock?: Pick<Clock, 'now'>;
  /** Gets what work given to `waitUntil` was rejected with. */
  rejected?(error: unknown, work: Promise<unknown>): void;
}

/** `POST /{version}`: reads the envelope whole, then has its event handled. */
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
    return answer(`Version "${version}" is not served, v1 is.`, 400);
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
    // A package may bring a class of its own, so a method is looked for.
    if (response?.text) return response;
    throw new TypeError(`"${event.type}" handler returned no Response`);
  } catch (error) {
    return errorAnswer(error);
  } finally {
    // Where the host cannot be told to stay, the answer waits for the work, and for what that adds.
    for (const work of pending) await work;
  }
};

/** An error as the caller may see it. What it may not see goes to the log. */
const errorAnswer = (error: unknown): Response => {
  const { exposable, code, message } = (error ?? {}) as ExposableError;
  if (!exposable) {
    logThrown(error);
    return answer(internalError, 500);
  }
  // 406 is every event that the integration has no use for: the platform shows those, where asked.
  if (code !== 406) logger.info(`Answered ${code}: ${message}`);
  return answer(message, code);
};

/** An answer that tells what is wrong. A code may be anything that an author has put there. */
const answer = (error: string, code: number): Response =>
  Response.json({ error }, { status: code >= 400 && code <= 599 ? code : 500 });
