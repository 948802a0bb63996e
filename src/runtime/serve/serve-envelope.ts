import type { Clock } from '../../base/clock.js';
import { decodeEnvelope } from '../../protocol/envelope/envelope.js';
import { createContext, type RuntimeContext } from '../context.js';
import type { IntegrationDefinition } from '../integration-definition.js';
import { dispatchEvent } from './dispatch-event.js';
import { answer, errorAnswer } from './error-response.js';
import { logger } from '../logger.js';

/** What a host may hand to the script beside the request. */
export interface HostContext {
  waitUntil?(promise: Promise<unknown>): void;
  clock?: Pick<Clock, 'now'>;
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
    return answer(`The version "${version}" is not served, v1 is.`, 400);
  }
  const pending: Promise<unknown>[] = [];
  const waitUntil = (promise: Promise<unknown>): void => {
    const work = Promise.resolve(promise).catch((error: unknown) => logger.error('waitUntil failed', error));
    if (host.waitUntil) host.waitUntil(work);
    else pending.push(work);
  };
  try {
    const { event, environment, body } = await decodeEnvelope(request);
    const context = createContext(environment, waitUntil, host.clock);
    return await dispatchEvent(definition, event, body, context as Context);
  } catch (error) {
    return errorAnswer(error);
  } finally {
    // Where the host cannot be told to stay, the answer waits for the work, and for what that adds.
    for (const work of pending) await work;
  }
};
