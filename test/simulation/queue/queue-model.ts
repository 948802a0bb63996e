import { decide } from '../../../src/webhooks/send/retry-schedule.js';
import type {
  ClaimRequest,
  ClaimResult,
  DeliveryOutcome,
  NewDelivery,
} from '../../../src/webhooks/model/delivery-store.js';
import type { Attempt, Delivery } from '../../../src/webhooks/model/delivery.js';

/** A promise of the queue that was broken. */
export class Broken extends Error {}

export function check(holds: boolean, promise: string, details: unknown = ''): asserts holds {
  if (!holds)
    throw new Broken(`${promise}: ${typeof details === 'string' ? details : JSON.stringify(details)}`);
}

/** A request that a receiver has seen, and its answer, once there is one. */
export interface Received {
  id: string;
  number: number;
  at: number;
  answer?: number | 'error' | 'aborted';
}

export interface Expected {
  id: string;
  endpointId: string;
  body: string;
  order: number;
  due: number;
  state: Delivery['state'];
  phase: Delivery['phase'];
  known: number;
  requests: number;
  crashes: number;
  /** When the removal of its endpoint ended it. */
  discardedAt?: number;
  /** The process that has claimed the delivery. */
  owner: object | undefined;
  received: Received[];
  history: (Received['answer'] | 'interrupted' | 'preparation')[];
}

const delays = [1000, 2000, 4000];
const mostRequests = 4;
export const poisonAfter = 5;
/** A worker that polls every 3 s, and reads changes at most every 200 ms, learns of a removal this late. */
const noticedLateMs = 3250;

/** What a queue has promised, derived from the steps that its store has taken. */
export function createQueueModel(now: () => number, exact: boolean, entries: number) {
  const all = new Map<string, Expected>();
  const byEvent = new Map<string, string>();
  /** Endpoints that are being removed too, because their retries are given up. */
  const removed = new Set<string>();
  const gone = new Set<string>();

  const of = (id: string): Expected => {
    const one = all.get(id);
    check(one !== undefined, 'every delivery is known', id);
    return one;
  };
  const waitingFor = (endpointId: string): Expected[] =>
    [...all.values()].filter((one) => one.endpointId === endpointId && one.phase === 'waiting');
  const end = (one: Expected, state: Delivery['state']): void =>
    void Object.assign(one, { state, phase: 'done' });
  /** Whether a worker may still have the delivery, because it has not learned that the endpoint was removed. */
  const isUnnoticed = ({ phase, discardedAt = -Infinity }: Expected): boolean =>
    !exact && phase === 'done' && now() <= discardedAt + noticedLateMs;

  return {
    all: () => [...all.values()],
    of,
    removed,
    gone,
    latestDue: () =>
      Math.max(...[...all.values()].filter(({ phase }) => phase === 'waiting').map(({ due }) => due), 0),
    dueFor: (endpointId: string) => waitingFor(endpointId).filter(({ due }) => due <= now()),
    inserted(wanted: readonly NewDelivery[], deliveries: readonly Delivery[]) {
      for (const [at, { id, endpointId }] of deliveries.entries()) {
        const { body, eventId, resentFrom } = wanted[at] as NewDelivery;
        const known = resentFrom === undefined ? byEvent.get(`${endpointId} ${eventId}`) : undefined;
        const isForgotten = known !== id && all.size > entries && all.get(known ?? '')?.phase === 'done';
        check(
          known === undefined || isForgotten ? !all.has(id) : known === id,
          'an event is queued once, and a resent one again',
          id,
        );
        if (resentFrom === undefined) byEvent.set(`${endpointId} ${eventId}`, id);
        if (all.has(id)) continue;
        all.set(id, {
          id,
          endpointId,
          body: new TextDecoder().decode(body),
          order: all.size,
          due: now(),
          state: 'pending',
          phase: 'waiting',
          known: 0,
          requests: 0,
          crashes: 0,
          owner: undefined,
          received: [],
          history: [],
        });
      }
    },
    /** Notes which held deliveries the store has ended, because it holds only so many. */
    async noteEnded(
      isDisabled: (endpointId: string) => boolean,
      read: (id: string) => Promise<Delivery | undefined>,
    ) {
      const held = [...all.values()].filter((one) => one.phase === 'waiting' && isDisabled(one.endpointId));
      const found = await Promise.all(held.map(({ id }) => read(id)));
      for (const [at, one] of held.entries()) {
        // An ended delivery may already have been forgotten.
        if ((found[at]?.phase ?? 'done') !== 'done') continue;
        check(at < held.length - entries, 'only the oldest held deliveries end without a request', one);
        end(one, 'failed');
      }
    },
    claimed(requests: readonly ClaimRequest[], results: readonly ClaimResult[], owner: object) {
      for (const [at, { endpointId, limit, suspects }] of requests.entries()) {
        const { deliveries = [] } = results[at] ?? {};
        check(deliveries.length <= limit, 'a claim keeps its limit', endpointId);
        const claimed = deliveries.map(({ id, attempts }) => {
          const one = of(id);
          check(one.phase === 'waiting' || isUnnoticed(one), 'a delivery is claimed once', one);
          check(one.due <= now() + 0.01, 'no request is early', { ...one, now: now() });
          check(
            one.endpointId === endpointId && (!exact || one.crashes > 0 === suspects),
            'suspects are apart',
            one,
          );
          check(attempts === one.known, 'a claim knows the attempts so far', [attempts, one]);
          Object.assign(one, { phase: 'preparing', owner, discardedAt: undefined });
          return one;
        });
        const before = (a: Expected, b: Expected): boolean =>
          a.due < b.due || (a.due === b.due && a.order < b.order);
        const passed = waitingFor(endpointId).find(
          (one) => one.crashes > 0 === suspects && claimed.some((other) => before(one, other)),
        );
        check(!exact || !passed, 'the oldest due delivery is claimed first', passed);
      }
    },
    sent(id: string) {
      const one = of(id);
      check(one.phase === 'preparing', 'only a claimed delivery is sent', one);
      one.phase = 'sending';
      one.requests += 1;
    },
    recorded({ id, attempt, state, retryInMs }: DeliveryOutcome) {
      const one = of(id);
      const { result, number } = attempt;
      check(one.phase === 'preparing' || one.phase === 'sending', 'an outcome is recorded once', one);
      check(number === one.requests + (one.phase === 'sending' ? 0 : 1), 'attempts are numbered', [
        attempt,
        one,
      ]);
      check(result.kind !== 'interrupted', 'a known outcome is recorded', one);
      const answer = answerOf(attempt);
      check(
        answer === 'preparation' || one.received.at(-1)?.answer === answer,
        'the recorded answer is the one that was received',
        [answer, one],
      );
      const expected = decide(result, one.known, () => 0);
      const isRemoved = removed.has(one.endpointId) && expected.state === 'retrying';
      check(state === expected.state || (isRemoved && state === 'failed'), 'the outcome is in the table', [
        state,
        one,
      ]);
      one.known += 1;
      one.requests = number;
      one.history.push(answer);
      check(one.known <= mostRequests, 'at most four known requests', one);
      if (retryInMs === undefined) return end(one, state);
      const delay = delays[one.known - 1] ?? NaN;
      check(retryInMs >= delay && retryInMs <= 1.1 * delay, 'retries wait for 1, 2 and 4 s', [
        retryInMs,
        one,
      ]);
      Object.assign(one, { state, phase: 'waiting', due: now() + retryInMs });
    },
    expedited(id: string, wasWaiting: boolean, isExpedited: boolean) {
      const one = of(id);
      // Only the worker that sends a delivery knows that it is in flight.
      const mayBeUnknown = isUnnoticed(one) || (!exact && one.phase !== 'done');
      check(
        isExpedited === wasWaiting || (isExpedited && mayBeUnknown),
        'only a waiting delivery is expedited',
        id,
      );
      if (isExpedited) one.due = now();
    },
    endpointRemoved(endpointId: string) {
      gone.add(endpointId);
      for (const one of waitingFor(endpointId)) {
        end(one, 'failed');
        one.discardedAt = now();
      }
    },
    /** The next owner takes over. `scale` converts due times to its schedule. */
    recovered() {
      for (const one of all.values()) {
        if (!exact) one.requests = one.known;
        else if (one.phase === 'sending') one.history.push('interrupted');
        else if (one.phase === 'preparing') one.crashes += 1;
        if (one.phase === 'preparing' && one.crashes >= poisonAfter) end(one, 'poisoned');
        else if (one.phase === 'sending' || one.phase === 'preparing')
          Object.assign(one, { phase: 'waiting', due: now() });
        if (one.phase === 'waiting' && gone.has(one.endpointId)) end(one, 'failed');
      }
    },
    /** Compares what the store says with what was sent. */
    checkHistory(stored: readonly Delivery[], attemptsOf: (id: string) => readonly Attempt[]) {
      const wanted = Math.min(all.size, entries);
      check(stored.length === wanted, 'no delivery is lost or made up', stored.length - wanted);
      for (const { id, state, phase, attempts, requests, crashes } of stored) {
        const one = of(id);
        const { known, history, received } = one;
        const kept = { state, phase, known: attempts, requests, ...(exact && { crashes }) };
        for (const [key, value] of Object.entries(kept))
          check(value === one[key as keyof typeof kept], `the store keeps ${key}`, [kept, one]);
        const recorded = attemptsOf(id);
        check(
          recorded.every(({ number }, at) => number === at + 1),
          'attempts are numbered in order',
          recorded,
        );
        const answered = recorded.map(answerOf);
        check(answered.join() === history.join(), 'the history is what was recorded', [answered, one]);
        check(
          known === history.filter((answer) => answer !== 'interrupted').length,
          'known requests are counted',
          one,
        );
        if (!exact)
          check(
            recorded.every(
              (one) => answerOf(one) === 'preparation' || received.some(({ at }) => at === one.startedAt),
            ),
            'what was recorded was sent',
            [recorded, received],
          );
        for (const { number, at } of exact ? received : []) {
          const attempt = recorded[number - 1];
          const isKnown = attempt && attempt.result.kind !== 'interrupted';
          check(attempt !== undefined, 'every request is in the history', one);
          check(!isKnown || attempt.startedAt === at, 'requests are recorded with their time', [attempt, at]);
        }
      }
    },
  };
}

function answerOf({ result }: Attempt): Received['answer'] | 'interrupted' | 'preparation' {
  if (result.kind === 'answer') return result.status;
  if (result.kind === 'interrupted') return 'interrupted';
  return result.error === 'preparation' ? 'preparation' : 'error';
}
