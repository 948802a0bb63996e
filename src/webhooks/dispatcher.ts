import type { Clock } from '../protocol/clock.js';
import type { WebhookEvent } from '../protocol/events.js';
import { isSelectedBy } from './check-endpoint.js';
import { createDeadlines } from './send/delivery-deadlines.js';
import { createDeliver } from './send/deliver-once.js';
import type { Backlog, DeliveryQuery, DeliveryStore, NewDelivery } from './queue/delivery-store.js';
import type { Attempt, Delivery } from './queue/delivery.js';
import { createEndpointRegistry, newEventId, type EndpointRegistry } from './endpoint-registry.js';
import type { Endpoint } from './endpoint.js';
import { createLanes } from './queue/delivery-scheduler.js';
import type { WebhookFetch } from './send/send-request.js';
import { WebhookError } from './webhook-error.js';

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
  /** Requests at once to one endpoint. 16 by default. */
  perEndpoint?: number;
}

export type DeliveryChange =
  | { type: 'queued'; delivery: Delivery }
  | { type: 'attempt'; delivery: Delivery; attempt: Attempt }
  /** The store could not be read or written. It is tried again. */
  | { type: 'trouble'; error: unknown };

/** What every event of §6.2 has. */
export type EventLike = Pick<WebhookEvent, 'eventId' | 'installationId'> & { type: string };

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
const troubleMs = 1000;
const poisonAfter = 5;

/**
 * Delivers events to webhook endpoints: signed, retried, and remembered in the store.
 *
 * What an earlier dispatcher on the same store has left unfinished is taken up again.
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
 *   store: createMemoryDeliveryStore(),
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
  const { store, clock, random, fetch, version, concurrency = 256, perEndpoint = 16 } = options;
  const recovered = await store.recover(clock.now(), poisonAfter);
  const paused = new Set(await store.pausedInstallations());
  const endpoints = createEndpointRegistry(store, clock, await store.endpoints());
  const removed = new Map<string, Endpoint>();
  const listeners = new Set<(change: DeliveryChange) => void>();
  const closing = new AbortController();
  const timeouts = createDeadlines(clock, timeoutMs);
  let cutOff = false;

  const notify = (change: DeliveryChange): void => {
    for (const listener of listeners) listener(change);
  };
  const onTrouble = (error: unknown): void => notify({ type: 'trouble', error });

  const persist = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (closing.signal.aborted) throw error;
        onTrouble(error);
        await clock.sleep(troubleMs, closing.signal);
      }
    }
  };

  const wake = ({ endpointId, crashes, dueAt }: Delivery): void => {
    if (dueAt !== undefined) lanes.wake(endpointId, crashes > 0 ? { suspectDueAt: dueAt } : { dueAt });
  };

  const deliver = createDeliver({
    store,
    clock,
    random,
    persist,
    sender: {
      fetch,
      userAgent: `Platform-Webhook/${version}`,
      timeouts,
    },
    patience: createDeadlines(clock, slowMs),
    isCutOff: () => cutOff,
    endpointOf({ endpointId }) {
      const gone = removed.get(endpointId);
      return { endpoint: gone ?? endpoints.get(endpointId), removed: gone !== undefined };
    },
    onAttempt(delivery, attempt) {
      wake(delivery);
      notify({ type: 'attempt', delivery, attempt });
    },
  });

  const lanes = createLanes({
    store,
    clock,
    concurrency,
    perEndpoint,
    onTrouble,
    deliver: (delivery, slot) => void deliver(delivery, slot).catch(onTrouble),
  });

  const openOrClose = ({ id, enabled, installationId }: Endpoint): void => {
    if (enabled && !paused.has(installationId)) lanes.open(id);
    else lanes.close(id);
  };

  const insert = async (deliveries: NewDelivery[]): Promise<Delivery[]> => {
    if (closing.signal.aborted) throw new WebhookError('closed', 'The dispatcher is closed.');
    if (deliveries.length === 0) return [];
    const inserted = await store.insert(deliveries);
    for (const delivery of inserted) {
      wake(delivery);
      notify({ type: 'queued', delivery });
      // It was removed while this was written.
      if (removed.has(delivery.endpointId)) await store.removeEndpoint(delivery.endpointId, clock.now());
    }
    return inserted;
  };

  const insertOne = async (delivery: NewDelivery): Promise<Delivery> => {
    if (!endpoints.get(delivery.endpointId).enabled) {
      throw new WebhookError('endpoint-disabled', `The webhook endpoint ${delivery.endpointId} is disabled.`);
    }
    const [inserted] = await insert([delivery]);
    return inserted as Delivery;
  };

  const fresh = (endpointId: string, event: EventLike): NewDelivery => ({
    endpointId,
    installationId: event.installationId,
    eventId: event.eventId,
    eventType: event.type,
    body: new TextEncoder().encode(JSON.stringify(event)),
    createdAt: clock.now(),
  });

  const setPaused = async (installationId: string, isPaused: boolean): Promise<void> => {
    await store.setPaused(installationId, isPaused);
    if (isPaused) paused.add(installationId);
    else paused.delete(installationId);
    endpoints.list().forEach(openOrClose);
  };

  const enqueueTo = (endpointId: string, event: EventLike): Promise<Delivery> =>
    insertOne(fresh(endpointId, event));

  const known = new Set(endpoints.list().map(({ id }) => id));
  for (const { endpointId } of recovered) {
    if (!known.has(endpointId)) await store.removeEndpoint(endpointId, clock.now());
  }
  for (const endpoint of endpoints.list()) {
    lanes.wake(endpoint.id, await store.nextDue(endpoint.id));
    openOrClose(endpoint);
  }

  return {
    endpoints: {
      ...endpoints,
      async add(endpoint) {
        const added = await endpoints.add(endpoint);
        openOrClose(added);
        return added;
      },
      async update(id, changes) {
        const updated = await endpoints.update(id, changes);
        openOrClose(updated);
        return updated;
      },
      async remove(id) {
        removed.set(id, endpoints.get(id));
        lanes.close(id);
        try {
          await endpoints.remove(id);
        } catch (error) {
          removed.delete(id);
          openOrClose(endpoints.get(id));
          throw error;
        }
      },
      ping: async (id) =>
        enqueueTo(id, {
          eventId: newEventId(),
          type: 'ping',
          installationId: endpoints.get(id).installationId,
        }),
    },
    deliveries: {
      list: (query) => store.list(query),
      async get(id) {
        const delivery = await store.get(id);
        const body = await store.body(id);
        return delivery && body && { delivery, body, attempts: await store.attempts(id) };
      },
      async resend(id) {
        const delivery = await store.get(id);
        const body = await store.body(id);
        if (!delivery || !body) throw new WebhookError('unknown-delivery', `There is no delivery ${id}.`);
        const { endpointId, installationId, eventId, eventType } = delivery;
        const createdAt = clock.now();
        return insertOne({ endpointId, installationId, eventId, eventType, body, createdAt, resentFrom: id });
      },
      async skipWait(id) {
        const delivery = await store.expedite(id, clock.now());
        if (delivery) wake(delivery);
        return delivery !== undefined;
      },
      backlog: (endpointId) => store.backlog(endpointId),
    },
    enqueue: async (event) =>
      insert(
        endpoints
          .list()
          .filter((endpoint) => endpoint.enabled && isSelectedBy(event, endpoint))
          .map(({ id }) => fresh(id, event)),
      ),
    enqueueTo,
    pause: (installationId) => setPaused(installationId, true),
    resume: (installationId) => setPaused(installationId, false),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    idle: () => lanes.idle(),
    async close({ patienceMs } = {}) {
      closing.abort();
      const stopped = lanes.stop();
      if (patienceMs === undefined) return stopped;
      const inTime = createDeadlines(clock, patienceMs).start(() => {
        cutOff = true;
        timeouts.endAll();
      });
      await stopped;
      inTime();
    },
  };
}
