import type { Endpoint } from './endpoint.js';
import type { Attempt, Delivery, DeliveryState } from './delivery.js';

/** A delivery that has not been queued yet. */
export interface NewDelivery {
  endpointId: string;
  installationId: string;
  eventId: string;
  eventType: string;
  body: Uint8Array;
  createdAt: number;
  resentFrom?: string;
  /** The parent of the attempts' spans, as a W3C `traceparent` header. The Postgres store sets it to the active span. */
  traceparent?: string;
}

/**
 * Milliseconds until an endpoint's next deliveries are due. `suspectInMs` is for suspects, which are deliveries that an earlier
 * process was preparing when it crashed. `inMs` is for all other deliveries.
 */
export interface NextDue {
  inMs?: number;
  suspectInMs?: number;
}

/** A request to claim the due deliveries of one endpoint. */
export interface ClaimRequest {
  endpointId: string;
  limit: number;
  /** If true, claims only suspects. If false, claims only the other deliveries. */
  suspects: boolean;
}

/** The due deliveries of an endpoint, and the time until its next delivery is due. */
export interface ClaimResult {
  endpointId: string;
  deliveries: Delivery[];
  next: NextDue;
}

/** The outcome of one attempt, as it is stored. */
export interface DeliveryOutcome {
  id: string;
  attempt: Attempt;
  state: Exclude<DeliveryState, 'pending' | 'held'>;
  /** Milliseconds until the next request, if the state is `retrying`. */
  retryInMs?: number;
}

/** Filters for listing deliveries. */
export interface DeliveryQuery {
  endpointId?: string;
  installationId?: string;
  state?: DeliveryState;
  /** Returns only `failed`, `exhausted` and `poisoned` deliveries. */
  failed?: boolean;
  /** Returns only deliveries that are older than the one with this id. */
  before?: string;
  /** Default: 100. */
  limit?: number;
}

/** The number of deliveries that are waiting for an endpoint. */
export interface Backlog {
  pending: number;
  retrying: number;
  /** Deliveries that wait until their endpoint is enabled, or their installation resumed. */
  held: number;
  /** Deliveries that are being prepared or sent. They also count as pending or retrying. */
  inFlight: number;
  /** When the oldest delivery that is not held was queued. */
  oldestAt?: number;
}

/** The sender that currently holds the delivery lock. */
export interface DeliveryOwner {
  /** A delivery becomes `poisoned` after this many crashes during its preparation. */
  poisonAfter: number;
  /**
   * Called for each endpoint that has waiting deliveries, and again if a delivery becomes due before the last reported time.
   */
  onDue(endpointId: string, next: NextDue): void;
  /** If the store is shared, called with changes made by other processes. */
  onChanged(changes: EndpointChange[]): void;
  /** Called when the store could not be read. The store retries by itself. */
  onTrouble(error: unknown): void;
}

/** A change made by another process. */
export type EndpointChange =
  | { type: 'endpoint'; endpoint: Endpoint }
  /** The store disabled the endpoint because deliveries to it had been failing for days. */
  | { type: 'disabled'; endpoint: Endpoint; failingSince: number }
  | { type: 'removed'; endpointId: string }
  | { type: 'paused'; installationId: string; paused: boolean };

/** The delivery lock. Once it is lost, every call rejects with the code `right-lost`. */
export interface DeliveryRight {
  /** Aborted as soon as the lock is lost. */
  lost: AbortSignal;
  /** Claims due deliveries, oldest first. */
  claim(requests: ClaimRequest[]): Promise<ClaimResult[]>;
  /** Records that the request is starting now. */
  markSent(id: string): Promise<void>;
  /**
   * Records the outcome of a request or of a failed preparation. Resolves to the delivery in its new state, or to undefined if
   * the outcome was dropped because another owner took over the delivery and recorded an outcome first.
   */
  recordOutcome(outcome: DeliveryOutcome): Promise<Delivery | undefined>;
  /** The share of all endpoints that this lock covers, from 0 to 1. Default: 1. */
  share?(): number;
  /** How many suspects may be claimed and prepared together. Default: 1. */
  suspectsAtOnce?: number;
  /**
   * Called when the owner stops claiming deliveries but still has requests in flight, so that other owners can take over the
   * remaining deliveries. The outcomes of these requests are recorded before `release` is called.
   */
  leave?(): Promise<void>;
  /** Releases the lock. */
  release(): Promise<void>;
}

/**
 * Stores the dispatcher's state. When a promise resolves, the change has been stored permanently, unless the store is in
 * memory. If a promise rejects, nothing has changed, unless the error's code is `store/outcome-unknown`. The store computes due
 * times from durations, so the clocks of the processes that use it need not agree.
 */
export interface DeliveryStore {
  endpoints(): Promise<Endpoint[]>;
  /**
   * Adds an endpoint. If the id already exists, changes only the endpoint's installation, target, URL and events. Its
   * secrets, `enabled` and `createdAt` stay the same, so an application can call this each time it starts. To change
   * those fields, use `changeEndpoint`. If the endpoint was removed, adds it again.
   */
  putEndpoint(endpoint: Endpoint): Promise<void>;
  /**
   * Changes the stored endpoint atomically, so that concurrent changes do not overwrite each other. `change` may be called
   * more than once. Resolves to undefined if the endpoint does not exist.
   */
  changeEndpoint(id: string, change: (endpoint: Endpoint) => Endpoint): Promise<Endpoint | undefined>;
  /**
   * Removes the endpoint and fails the deliveries waiting for it. Workers that share the store do this when they learn of the
   * removal, so a delivery may still be claimed before that.
   */
  removeEndpoint(id: string): Promise<void>;

  pausedInstallations(): Promise<string[]>;
  setPaused(installationId: string, paused: boolean): Promise<void>;

  /**
   * Inserts all of the deliveries or none. They are due immediately. If an endpoint already has a delivery for the
   * same event, resolves to that delivery, so inserts can safely be repeated. A delivery with `resentFrom` is always
   * new.
   */
  insert(deliveries: NewDelivery[]): Promise<Delivery[]>;
  /** Makes a waiting delivery due now. Resolves to the delivery, or to undefined if it is not waiting. */
  expedite(id: string): Promise<Delivery | undefined>;

  /**
   * Acquires the delivery lock and recovers the deliveries of an owner that has died. A crash is counted for each
   * delivery that was being prepared. An `interrupted` attempt is added to each delivery that was being sent. Rejects
   * with the code `in-use` while another owner is alive.
   */
  own(owner: DeliveryOwner): Promise<DeliveryRight>;

  get(id: string): Promise<Delivery | undefined>;
  body(id: string): Promise<Uint8Array | undefined>;
  attempts(id: string): Promise<Attempt[]>;
  /** Lists deliveries, newest first. */
  list(query?: DeliveryQuery): Promise<Delivery[]>;
  backlog(endpointId?: string): Promise<Backlog>;
}

export interface FailureQuery {
  since: number;
  /** The maximum number of groups. */
  limit: number;
}

export interface DeliveryFailures {
  /** The number of failed deliveries, including those whose groups are beyond the limit. */
  failed: number;
  /** The group with the newest delivery comes first. */
  groups: FailureGroup[];
}

/** Deliveries of the same event type to the same endpoint that failed with the same result. */
export interface FailureGroup {
  newest: Delivery;
  deliveries: number;
  /** When the first and last of these deliveries were queued. */
  first: number;
  last: number;
}

/** A store for a single process. Internal, so that third-party stores only need to implement `DeliveryStore`. */
export interface LocalDeliveryStore extends DeliveryStore {
  /** Reads the attempts of several deliveries together. Deliveries without attempts are omitted. */
  attemptsOf(ids: readonly string[]): Promise<ReadonlyMap<string, Attempt[]>>;
  /** Counts the failed deliveries that were queued at `since` or later, and groups those that failed for the same reason. */
  failures(query: FailureQuery): Promise<DeliveryFailures>;
}
