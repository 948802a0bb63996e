import type { DeliveryState } from '../../protocol/delivery-states.js';

export type { DeliveryState };

/** The current step of a delivery. */
export type DeliveryPhase = 'waiting' | 'preparing' | 'sending' | 'done';

/** An event that is delivered to one endpoint. */
export interface Delivery {
  id: string;
  endpointId: string;
  /**
   * The URL of the last request. Before the first request, this is the endpoint's URL, even if the endpoint has been removed.
   * Set only for deliveries that were read from a store.
   */
  url?: string;
  installationId: string;
  eventId: string;
  eventType: string;
  state: DeliveryState;
  phase: DeliveryPhase;
  createdAt: number;
  /** When the next request is due. Absent while a request is in flight and in a final state. */
  dueAt?: number;
  finishedAt?: number;
  /** The number of requests whose outcome is known, including failed preparations. */
  attempts: number;
  /** The number of requests that have been started. Requests beyond `attempts` were aborted when the sender stopped. */
  requests: number;
  /** How many times a process ended between claiming this delivery and sending it. */
  crashes: number;
  bodyBytes: number;
  resentFrom?: string;
  /** The span that queued the event, as a W3C `traceparent` header. Not read by `get` and `list`. */
  traceparent?: string;
}

/** The reason why a request ended without a response. */
export type NetworkErrorKind =
  /** The request could not be created, so nothing was sent. */
  'preparation' | 'target' | 'refused' | 'reset' | 'dns' | 'tls' | 'timeout' | 'cut-short' | 'network';

/** The result of a single request. */
export type AttemptResult =
  | { kind: 'answer'; status: number; /** The beginning of the body. */ body: Uint8Array }
  | { kind: 'error'; error: NetworkErrorKind; message: string }
  /** The sender ended before the outcome was known. */
  | { kind: 'interrupted' };

/** The request that was sent, without the body. */
export interface SentRequest {
  url: string;
  headers: Record<string, string>;
}

/** One request. */
export interface Attempt {
  /** Attempts are numbered from 1, in the order of their requests. */
  number: number;
  startedAt: number;
  durationMs: number;
  /** Absent if the request was interrupted. */
  request?: SentRequest;
  result: AttemptResult;
}
