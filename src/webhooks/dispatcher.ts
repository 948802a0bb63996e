import type { Clock } from '../base/clock.js';
import type { WebhookEvent } from '../protocol/events.js';
import { createEndpointRegistry, type EndpointRegistry } from './endpoint-registry.js';
import type { Endpoint } from './endpoint.js';
import { createIntake, type EventLike } from './intake.js';
import { settled } from './queue/delivery-states.js';
import { createDeliveryScheduler } from './queue/delivery-scheduler.js';
import type { Backlog, DeliveryQuery, DeliveryStore, EndpointChange } from './queue/delivery-store.js';
import type { Attempt, Delivery } from './queue/delivery.js';
import { createDeliverOnce } from './send/deliver-once.js';
import { createDeliveryDeadlines } from './send/delivery-deadlines.js';
import type { WebhookFetch } from './send/send-request.js';

export interface WebhookDispatcherOptions {
  store: DeliveryStore;
  clock: Clock;
  /** A number from 0 up to 1, for the jitter. */
  random: () => number;
  fetch: WebhookFetch;
  /** Of the package: the receiver sees it in the user agent. */
  version: string;
  /** Requests at once, those apart that have taken longer than a second. 256 by default. */
  concurrency?: number;
  /** Requests at once to one endpoint. 4 by default. */
  perEndpoint?: number;
}

export type DeliveryChange =
  | { type: 'queued'; delivery: Delivery }
  | { type: 'attempt'; delivery: Delivery; attempt: Attempt }
  /** The store could not be read or written. It is tried again, less and less often. */
  | { type: 'trouble'; error: unknown }
  /** The right to deliver from the store is gone. Nothing more is sent by this dispatcher. */
  | { type: 'lost'; error: unknown };

export interface DeliveryDetails {
  delivery: Delivery;
  attempts: Attempt[];
  body: Uint8Array;
}

export interface WebhookDispatcher {
  endpoints: EndpointRegistry & {
    /** Sends an event of type `ping`. */
    ping(id: string): Promise<Delivery>;
  };
  deliveries: {
    /** Newest first. */
    list(query?: DeliveryQuery): Promise<Delivery[]>;
    get(id: string): Promise<DeliveryDetails | undefined>;
    /** The same event and body once more, as a delivery of its own. */
    resend(id: string): Promise<Delivery>;
    /** Makes the next request of a waiting delivery now; false where it does not wait. */
    skipWait(id: string): Promise<boolean>;
    backlog(endpointId?: string): Promise<Backlog>;
  };
  /** Queues an event for every endpoint that has selected it. It is on disk when this resolves. */
  enqueue(event: WebhookEvent): Promise<Delivery[]>;
  /** Queues any event for one endpoint. */
  enqueueTo(endpointId: string, event: EventLike): Promise<Delivery>;
  /** The deliveries of an installation wait until it is resumed. Outlives a restart. */
  pause(installationId: string): Promise<void>;
  resume(installationId: string): Promise<void>;
  /** Returns what ends it. */
  subscribe(listener: (change: DeliveryChange) => void): () => void;
  /** Resolves when nothing is due and nothing is on its way. */
  idle(): Promise<void>;
  /**
   * Begins no more requests; resolves when those under way have ended. What takes longer than
   * `patienceMs` is cut off, and made again by the next dispatcher on the store.
   */
  close(options?: { patienceMs?: number }): Promise<void>;
}

const timeoutMs = 10_000;
const slowMs = 1000;

/**
 * Delivers events to webhook endpoints: signed, retried, and remembered in the store.
 *
 * What an earlier dispatcher on the same store has left unfinished is taken up again. While another
 * one delivers from the store, this rejects with the code `in-use`.
 *
 * @example
 * ```ts
 * import {
 *   createMemoryDeliveryStore,
 *   createWebhookDispatcher,
 *   systemClock,
 * } from 'integration-platform/webhooks';
 *
 * const dispatcher = await createWebhookDispatcher({
 *   store: createMemoryDeliveryStore({ clock: systemClock }),
 *   clock: systemClock,
 *   random: Math.random,
 *   fetch,
 *   version: '1.0.0',
 * });
 * const endpoint = await dispatcher.endpoints.add({
 *   installationId: 'ins_1',
 *   place: { type: 'space', id: 'spc_1' },
 *   url: 'http://127.0.0.1:3000/webhook',
 *   events: ['space_content_updated'],
 * });
 * await dispatcher.endpoints.ping(endpoint.id);
 * ```
 */
export async function createWebhookDispatcher(options: WebhookDispatcherOptions): Promise<WebhookDispatcher> {
  const { store, clock, random, fetch, version, concurrency = 256, perEndpoint = 4 } = options;
  const { note, forget, ...endpoints } = createEndpointRegistry(store, clock, await store.endpoints());
  const paused = new Set(await store.pausedInstallations());
  const removed = new Map<string, Endpoint>();
  const listeners = new Set<(change: DeliveryChange) => void>();
  const timeouts = createDeliveryDeadlines(clock, timeoutMs);
  let closed = false;
  let cutOff = false;

  const notify = (change: DeliveryChange): void => {
    for (const listener of listeners) listener(change);
  };

  const cutOffAll = (): void => {
    cutOff = true;
    timeouts.endAll();
  };

  const scheduler = await createDeliveryScheduler({
    store,
    clock,
    concurrency,
    perEndpoint,
    deliver: createDeliverOnce({
      clock,
      random,
      sender: { fetch, userAgent: `Platform-Webhook/${version}`, timeouts },
      patience: createDeliveryDeadlines(clock, slowMs),
      isCutOff: () => cutOff,
      endpointOf({ endpointId }) {
        const gone = removed.get(endpointId);
        return { endpoint: gone ?? endpoints.get(endpointId), removed: gone !== undefined };
      },
    }),
    onOutcome(delivery, { attempt, state, retryInMs }) {
      const now = clock.now();
      const times = { now, ...(retryInMs !== undefined && { dueAt: now + retryInMs }) };
      const changed = settled({ ...delivery, requests: attempt.number }, state, times);
      notify({ type: 'attempt', delivery: changed, attempt });
    },
    onTrouble: (error) => notify({ type: 'trouble', error }),
    onLost(error) {
      cutOffAll();
      notify({ type: 'lost', error });
    },
    onChanged: (changes) => changes.forEach(follow),
  });

  const openOrClose = ({ id, enabled, installationId }: Endpoint): void => {
    if (enabled && !paused.has(installationId)) scheduler.open(id);
    else scheduler.close(id);
  };
  endpoints.list().forEach(openOrClose);

  const notePaused = (installationId: string, isPaused: boolean): void => {
    if (isPaused) paused.add(installationId);
    else paused.delete(installationId);
    endpoints
      .list()
      .filter((endpoint) => endpoint.installationId === installationId)
      .forEach(openOrClose);
  };

  const setPaused = async (installationId: string, isPaused: boolean): Promise<void> => {
    await store.setPaused(installationId, isPaused);
    notePaused(installationId, isPaused);
  };

  /** Does here what another process has done. */
  const follow = (change: EndpointChange): void => {
    if (change.type === 'paused') return notePaused(change.installationId, change.paused);
    if (change.type === 'endpoint') {
      removed.delete(change.endpoint.id);
      note(change.endpoint);
      return openOrClose(change.endpoint);
    }
    const { endpointId } = change;
    const endpoint = forget(endpointId);
    if (endpoint) removed.set(endpointId, endpoint);
    scheduler.close(endpointId);
  };

  const remove = async (id: string): Promise<void> => {
    removed.set(id, endpoints.get(id));
    scheduler.close(id);
    try {
      await endpoints.remove(id);
    } catch (error) {
      removed.delete(id);
      openOrClose(endpoints.get(id));
      throw error;
    }
  };

  const opening = async (change: Promise<Endpoint>): Promise<Endpoint> => {
    const endpoint = await change;
    openOrClose(endpoint);
    return endpoint;
  };

  const { enqueue, enqueueTo, ping, resend } = createIntake({
    store,
    clock,
    endpoints,
    isRemoved: (id) => removed.has(id),
    isClosed: () => closed,
    onQueued: (delivery) => notify({ type: 'queued', delivery }),
  });

  return {
    endpoints: {
      ...endpoints,
      add: (endpoint) => opening(endpoints.add(endpoint)),
      update: (id, changes) => opening(endpoints.update(id, changes)),
      remove,
      ping,
    },
    deliveries: {
      list: (query) => store.list(query),
      async get(id) {
        const delivery = await store.get(id);
        const body = await store.body(id);
        return delivery && body && { delivery, body, attempts: await store.attempts(id) };
      },
      resend,
      skipWait: async (id) => (await store.expedite(id)) !== undefined,
      backlog: (endpointId) => store.backlog(endpointId),
    },
    enqueue,
    enqueueTo,
    pause: (installationId) => setPaused(installationId, true),
    resume: (installationId) => setPaused(installationId, false),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    idle: () => scheduler.idle(),
    async close({ patienceMs } = {}) {
      closed = true;
      const cancelTimeout =
        patienceMs === undefined ? () => {} : createDeliveryDeadlines(clock, patienceMs).start(cutOffAll);
      await scheduler.stop();
      cancelTimeout();
    },
  };
}
