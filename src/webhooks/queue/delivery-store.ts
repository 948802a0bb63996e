import type { Endpoint } from '../endpoint.js';
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

/** In how many milliseconds an endpoint's next deliveries are due: those never suspected, and those that are. */
export interface NextDue {
  inMs?: number;
  suspectInMs?: number;
}

export interface ClaimRequest {
  endpointId: string;
  limit: number;
  /** Only deliveries whose preparation has ended a process before, or only the others. */
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
  state: Exclude<DeliveryState, 'pending' | 'poisoned'>;
  /** Until the next request, for `retrying`. */
  retryInMs?: number;
}

export interface DeliveryQuery {
  endpointId?: string;
  installationId?: string;
  state?: DeliveryState;
  /** `failed`, `exhausted` and `poisoned`. */
  failed?: boolean;
  /** The id of a delivery: only older ones. */
  before?: string;
  /** Default: 100. */
  limit?: number;
}

export interface Backlog {
  pending: number;
  retrying: number;
  /** Being prepared or sent; counted in the two above as well. */
  inFlight: number;
  oldestAt?: number;
}

export interface DeliveryOwner {
  /** A delivery that has ended the process in its preparation this often is set aside. */
  poisonAfter: number;
  /** Called for each endpoint that has deliveries waiting, and whenever one becomes due earlier than known. */
  onDue(endpointId: string, next: NextDue): void;
  /** Called with what other processes have changed, by a store that several processes share. */
  onChanged(changes: EndpointChange[]): void;
  /** The store could not be read. It tries again by itself. */
  onTrouble(error: unknown): void;
}

/** A change that another process made. */
export type EndpointChange =
  | { type: 'endpoint'; endpoint: Endpoint }
  | { type: 'removed'; endpointId: string }
  | { type: 'paused'; installationId: string; paused: boolean };

/** The right to deliver. Every call rejects with the code `right-lost` once it is gone. */
export interface DeliveryRight {
  /** Aborted as soon as the right is gone. */
  lost: AbortSignal;
  /** Takes up what is due, oldest first. */
  claim(requests: ClaimRequest[]): Promise<ClaimResult[]>;
  /** The request begins now. */
  markSent(id: string): Promise<void>;
  recordOutcome(outcome: DeliveryOutcome): Promise<void>;
  /** The part of all endpoints that it covers, from 0 to 1. Without it: all of them. */
  share?(): number;
  /** Gives the right back. */
  release(): Promise<void>;
}

/**
 * The state of the dispatcher. A resolved promise means that the change is on disk, if the store has one. A rejected promise means that nothing changed. The store decides what is due from durations, so the clocks of its users don't matter.
 */
export interface DeliveryStore {
  endpoints(): Promise<Endpoint[]>;
  putEndpoint(endpoint: Endpoint): Promise<void>;
  /**
   * Changes an endpoint as it is in the store now, so that changes made at the same time don't undo
   * each other. `change` may be called more than once. Resolves to nothing if there is no such endpoint.
   */
  changeEndpoint(id: string, change: (endpoint: Endpoint) => Endpoint): Promise<Endpoint | undefined>;
  /** Its waiting deliveries end as `failed`. */
  removeEndpoint(id: string): Promise<void>;

  pausedInstallations(): Promise<string[]>;
  setPaused(installationId: string, paused: boolean): Promise<void>;

  /** All of them or none. Due immediately. */
  insert(deliveries: NewDelivery[]): Promise<Delivery[]>;
  /** Makes a waiting delivery due now; resolves to it, or to nothing where it does not wait. */
  expedite(id: string): Promise<Delivery | undefined>;

  /**
   * Gives the right to deliver, and takes back what a dead owner held: a delivery being prepared
   * gets a crash, one being sent an `interrupted` attempt. Rejects with the code `in-use` while
   * another owner lives.
   */
  own(owner: DeliveryOwner): Promise<DeliveryRight>;

  get(id: string): Promise<Delivery | undefined>;
  body(id: string): Promise<Uint8Array | undefined>;
  attempts(id: string): Promise<Attempt[]>;
  /** Newest first. */
  list(query?: DeliveryQuery): Promise<Delivery[]>;
  backlog(endpointId?: string): Promise<Backlog>;
}
