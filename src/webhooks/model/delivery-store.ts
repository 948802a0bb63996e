import type { Endpoint } from './endpoint.js';
import type { Attempt, Delivery, DeliveryState } from './delivery.js';

/** A delivery before it is queued. */
export interface NewDelivery {
  endpointId: string;
  installationId: string;
  eventId: string;
  eventType: string;
  body: Uint8Array;
  createdAt: number;
  resentFrom?: string;
}

/**
 * Milliseconds until an endpoint's next deliveries are due. Suspect deliveries, whose preparation crashed an
 * earlier process, are listed separately.
 */
export interface NextDue {
  inMs?: number;
  suspectInMs?: number;
}

/** A request for one endpoint's due deliveries. */
export interface ClaimRequest {
  endpointId: string;
  limit: number;
  /** If true, claims only suspects. If false, claims only the others. */
  suspects: boolean;
}

/** One endpoint's due deliveries, and the time until the next one. */
export interface ClaimResult {
  endpointId: string;
  deliveries: Delivery[];
  next: NextDue;
}

/** The outcome of one attempt, as stored. */
export interface DeliveryOutcome {
  id: string;
  attempt: Attempt;
  state: Exclude<DeliveryState, 'pending'>;
  /** Milliseconds until the next request, for the state `retrying`. */
  retryInMs?: number;
}

/** Filters for listing deliveries. */
export interface DeliveryQuery {
  endpointId?: string;
  installationId?: string;
  state?: DeliveryState;
  /** Returns only `failed`, `exhausted` and `poisoned` deliveries. */
  failed?: boolean;
  /** Returns only deliveries older than the one with this id. */
  before?: string;
  /** Default: 100. */
  limit?: number;
}

/** The number of deliveries that are waiting for an endpoint. */
export interface Backlog {
  pending: number;
  retrying: number;
  /** Deliveries that are being prepared or sent. They also count as pending or retrying. */
  inFlight: number;
  oldestAt?: number;
}

/** The sender that currently holds the delivery lock. */
export interface DeliveryOwner {
  /** The number of crashes during preparation after which a delivery becomes `poisoned`. */
  poisonAfter: number;
  /**
   * Called for each endpoint that has waiting deliveries, and again when one becomes due earlier than
   * reported.
   */
  onDue(endpointId: string, next: NextDue): void;
  /** Called with changes made by other processes, if the store is shared. */
  onChanged(changes: EndpointChange[]): void;
  /** Called when the store could not be read. It retries automatically. */
  onTrouble(error: unknown): void;
}

/** A change made by another process. */
export type EndpointChange =
  | { type: 'endpoint'; endpoint: Endpoint }
  /** The store disabled the endpoint after it had failed for days. */
  | { type: 'disabled'; endpoint: Endpoint; failingSince: number }
  | { type: 'removed'; endpointId: string }
  | { type: 'paused'; installationId: string; paused: boolean };

/** The delivery lock. Once it is lost, every call rejects with the code `right-lost`. */
export interface DeliveryRight {
  /** Aborted as soon as the lock is lost. */
  lost: AbortSignal;
  /** Claims due deliveries, oldest first. */
  claim(requests: ClaimRequest[]): Promise<ClaimResult[]>;
  /** Records that the request begins now. */
  markSent(id: string): Promise<void>;
  /**
   * Records the outcome of a request or of a failed preparation. Resolves to false if the outcome was dropped
   * because another owner took over the delivery and recorded an outcome first.
   */
  recordOutcome(outcome: DeliveryOutcome): Promise<boolean>;
  /** The share of all endpoints that this lock covers, from 0 to 1. Default: 1. */
  share?(): number;
  /** How many suspects may be claimed together and prepared at the same time. Default: 1. */
  suspectsAtOnce?: number;
  /**
   * Called when the owner stops claiming but still has requests in flight, so that other owners can take over
   * the rest. The outcomes of these requests are recorded before `release`.
   */
  leave?(): Promise<void>;
  /** Releases the lock. */
  release(): Promise<void>;
}

/**
 * Stores the dispatcher's state. A resolved promise means that the change is stored permanently, unless the
 * store is in memory. A rejected promise means that nothing changed, unless its code is
 * `store/outcome-unknown`. The store works out due times from durations, so the clocks of its users don't
 * matter.
 */
export interface DeliveryStore {
  endpoints(): Promise<Endpoint[]>;
  /**
   * Adds an endpoint. If the id exists, changes only its installation, target, URL and events. Its secrets,
   * `enabled` and `createdAt` stay unchanged, so an application can call this each time it starts. Change those
   * with `changeEndpoint`. A removed endpoint is added again.
   */
  putEndpoint(endpoint: Endpoint): Promise<void>;
  /**
   * Changes the stored endpoint so that concurrent changes do not undo each other. `change` may be called
   * more than once. Resolves to undefined if the endpoint does not exist.
   */
  changeEndpoint(id: string, change: (endpoint: Endpoint) => Endpoint): Promise<Endpoint | undefined>;
  /** Also fails the endpoint's waiting deliveries. */
  removeEndpoint(id: string): Promise<void>;

  pausedInstallations(): Promise<string[]>;
  setPaused(installationId: string, paused: boolean): Promise<void>;

  /**
   * Inserts either all deliveries or none. They are due immediately. If an endpoint already has a delivery
   * for the same event, resolves to that delivery, so an insert can be repeated. A delivery with `resentFrom`
   * is always new.
   */
  insert(deliveries: NewDelivery[]): Promise<Delivery[]>;
  /** Makes a waiting delivery due now. Resolves to the delivery, or to undefined if it is not waiting. */
  expedite(id: string): Promise<Delivery | undefined>;

  /**
   * Acquires the delivery lock and recovers a dead owner's deliveries: one that was being prepared counts
   * a crash, and one that was being sent gets an `interrupted` attempt. Rejects with the code `in-use` while
   * another owner is alive.
   */
  own(owner: DeliveryOwner): Promise<DeliveryRight>;

  get(id: string): Promise<Delivery | undefined>;
  body(id: string): Promise<Uint8Array | undefined>;
  attempts(id: string): Promise<Attempt[]>;
  /** Sorted newest first. */
  list(query?: DeliveryQuery): Promise<Delivery[]>;
  backlog(endpointId?: string): Promise<Backlog>;
}

/** A store for a single process. It is internal, so third-party stores only need to implement `DeliveryStore`. */
export interface LocalDeliveryStore extends DeliveryStore {
  /** Reads the attempts of several deliveries together. Omits deliveries without attempts. */
  attemptsOf(ids: readonly string[]): Promise<ReadonlyMap<string, Attempt[]>>;
}
