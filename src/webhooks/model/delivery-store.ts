import type { Endpoint } from './endpoint.js';
import type { Attempt, Delivery, DeliveryState } from './delivery.js';

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
 * How many milliseconds until an endpoint's next deliveries are due: the normal ones, and the suspects, whose
 * preparation ended an earlier process.
 */
export interface NextDue {
  inMs?: number;
  suspectInMs?: number;
}

export interface ClaimRequest {
  endpointId: string;
  limit: number;
  /** Whether to claim only suspects, or only the others. */
  suspects: boolean;
}

export interface ClaimResult {
  endpointId: string;
  deliveries: Delivery[];
  next: NextDue;
}

export interface DeliveryOutcome {
  id: string;
  attempt: Attempt;
  state: Exclude<DeliveryState, 'pending'>;
  /** Time until the next request, for the state `retrying`. */
  retryInMs?: number;
}

export interface DeliveryQuery {
  endpointId?: string;
  installationId?: string;
  state?: DeliveryState;
  /** Only `failed`, `exhausted` and `poisoned`. */
  failed?: boolean;
  /** The id of a delivery: returns only older ones. */
  before?: string;
  /** Default: 100. */
  limit?: number;
}

export interface Backlog {
  pending: number;
  retrying: number;
  /** Deliveries that are being prepared or sent. They also count as pending or retrying. */
  inFlight: number;
  oldestAt?: number;
}

export interface DeliveryOwner {
  /** After this many crashes during its preparation, a delivery becomes `poisoned`. */
  poisonAfter: number;
  /**
   * Called for each endpoint that has waiting deliveries, and again when one becomes due earlier than
   * reported.
   */
  onDue(endpointId: string, next: NextDue): void;
  /** Called with the changes of other processes, if the store is shared. */
  onChanged(changes: EndpointChange[]): void;
  /** Called when the store could not be read. It tries again by itself. */
  onTrouble(error: unknown): void;
}

/** A change that another process made. */
export type EndpointChange =
  | { type: 'endpoint'; endpoint: Endpoint }
  /** The store disabled it, because it has been failing for days. */
  | { type: 'disabled'; endpoint: Endpoint; failingSince: number }
  | { type: 'removed'; endpointId: string }
  | { type: 'paused'; installationId: string; paused: boolean };

/** The right to deliver. After it is lost, every call rejects with the code `right-lost`. */
export interface DeliveryRight {
  /** Aborted as soon as the right is lost. */
  lost: AbortSignal;
  /** Claims due deliveries, oldest first. */
  claim(requests: ClaimRequest[]): Promise<ClaimResult[]>;
  /** Records that the request begins now. */
  markSent(id: string): Promise<void>;
  /**
   * Records the outcome of a request, or of a preparation that failed. Resolves to false if the outcome was dropped: the delivery moved to another owner while the request was
   * open, and its outcome was recorded first.
   */
  recordOutcome(outcome: DeliveryOutcome): Promise<boolean>;
  /** The share of all endpoints that this right covers, from 0 to 1. Default: 1. */
  share?(): number;
  /** How many suspects may be claimed together and prepared at the same time. Default: 1. */
  suspectsAtOnce?: number;
  /**
   * Called when the owner claims nothing more, while its last requests are still open: other owners can take
   * over the rest. Their outcomes are recorded before `release`.
   */
  leave?(): Promise<void>;
  /** Releases the right. */
  release(): Promise<void>;
}

/**
 * Stores the dispatcher's state. A resolved promise means that the change is on disk, if the store has one. A
 * rejected promise means that nothing changed, unless its code is `store/outcome-unknown`. The store works out due times from durations, so the clocks of
 * its users don't matter.
 */
export interface DeliveryStore {
  endpoints(): Promise<Endpoint[]>;
  /**
   * Adds an endpoint. If there is one with this id, changes only its installation, target, URL and events: its
   * secrets, `enabled` and `createdAt` stay as they are stored, so that an application can do this at each
   * start. Change those with `changeEndpoint`. A removed endpoint is added again.
   */
  putEndpoint(endpoint: Endpoint): Promise<void>;
  /**
   * Changes the stored endpoint, so that concurrent changes don't undo each other. `change` may be called
   * more than once. Resolves to undefined if there is no such endpoint.
   */
  changeEndpoint(id: string, change: (endpoint: Endpoint) => Endpoint): Promise<Endpoint | undefined>;
  /** Also ends the endpoint's waiting deliveries as `failed`. */
  removeEndpoint(id: string): Promise<void>;

  pausedInstallations(): Promise<string[]>;
  setPaused(installationId: string, paused: boolean): Promise<void>;

  /**
   * Inserts all of the deliveries or none of them. They are due immediately. If an endpoint already has a delivery
   * of the same event, resolves to that one instead, so an insert can be repeated; but a delivery with
   * `resentFrom` is always new.
   */
  insert(deliveries: NewDelivery[]): Promise<Delivery[]>;
  /** Makes a waiting delivery due now. Resolves to the delivery, or to undefined if it is not waiting. */
  expedite(id: string): Promise<Delivery | undefined>;

  /**
   * Takes the right to deliver, and recovers the deliveries of a dead owner: a delivery that was being
   * prepared gets a crash, and a delivery that was being sent gets an `interrupted` attempt. Rejects with the
   * code `in-use` while another owner is alive.
   */
  own(owner: DeliveryOwner): Promise<DeliveryRight>;

  get(id: string): Promise<Delivery | undefined>;
  body(id: string): Promise<Uint8Array | undefined>;
  attempts(id: string): Promise<Attempt[]>;
  /** Newest first. */
  list(query?: DeliveryQuery): Promise<Delivery[]>;
  backlog(endpointId?: string): Promise<Backlog>;
}

/** A store of one process. It is not published, so a store of somebody else needs no more than a `DeliveryStore`. */
export interface LocalDeliveryStore extends DeliveryStore {
  /** The attempts of several deliveries in one read. A delivery without attempts is left out. */
  attemptsOf(ids: readonly string[]): Promise<ReadonlyMap<string, Attempt[]>>;
}
