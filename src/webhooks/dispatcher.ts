import { systemClock, type Clock, type Timers } from '../base/clock.js';
import type { WebhookEvent } from '../protocol/events.js';
import type { EndpointRegistry } from './endpoint-registry.js';
import type { Endpoint } from './model/endpoint.js';
import { createIntake, readQueued, type EventLike } from './intake.js';
import { createActiveEndpoints } from './active-endpoints.js';
import { DeliveryScheduler } from './queue/delivery-scheduler.js';
import { mostPerEndpoint } from './queue/request-pool.js';
import type { Backlog, DeliveryQuery, DeliveryStore } from './model/delivery-store.js';
import type { Attempt, Delivery } from './model/delivery.js';
import { DeliverySender } from './send/delivery-sender.js';
import { createDeadlines } from '../base/deadlines.js';
import { createListeners } from '../base/listeners.js';
import type { WebhookFetch, WebhookRequest } from './send/send-request.js';
import { signRequest } from './send/sign-request.js';

export interface WebhookDispatcherOptions {
  /** Stores endpoints and deliveries, for example `createMemoryDeliveryStore` or `createPostgresDeliveryStore`. */
  store: DeliveryStore;
  /** Use `systemClock`, except in tests. */
  clock: Clock;
  /** Measures the time limits of requests and of `close`. Default: `systemClock`, so they end while `clock` is frozen. */
  timers?: Timers;
  /** How many milliseconds `clock` is ahead of the real time, which signatures contain. Default: none. */
  ahead?: () => number;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive), which is used for jitter. */
  random: () => number;
  fetch: WebhookFetch;
  /** The version of this package, for the user agent that receivers see. */
  version: string;
  /** The maximum number of concurrent requests, not counting requests that take longer than a second. Default: 256. */
  concurrency?: number;
  /** The maximum number of concurrent requests to a single endpoint. Default: 4. */
  perEndpoint?: number;
  /** The maximum number of requests per second to a single endpoint, evenly spaced. Default: no limit. */
  perSecond?: number;
  /**
   * The delays before the retries. Up to 10% is added to each delay. Default: 1, 2 and 4 seconds. If you set your own delays,
   * the `Retry-After` header of a 429 or 503 response is respected, up to the longest delay.
   */
  retryDelaysMs?: readonly number[];
}

/** A change that a dispatcher reports to its subscribers. */
export type DeliveryChange =
  | { type: 'queued'; delivery: Delivery }
  | { type: 'attempt'; delivery: Delivery; attempt: Attempt }
  /** The endpoint was disabled because no delivery to it has succeeded for days. */
  | { type: 'endpoint-disabled'; endpoint: Endpoint; failingSince: number }
  /** The store could not be read or written. The dispatcher keeps trying, at increasing intervals. */
  | { type: 'trouble'; error: unknown }
  /** The store's delivery lock was lost. This dispatcher does not send any more requests. */
  | { type: 'lost'; error: unknown };

/** A delivery with its attempts and its body. */
export interface DeliveryDetails {
  delivery: Delivery;
  attempts: Attempt[];
  body: Uint8Array;
}

/** Queues events for endpoints, and delivers them until the dispatcher is closed. */
export interface WebhookDispatcher {
  /** Adds, changes and removes endpoints. `ping` sends a test event to one of them. */
  endpoints: EndpointRegistry & {
    /** Sends an event of type `ping`. */
    ping(id: string): Promise<Delivery>;
  };
  deliveries: {
    /** Lists deliveries, newest first. */
    list(query?: DeliveryQuery): Promise<Delivery[]>;
    /** Returns a delivery with its attempts and its body. */
    get(id: string): Promise<DeliveryDetails | undefined>;
    /** Returns the requests of a delivery, oldest first. */
    attempts(id: string): Promise<Attempt[]>;
    /** Sends the same event and body again, as a new delivery. */
    resend(id: string): Promise<Delivery>;
    /** Returns a delivery's request as it would be sent now, with the endpoint's current URL and a new signature. */
    sign(id: string): Promise<WebhookRequest>;
    /** Sends the next request of a waiting delivery now. Resolves to false if the delivery is not waiting. */
    skipWait(id: string): Promise<boolean>;
    /** Counts the waiting deliveries, for one endpoint or for all. */
    backlog(endpointId?: string): Promise<Backlog>;
  };
  /**
   * Queues an event for every endpoint that is subscribed to its type. Resolves once the event is stored. If an endpoint is
   * disabled, the event is held until it is enabled.
   */
  enqueue(event: WebhookEvent): Promise<Delivery[]>;
  /** Queues any event for a single endpoint. */
  enqueueTo(endpointId: string, event: EventLike): Promise<Delivery>;
  /** Holds back an installation's deliveries until the installation is resumed, even if the platform restarts. */
  pause(installationId: string): Promise<void>;
  /** Sends the deliveries that `pause` has held back. */
  resume(installationId: string): Promise<void>;
  /**
   * Returns a function that removes the listener. The first listener also receives events that occurred before the dispatcher was
   * created.
   */
  subscribe(listener: (change: DeliveryChange) => void): () => void;
  /** Resolves when nothing is due and no request is in flight. */
  idle(): Promise<void>;
  /**
   * Stops starting requests, and resolves when the requests in flight have ended. Requests that take longer than `patienceMs`
   * are aborted. The next dispatcher that uses the store sends them again.
   */
  close(options?: { patienceMs?: number }): Promise<void>;
}

export const timeoutMs = 10_000;

/**
 * Delivers events to webhook endpoints with signatures and retries, and stores their state.
 *
 * Resumes any deliveries that an earlier dispatcher left unfinished in the same store. Rejects with the code `in-use`
 * while another dispatcher is using the store.
 */
export const createWebhookDispatcher = (options: WebhookDispatcherOptions): Promise<WebhookDispatcher> =>
  openDispatcher(options, signRequest);

/** Signatures are made on a thread pool, so a simulation that must repeat exactly passes its own `sign`. */
export async function openDispatcher(
  options: WebhookDispatcherOptions,
  sign: typeof signRequest,
): Promise<WebhookDispatcher> {
  const { store, clock, random, fetch, version, concurrency = 256, perEndpoint = mostPerEndpoint } = options;
  const { timers = systemClock, ahead = () => 0, perSecond } = options;
  const { emit, subscribe } = createListeners<DeliveryChange>();
  /** Events that occurred before anyone could subscribe. */
  const early: DeliveryChange[] = [];
  let started = false;
  const notify = (change: DeliveryChange): void => void (started ? emit(change) : early.push(change));
  const userAgent = `Platform-Webhook/${version}`;
  let closed = false;

  const scheduler = new DeliveryScheduler({ store, clock, timers, concurrency, perEndpoint, perSecond });
  const { endpoints, find, isRemoved, setPaused, follow, open } = await createActiveEndpoints(
    store,
    clock,
    scheduler,
  );
  const sender = new DeliverySender({
    clock,
    timers,
    ahead,
    random,
    fetch,
    timeoutMs,
    userAgent,
    retryDelaysMs: options.retryDelaysMs,
    findEndpoint: find,
    sign,
  });
  await scheduler.start(sender, {
    isRemoved,
    onOutcome: (delivery, attempt) => notify({ type: 'attempt', delivery, attempt }),
    onTrouble: (error) => notify({ type: 'trouble', error }),
    onLost(error) {
      sender.cutOff();
      notify({ type: 'lost', error });
    },
    onChanged(changes) {
      changes.forEach(follow);
      for (const change of changes) {
        if (change.type !== 'disabled') continue;
        const { endpoint, failingSince } = change;
        notify({ type: 'endpoint-disabled', endpoint, failingSince });
      }
    },
  });
  open();
  started = true;

  const { enqueue, enqueueTo, ping, resend } = createIntake({
    store,
    clock,
    endpoints,
    discardIfRemoved: (endpointId) => scheduler.discardIfRemoved(endpointId),
    isClosed: () => closed,
    onQueued(delivery) {
      scheduler.noteInserted();
      notify({ type: 'queued', delivery });
    },
  });

  return {
    endpoints: { ...endpoints, ping },
    deliveries: {
      ...deliveriesIn({ store, endpoints, now: () => clock.now() - ahead(), userAgent }),
      resend,
    },
    enqueue,
    enqueueTo,
    pause: (installationId) => setPaused(installationId, true),
    resume: (installationId) => setPaused(installationId, false),
    subscribe(listener) {
      const unsubscribe = subscribe(listener);
      early.splice(0).forEach(emit);
      return unsubscribe;
    },
    idle: () => scheduler.idle(),
    async close({ patienceMs } = {}) {
      closed = true;
      const cancelTimeout =
        patienceMs === undefined
          ? () => {}
          : createDeadlines(timers, patienceMs).start(() => sender.cutOff());
      await scheduler.stop();
      cancelTimeout();
    },
  };
}

const deliveriesIn = (options: {
  store: DeliveryStore;
  endpoints: Pick<EndpointRegistry, 'get'>;
  now(): number;
  userAgent: string;
}): Omit<WebhookDispatcher['deliveries'], 'resend'> => {
  const { store, endpoints, now, userAgent } = options;
  return {
    list: (query) => store.list(query),
    async get(id) {
      const delivery = await store.get(id);
      const body = await store.body(id);
      return delivery && body && { delivery, body, attempts: await store.attempts(id) };
    },
    async sign(id) {
      const { endpointId, body } = await readQueued(store, id);
      const request = await signRequest(endpoints.get(endpointId), body, { userAgent, now: now() });
      return { ...request, body };
    },
    attempts: (id) => store.attempts(id),
    skipWait: async (id) => (await store.expedite(id)) !== undefined,
    backlog: (endpointId) => store.backlog(endpointId),
  };
};
