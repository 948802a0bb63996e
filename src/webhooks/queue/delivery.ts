/**
 * `pending` has had no outcome yet, `retrying` waits for its next request; the others are final:
 * `failed` was refused, `exhausted` had no success in four requests, `poisoned` kept ending the
 * process that prepared it.
 */
export type DeliveryState = 'pending' | 'retrying' | 'delivered' | 'failed' | 'exhausted' | 'poisoned';

/** What is being done about a delivery now. */
export type DeliveryPhase = 'waiting' | 'preparing' | 'sending' | 'done';

/** One event on its way to one endpoint. */
export interface Delivery {
  id: string;
  endpointId: string;
  /**
   * Where its last request went; before that, the address of its endpoint, also if that has been removed since.
   * Only deliveries that are read from a store have it.
   */
  url?: string;
  installationId: string;
  eventId: string;
  eventType: string;
  state: DeliveryState;
  phase: DeliveryPhase;
  createdAt: number;
  /** When the next request is due; absent while one is made, and at the end. */
  dueAt?: number;
  finishedAt?: number;
  /** Requests whose outcome is known. */
  attempts: number;
  /** Requests begun. Those beyond `attempts` were cut off by the end of the sender. */
  requests: number;
  /** How often the process ended between taking this up and sending it. */
  crashes: number;
  bodyBytes: number;
  resentFrom?: string;
}

export type NetworkErrorKind =
  | 'target'
  | 'refused'
  | 'reset'
  | 'dns'
  | 'tls'
  | 'timeout'
  | 'cut-short'
  | 'network';

export type AttemptResult =
  | { kind: 'answer'; status: number; /** The start of it. */ body: Uint8Array }
  | { kind: 'error'; error: NetworkErrorKind; message: string }
  /** The sender ended before an outcome was known. */
  | { kind: 'interrupted' };

/** What was sent, beside the body of the delivery. */
export interface SentRequest {
  url: string;
  headers: Record<string, string>;
}

/** One request. */
export interface Attempt {
  /** From 1, in the order of sending. */
  number: number;
  startedAt: number;
  durationMs: number;
  /** Unknown for an interrupted request. */
  request?: SentRequest;
  result: AttemptResult;
}
