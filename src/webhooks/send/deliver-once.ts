import { errorMessage } from '../../base/text/error-message.js';
import type { Clock } from '../../base/clock.js';
import type { Endpoint } from '../endpoint.js';
import type { DeliveryOutcome } from '../queue/delivery-store.js';
import type { Attempt, Delivery, SentRequest } from '../queue/delivery.js';
import type { Deadlines } from '../../base/deadlines.js';
import { decide, parseRetryAfter } from './retry-schedule.js';
import { sendRequest, type KnownResult, type SenderOptions } from './send-request.js';
import { secondOf, signRequest } from './sign-request.js';

/** A delivery that has been claimed. */
export interface TakenUp {
  delivery: Delivery;
  body(): Promise<Uint8Array>;
  /** Call when the preparation is done and the request begins. Resolves when this is on disk. */
  begins(): Promise<void>;
  /** Called when the request takes long. */
  isSlow(): void;
}

export interface DeliverOptions {
  clock: Clock;
  random: () => number;
  sender: SenderOptions;
  userAgent: string;
  /** Delays before the retries, if they are not the default ones. */
  retryDelaysMs: readonly number[] | undefined;
  /** Measures how long a request may take before it leaves the shared pool. */
  patience: Deadlines;
  /** Requests are being cut off. The next owner decides how to continue. */
  isCutOff(): boolean;
  /** Includes `removed`, because nothing more is sent to a removed endpoint. */
  endpointOf(delivery: Delivery): { endpoint: Endpoint; removed: boolean };
}

type KnownAttempt = Attempt & { result: KnownResult };

/** Makes one request. Resolves to its outcome, or to nothing if it was cut off. */
export function createDeliverOnce(
  options: DeliverOptions,
): (taken: TakenUp) => Promise<DeliveryOutcome | undefined> {
  const { clock, random, sender, userAgent, retryDelaysMs, patience, isCutOff, endpointOf } = options;

  const outcomeOf = (delivery: Delivery, attempt: KnownAttempt, retryAfterMs?: number): DeliveryOutcome => {
    const { id } = delivery;
    const schedule = retryDelaysMs && { delaysMs: retryDelaysMs, retryAfterMs };
    const decision = decide(attempt.result, delivery.attempts, random, schedule);
    if (decision.state !== 'retrying') return { id, attempt, state: decision.state };
    return endpointOf(delivery).removed
      ? { id, attempt, state: 'failed' }
      : { id, attempt, state: 'retrying', retryInMs: decision.delayMs };
  };

  return async ({ delivery, body: read, begins, isSlow }) => {
    const body = await read();
    const number = delivery.requests + 1;
    const sign = async (now: number): Promise<SentRequest> =>
      signRequest(endpointOf(delivery).endpoint, body, { userAgent, now });
    const preparedAt = clock.now();
    let prepared: SentRequest;
    try {
      prepared = await sign(preparedAt);
    } catch (error) {
      const result = { kind: 'error', error: 'preparation', message: errorMessage(error) } as const;
      return outcomeOf(delivery, { number, startedAt: preparedAt, durationMs: 0, result });
    }
    await begins();

    // Signed with the time of the request: writing to disk may have taken a while.
    const startedAt = clock.now();
    const request = secondOf(startedAt) === secondOf(preparedAt) ? prepared : await sign(startedAt);
    const began = clock.monotonic();
    const cancelPatience = patience.start(isSlow);
    let retryAfterMs: number | undefined;
    const result = await sendRequest({ ...request, body }, sender, (value) => {
      retryAfterMs = parseRetryAfter(value, clock.now());
    });
    cancelPatience();
    if (isCutOff() && result.kind === 'error') return undefined;

    const durationMs = Math.round(clock.monotonic() - began);
    return outcomeOf(delivery, { number, startedAt, durationMs, request, result }, retryAfterMs);
  };
}
