import type { DeliveryState } from '../../protocol/delivery-states.js';

export type { DeliveryState };

/** The current activity of a delivery. */
export type DeliveryPhase = 'waiting' | 'preparing' | 'sending' | 'done';

/** One event for one endpoint. */
export interface Delivery {
  id: string;
  endpointId: string;
  /**
   * The URL of the last request. Before the first request, the endpoint's URL, even if the endpoint has since
   * been removed. Set only for deliveries read from a store.
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
  /** The number of requests with a known outcome and of failed preparations. */
  attempts: number;
  /** The number of started requests. Any beyond `attempts` were aborted when the sender stopped. */
  requests: number;
  /** The number of times the process ended between claiming and sending this delivery. */
  crashes: number;
  bodyBytes: number;
  resentFrom?: string;
}

/** The reason why a request ended without a response. */
export type NetworkErrorKind =
  /** The request could not be made, so nothing was sent. */
  'preparation' | 'target' | 'refused' | 'reset' | 'dns' | 'tls' | 'timeout' | 'cut-short' | 'network';

/** The result of one request. */
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
  /** Starts at 1, in sending order. */
  number: number;
  startedAt: number;
  durationMs: number;
  /** Missing for an interrupted request. */
  request?: SentRequest;
  result: AttemptResult;
}
