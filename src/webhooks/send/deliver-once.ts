import type { Clock } from '../../base/clock.js';
import type { Endpoint } from '../endpoint.js';
import type { DeliveryOutcome } from '../queue/delivery-store.js';
import type { Delivery, SentRequest } from '../queue/delivery.js';
import type { DeliveryDeadlines } from './delivery-deadlines.js';
import { decide } from './retry-schedule.js';
import { sendRequest, type SenderOptions } from './send-request.js';
import { secondOf, signRequest } from './sign-request.js';

/** A delivery that has been taken up. */
export interface TakenUp {
  delivery: Delivery;
  body(): Promise<Uint8Array>;
  /** The preparation is over and the request begins: on disk when this resolves. */
  begins(): Promise<void>;
  /** The request takes long. */
  isSlow(): void;
}

export interface DeliverOptions {
  clock: Clock;
  random: () => number;
  sender: SenderOptions;
  userAgent: string;
  /** Ends when a request has taken long enough to leave the shared pool. */
  patience: DeliveryDeadlines;
  /** Requests are being cut off: the next owner finds out what became of them. */
  isCutOff(): boolean;
  /** A removed endpoint is not tried again. */
  endpointOf(delivery: Delivery): { endpoint: Endpoint; removed: boolean };
}

/** Makes one request. Resolves to what came of it, or to nothing if it was cut off. */
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

    // The time of a signature is that of its request, and the disk may have been slow.
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
