import type { Clock } from '../../base/clock.js';
import { signPayload } from '../../protocol/signature.js';
import type { Endpoint } from '../endpoint.js';
import type { DeliveryOutcome } from '../queue/delivery-store.js';
import type { Delivery } from '../queue/delivery.js';
import type { DeliveryDeadlines } from './delivery-deadlines.js';
import { decide } from './retry-schedule.js';
import { sendRequest, type SenderOptions } from './send-request.js';

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
  /** Ends when a request has taken long enough to leave the shared pool. */
  patience: DeliveryDeadlines;
  /** Requests are being cut off: the next owner finds out what became of them. */
  isCutOff(): boolean;
  /** A removed endpoint is not tried again. */
  endpointOf(delivery: Delivery): { endpoint: Endpoint; removed: boolean };
}

const secretsOf = ({ secret, previousSecret }: Endpoint, now: number): string[] =>
  previousSecret && previousSecret.until > now ? [secret, previousSecret.secret] : [secret];

/** Makes one request. Resolves to what came of it, or to nothing if it was cut off. */
export function createDeliverOnce(
  options: DeliverOptions,
): (taken: TakenUp) => Promise<DeliveryOutcome | undefined> {
  const { clock, random, sender, patience, isCutOff, endpointOf } = options;
  const second = (): number => Math.floor(clock.now() / 1000);

  return async ({ delivery, body: read, begins, isSlow }) => {
    const { endpoint } = endpointOf(delivery);
    const body = await read();
    const sign = (timestamp: number): Promise<string> =>
      signPayload(body, secretsOf(endpoint, clock.now()), { timestamp });
    const timestamp = second();
    const prepared = await sign(timestamp);
    await begins();

    // The time of a signature is that of its request, and the disk may have been slow.
    const signature = second() === timestamp ? prepared : await sign(second());
    const startedAt = clock.now();
    const began = clock.monotonic();
    const cancelPatience = patience.start(isSlow);
    const result = await sendRequest({ url: endpoint.url, body, signature }, sender);
    cancelPatience();
    if (isCutOff() && result.kind === 'error') return undefined;

    const durationMs = Math.round(clock.monotonic() - began);
    const attempt = { number: delivery.requests + 1, startedAt, durationMs, result };
    const { id } = delivery;
    const decision = decide(result, delivery.attempts, random);
    if (decision.state !== 'retrying') return { id, attempt, state: decision.state };
    return endpointOf(delivery).removed
      ? { id, attempt, state: 'failed' }
      : { id, attempt, state: 'retrying', retryInMs: decision.delayMs };
  };
}
