import type { Clock } from '../../protocol/clock.js';
import { signPayload } from '../../protocol/signature.js';
import type { Deadlines } from './delivery-deadlines.js';
import { settled } from '../queue/delivery-rules.js';
import type { DeliveryOutcome, DeliveryStore } from '../queue/delivery-store.js';
import type { Attempt, Delivery } from '../queue/delivery.js';
import type { Endpoint } from '../endpoint.js';
import type { Slot } from '../queue/request-pool.js';
import { decide } from './retry-schedule.js';
import { sendRequest, type KnownResult, type SenderOptions } from './send-request.js';

export interface DeliverOptions {
  store: Pick<DeliveryStore, 'body' | 'markSent' | 'recordOutcome'>;
  clock: Clock;
  random: () => number;
  sender: SenderOptions;
  /** Ends when a request has taken long enough to leave the shared pool. */
  patience: Deadlines;
  /** Requests are being cut off: what becomes of them is for the next dispatcher to find out. */
  isCutOff(): boolean;
  /** A removed endpoint is not tried again. */
  endpointOf(delivery: Delivery): { endpoint: Endpoint; removed: boolean };
  /** Tries until it is done. */
  persist<T>(work: () => Promise<T>): Promise<T>;
  onAttempt(delivery: Delivery, attempt: Attempt): void;
}

const secretsOf = ({ secret, previousSecret }: Endpoint, now: number): string[] =>
  previousSecret && previousSecret.until > now ? [secret, previousSecret.secret] : [secret];

/** Takes one claimed delivery through one request, and puts down what came of it. */
export function createDeliver(options: DeliverOptions): (delivery: Delivery, slot: Slot) => Promise<void> {
  const { store, clock, random, sender, patience, isCutOff, endpointOf, persist, onAttempt } = options;
  const second = (): number => Math.floor(clock.now() / 1000);

  const send = async (
    endpoint: Endpoint,
    id: string,
    slot: Slot,
  ): Promise<Omit<Attempt, 'number'> & { result: KnownResult }> => {
    const body = await persist(() => store.body(id));
    if (!body) throw new Error(`The body of ${id} is gone.`);
    const sign = (timestamp: number): Promise<string> =>
      signPayload(body, secretsOf(endpoint, clock.now()), { timestamp });
    const timestamp = second();
    const signature = await sign(timestamp);
    await persist(() => store.markSent(id, clock.now()));
    slot.prepared();

    // The time of a signature is that of its request, and the disk may have been slow.
    const current = second() === timestamp ? signature : await sign(second());
    const startedAt = clock.now();
    const inPatience = patience.start(slot.slow);
    const result = await sendRequest({ url: endpoint.url, body, signature: current }, sender);
    inPatience();
    return { startedAt, durationMs: clock.now() - startedAt, result };
  };

  return async (delivery, slot) => {
    let answered = false;
    try {
      const { endpoint } = endpointOf(delivery);
      const sent = await send(endpoint, delivery.id, slot);
      if (isCutOff() && sent.result.kind === 'error') return;
      const attempt: Attempt = { number: delivery.requests + 1, ...sent };
      answered = attempt.result.kind === 'answer';
      const at = clock.now();
      const decision = decide(sent.result, delivery.attempts, random);
      const outcome: DeliveryOutcome =
        decision.state !== 'retrying'
          ? { id: delivery.id, attempt, state: decision.state, at }
          : endpointOf(delivery).removed
            ? { id: delivery.id, attempt, state: 'failed', at }
            : { id: delivery.id, attempt, state: 'retrying', dueAt: at + decision.delayMs, at };
      await persist(() => store.recordOutcome(outcome));
      onAttempt(settled({ ...delivery, requests: attempt.number }, outcome), attempt);
    } finally {
      slot.done(answered);
    }
  };
}
