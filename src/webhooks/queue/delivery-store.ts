import type { Attempt, Delivery, DeliveryState } from './delivery.js';
import type { Endpoint } from '../endpoint.js';

export interface NewDelivery {
  endpointId: string;
  installationId: string;
  eventId: string;
  eventType: string;
  body: Uint8Array;
  createdAt: number;
  resentFrom?: string;
}

/** When an endpoint's next deliveries are due: those never suspected, and those that are. */
export interface NextDue {
  dueAt?: number;
  suspectDueAt?: number;
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
  /** For `retrying`. */
  dueAt?: number;
  /** When it was known. */
  at: number;
}

export interface DeliveryQuery {
  endpointId?: string;
  installationId?: string;
  state?: DeliveryState;
  /** `failed`, `exhausted` and `poisoned`. */
  failed?: boolean;
  /** The id of a delivery: only older ones. */
  before?: string;
  /** 100 unless told. */
  limit?: number;
}

export interface Backlog {
  pending: number;
  retrying: number;
  /** Being prepared or sent; counted in the two above as well. */
  inFlight: number;
  oldestAt?: number;
}

/**
 * What the dispatcher needs to remember. A promise that resolves means: on disk (where there is
 * one). One that rejects means: nothing of it happened.
 */
export interface DeliveryStore {
  endpoints(): Promise<Endpoint[]>;
  putEndpoint(endpoint: Endpoint): Promise<void>;
  /** What waits for it ends as `failed`. Resolves to how many those were. */
  removeEndpoint(id: string, at: number): Promise<number>;

  pausedInstallations(): Promise<string[]>;
  setPaused(installationId: string, paused: boolean): Promise<void>;

  /** All of them or none. Due at once. */
  insert(deliveries: NewDelivery[]): Promise<Delivery[]>;
  nextDue(endpointId: string): Promise<NextDue>;
  /** Takes up what is due, oldest first, and marks it as being prepared. */
  claim(requests: ClaimRequest[], now: number): Promise<ClaimResult[]>;
  body(id: string): Promise<Uint8Array | undefined>;
  /** The request begins now. */
  markSent(id: string, at: number): Promise<void>;
  recordOutcome(outcome: DeliveryOutcome): Promise<void>;
  /** Makes a waiting delivery due now; resolves to it, or to nothing where it does not wait. */
  expedite(id: string, now: number): Promise<Delivery | undefined>;
  /**
   * Takes back what a dead sender held: a delivery being prepared gets a crash (the `poisonAfter`th
   * moves it aside), one being sent an `interrupted` attempt. Resolves to these deliveries.
   */
  recover(now: number, poisonAfter: number): Promise<Delivery[]>;

  get(id: string): Promise<Delivery | undefined>;
  attempts(id: string): Promise<Attempt[]>;
  /** Newest first. */
  list(query?: DeliveryQuery): Promise<Delivery[]>;
  backlog(endpointId?: string): Promise<Backlog>;
}
