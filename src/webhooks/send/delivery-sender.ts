import { errorMessage } from '../../base/text/error-message.js';
import type { Clock, Timers } from '../../base/clock.js';
import { createDeadlines, type Deadlines } from '../../base/deadlines.js';
import type { Endpoint } from '../model/endpoint.js';
import type { DeliveryOutcome } from '../model/delivery-store.js';
import type { Attempt, Delivery, SentRequest } from '../model/delivery.js';
import { startAttemptSpan } from './attempt-span.js';
import { decide, parseRetryAfter } from './retry-schedule.js';
import { sendRequest, type KnownResult, type WebhookFetch } from './send-request.js';
import { secondOf, type signRequest } from './sign-request.js';

export interface DeliverySenderOptions {
  clock: Clock;
  timers: Timers;
  /** How many milliseconds `clock` is ahead of the time that receivers compare signatures with. */
  ahead: () => number;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive), which is used for jitter. */
  random: () => number;
  fetch: WebhookFetch;
  /** The time limit for a complete response. */
  timeoutMs: number;
  userAgent: string;
  /** The retry delays, or undefined for the default delays. */
  retryDelaysMs: readonly number[] | undefined;
  /** Returns the endpoint in its current state. No more requests are sent to a `removed` endpoint. */
  findEndpoint(id: string): { endpoint: Endpoint; removed: boolean };
  sign: typeof signRequest;
}

/** A signed request that has not started yet. */
export interface PreparedRequest {
  delivery: Delivery;
  body: Uint8Array;
  request: SentRequest;
  preparedAt: number;
}

type KnownAttempt = Attempt & { result: KnownResult };

/** Creates the requests for deliveries, and decides what happens next based on each result. */
export class DeliverySender {
  readonly #options: DeliverySenderOptions;
  readonly #timeouts: Deadlines;
  #cutOff = false;

  constructor(options: DeliverySenderOptions) {
    this.#options = options;
    this.#timeouts = createDeadlines(options.timers, options.timeoutMs);
  }

  /** Signs the request. If the request cannot be created, resolves to the delivery's outcome. */
  async prepare(delivery: Delivery, body: Uint8Array): Promise<PreparedRequest | DeliveryOutcome> {
    const startedAt = this.#options.clock.now();
    try {
      const request = await this.#sign(delivery, body, startedAt);
      return { delivery, body, request, preparedAt: startedAt };
    } catch (error) {
      const result = { kind: 'error', error: 'preparation', message: errorMessage(error) } as const;
      startAttemptSpan(delivery).end(result);
      return this.#decide(delivery, { number: delivery.requests + 1, startedAt, durationMs: 0, result });
    }
  }

  /**
   * Sends a single request. Resolves to its outcome, or to undefined if it was aborted and the next owner will resume
   * the delivery.
   */
  async send(prepared: PreparedRequest): Promise<DeliveryOutcome | undefined> {
    const { clock, timers, fetch } = this.#options;
    const { delivery, body } = prepared;
    const startedAt = clock.now();
    if (secondOf(startedAt) !== secondOf(prepared.preparedAt)) {
      // Writing to disk took a while, so the signature is out of date.
      const again = await this.prepare(delivery, body);
      return 'attempt' in again ? again : this.send(again);
    }
    // Aborting ends only requests that have started.
    if (this.#cutOff) return undefined;
    const span = startAttemptSpan(delivery, prepared.request);
    const request = { ...prepared.request, headers: { ...prepared.request.headers, ...span.headers } };
    const began = timers.monotonic();
    let retryAfterMs: number | undefined;
    const fetchFor: WebhookFetch = (url, init) => fetch(url, init, delivery.endpointId);
    const sender = { fetch: fetchFor, timeouts: this.#timeouts };
    const result = await span.run(() =>
      sendRequest({ ...request, body }, sender, (value) => {
        retryAfterMs = parseRetryAfter(value, clock.now());
      }),
    );
    span.end(result);
    if (this.#cutOff && result.kind === 'error') return undefined;
    const durationMs = Math.round(timers.monotonic() - began);
    const number = delivery.requests + 1;
    return this.#decide(delivery, { number, startedAt, durationMs, request, result }, retryAfterMs);
  }

  /** Aborts the requests in flight. */
  cutOff(): void {
    this.#cutOff = true;
    this.#timeouts.endAll();
  }

  #sign({ endpointId }: Delivery, body: Uint8Array, now: number): Promise<SentRequest> {
    const { userAgent, findEndpoint, ahead, sign } = this.#options;
    return sign(findEndpoint(endpointId).endpoint, body, { userAgent, now: now - ahead() });
  }

  #decide(delivery: Delivery, attempt: KnownAttempt, retryAfterMs?: number): DeliveryOutcome {
    const { id, endpointId } = delivery;
    const { random, retryDelaysMs, findEndpoint } = this.#options;
    const schedule = retryDelaysMs && { delaysMs: retryDelaysMs, retryAfterMs };
    const decision = decide(attempt.result, delivery.attempts, random, schedule);
    if (decision.state !== 'retrying') return { id, attempt, state: decision.state };
    return findEndpoint(endpointId).removed
      ? { id, attempt, state: 'failed' }
      : { id, attempt, state: 'retrying', retryInMs: decision.delayMs };
  }
}
