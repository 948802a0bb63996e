import { systemClock, type Clock } from '../../base/clock.js';
import { joinBytes } from '../../base/join-bytes.js';
import type { WebhookEvent } from '../../protocol/events.js';
import { checkSignature } from '../../protocol/signature.js';
import { createNodeListener, type NodeListener } from './node-listener.js';

/** The signing secret and the event handler. */
export interface WebhookReceiverOptions {
  /** The endpoint's signing secret. */
  secret: string;
  /** Called once for each event, even if the event is delivered several times. */
  onEvent(event: WebhookEvent): unknown;
  /** Called when `onEvent` has failed. By default, prints the error to the console. */
  onError?(error: unknown, event: WebhookEvent): void;
  /** The maximum difference between the signature's timestamp and the current time, in seconds. Default: 300. */
  toleranceSeconds?: number;
  /**
   * Stores the ids of handled events. By default, the ids are stored in memory. They include all events whose signature may
   * still be valid, and at least the 10,000 most recent events.
   */
  seen?: SeenEvents;
  /**
   * Whether to respond only after `onEvent` has finished. If `onEvent` then fails, the response has status 500, so that the
   * event is sent again.
   */
  await?: boolean;
  /** The system clock by default. Tests can pass a different clock. */
  clock?: Clock;
}

/** A receiver that verifies and deduplicates webhook requests, for web and Node servers. */
export interface WebhookReceiver {
  /** For hosts that use web fetch handlers: `export default receiver`. */
  fetch(
    request: Request,
    env?: unknown,
    ctx?: { waitUntil?(promise: Promise<unknown>): void },
  ): Promise<Response>;
  /** For `http.createServer(receiver.node)` and `app.post('/webhook', receiver.node)`. */
  node: NodeListener;
}

export const defaultToleranceSeconds = 300;

/**
 * Creates a receiver that verifies the signature, responds, and calls `onEvent` once for each event.
 *
 * @example
 * ```ts
 * import { createWebhookReceiver } from 'integration-platform/webhooks';
 *
 * export default createWebhookReceiver({
 *   secret: 'whsec_…',
 *   onEvent: async (event) => {
 *     if (event.type === 'site_view') console.log(`${event.url} was seen`);
 *   },
 *   onError: (error) => console.error(error),
 * });
 * ```
 */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  const {
    secret,
    onEvent,
    onError = logError,
    toleranceSeconds = defaultToleranceSeconds,
    clock = systemClock,
  } = options;
  // The sender's clock may be ahead, so a signature can be valid for twice the tolerance.
  const forMs = 2 * toleranceSeconds * 1000;
  const seen = options.seen ?? createMemorySeen({ most: 10_000, forMs, clock });

  const work = async (event: WebhookEvent): Promise<boolean> => {
    try {
      await onEvent(event);
      return true;
    } catch (error) {
      try {
        onError(error, event);
      } catch (another) {
        logError(another);
      }
      return false;
    }
  };

  /** With `await`, a sender whose request times out sends the event again while the event is still being handled. */
  const unfinished = new Map<string, Promise<boolean>>();
  const handle = async (event: WebhookEvent): Promise<boolean> => {
    if (!(await seen.add(event.eventId))) return true;
    const done = await work(event);
    if (!done) await seen.delete(event.eventId);
    return done;
  };

  const receive: WebhookReceiver['fetch'] = async (request, _env, ctx) => {
    if (request.method !== 'POST') {
      return new Response('Method not allowed', { status: 405, headers: { Allow: 'POST' } });
    }
    const body = await readBody(request);
    if (!body) return refuse(413, 'The body is too large for an event.');
    const header = request.headers.get('x-platform-signature');
    const check = await checkSignature(body, header, secret, { toleranceSeconds, now: clock.now() });
    if (!check.valid) return refuse(401, `Invalid signature (${check.reason})`);
    const event = parseEvent(body);
    if (!event) return refuse(400, 'The body is not an event.');
    const { eventId } = event;
    if (options.await) {
      const handled = unfinished.get(eventId) ?? handle(event).finally(() => unfinished.delete(eventId));
      unfinished.set(eventId, handled);
      return (await handled) ? received() : refuse(500, 'The event could not be handled.');
    }
    if (!(await seen.add(eventId))) return received();
    // Waits for one turn of the event loop, so that the response is sent first.
    const handled = clock.sleep(0).then(() => work(event));
    ctx?.waitUntil?.(handled);
    return received();
  };

  return { fetch: receive, node: createNodeListener(receive) };
}

// Reported here, because the sender already has its response.
// oxlint-disable-next-line no-console
const logError = (error: unknown): void => console.error('The webhook event could not be handled.', error);

const received = (): Response => Response.json({ received: true });
const refuse = (status: number, error: string): Response => Response.json({ error }, { status });

function parseEvent(body: Uint8Array): WebhookEvent | undefined {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Record<
      string,
      unknown
    >;
    const common = [event.eventId, event.type, event.installationId];
    return common.every((field) => typeof field === 'string' && field !== '')
      ? (event as unknown as WebhookEvent)
      : undefined;
  } catch {
    return undefined;
  }
}

const limit = 1024 * 1024;

/** Returns the bytes of the request, or undefined if there are more than 1 MiB. */
async function readBody(request: Request): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) return joinBytes(pieces);
    size += value.length;
    if (size > limit) {
      await reader?.cancel();
      return undefined;
    }
    pieces.push(value);
  }
}

/** Keeps track of the events that have been handled. */
export interface SeenEvents {
  /** Adds the id. Resolves to false if the id was already there. Must be atomic if several processes share a store. */
  add(eventId: string): boolean | Promise<boolean>;
  /** Removes the id of an event that could not be handled. */
  delete(eventId: string): unknown;
}

/** Keeps ids in memory for `forMs`. The latest `most` ids are kept even longer. */
export function createMemorySeen({
  most,
  forMs,
  clock,
}: {
  most: number;
  forMs: number;
  clock: Pick<Clock, 'now'>;
}): SeenEvents {
  /** When each id was added, oldest first. */
  const ids = new Map<string, number>();
  return {
    add(eventId) {
      if (ids.has(eventId)) return false;
      const now = clock.now();
      ids.set(eventId, now);
      for (const [oldest, addedAt] of ids) {
        if (ids.size <= most || now - addedAt <= forMs) break;
        ids.delete(oldest);
      }
      return true;
    },
    delete: (eventId) => ids.delete(eventId),
  };
}
