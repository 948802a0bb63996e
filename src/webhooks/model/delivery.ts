/**
 * `pending` has no outcome yet, and `retrying` waits for its next request. The others are final: `failed` was
 * refused, `exhausted` failed in all requests of its schedule (four by default), and `poisoned` repeatedly ended
 * the process that prepared it, or cannot be prepared.
 */
export type DeliveryState = 'pending' | 'retrying' | 'delivered' | 'failed' | 'exhausted' | 'poisoned';

/** What is happening to a delivery now. */
export type DeliveryPhase = 'waiting' | 'preparing' | 'sending' | 'done';

/** One event on its way to one endpoint. */
export interface Delivery {
  id: string;
  endpointId: string;
  /**
   * The URL of its last request. Before the first request, the URL of its endpoint, even if the endpoint has
   * been removed since. Present only in deliveries that were read from a store.
   */
  url?: string;
  installationId: string;
  eventId: string;
  eventType: string;
  state: DeliveryState;
  phase: DeliveryPhase;
  createdAt: number;
  /** When the next request is due. Absent during a request, and in a final state. */
  dueAt?: number;
  finishedAt?: number;
  /** Requests whose outcome is known, and failed preparations. */
  attempts: number;
  /**
   * Requests that were started. If there are more than `attempts`, the rest were cut off when the sender
   * stopped.
   */
  requests: number;
  /** How often the process ended after claiming this delivery and before sending it. */
  crashes: number;
  bodyBytes: number;
  resentFrom?: string;
}

export type NetworkErrorKind =
  /** The request could not be made, so nothing was sent. */
  'preparation' | 'target' | 'refused' | 'reset' | 'dns' | 'tls' | 'timeout' | 'cut-short' | 'network';

export type AttemptResult =
  | { kind: 'answer'; status: number; /** The start of it. */ body: Uint8Array }
  | { kind: 'error'; error: NetworkErrorKind; message: string }
  /** The sender ended before an outcome was known. */
  | { kind: 'interrupted' };

/** What was sent, without the body of the delivery. */
export interface SentRequest {
  url: string;
  headers: Record<string, string>;
}

/** One request. */
export interface Attempt {
  /** Starts at 1, in the order of sending. */
  number: number;
  startedAt: number;
  durationMs: number;
  /** Absent for an interrupted request. */
  request?: SentRequest;
  result: AttemptResult;
}
