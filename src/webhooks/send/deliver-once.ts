import type { Clock } from '../../base/clock.js';
import type { Endpoint } from '../endpoint.js';
import type { DeliveryOutcome } from '../queue/delivery-store.js';
import type { Delivery, SentRequest } from '../queue/delivery.js';
import type { Deadlines } from '../../base/deadlines.js';
import { decide } from './retry-schedule.js';
import { sendRequest, type SenderOptions } from './send-request.js';
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
  /** Measures how long a request may take before it leaves the shared pool. */
  patience: Deadlines;
  /** Requests are being cut off. The next owner decides how to continue. */
  isCutOff(): boolean;
  /** Includes `removed`, because nothing more is sent to a removed endpoint. */
  endpointOf(delivery: Delivery): { endpoint: Endpoint; removed: boolean };
}

/** Makes one request. Resolves to its outcome, or to nothing if it was cut off. */
export function createDeliverOnce(
  options: DeliverOptions,
): (taken: TakenUp) => Promise<DeliveryOutcome | undefined> {
  const { clock, random, sender, userAgent, patience, isCutOff, endpointOf } = options;

  return async ({ delivery, body: read, begins, isSlow }) => {
    const { endpoint } = endpointOf(delivery);
    const body = await read();
    const sign = (now: number): Promise<SentRequest> => signRequest(endpoint, body, { userAgent, now });
    const preparedAt = clock.now();
    const prepared = await sign(preparedAt);
    await begins();

    // Signed with the time of the request: writing to disk may have taken a while.
    const startedAt = clock.now();
    const request = secondOf(startedAt) === secondOf(preparedAt) ? prepared : await sign(startedAt);
    const began = clock.monotonic();
    const cancelPatience = patience.start(isSlow);
    const result = await sendRequest({ ...request, body }, sender);
    cancelPatience();
    if (isCutOff() && result.kind === 'error') return undefined;

    const durationMs = Math.round(clock.monotonic() - began);
    const attempt = { number: delivery.requests + 1, startedAt, durationMs, request, result };
    const { id } = delivery;
    const decision = decide(result, delivery.attempts, random);
    if (decision.state !== 'retrying') return { id, attempt, state: decision.state };
    return endpointOf(delivery).removed
      ? { id, attempt, state: 'failed' }
      : { id, attempt, state: 'retrying', retryInMs: decision.delayMs };
  };
}
