import type { Clock, Timers } from '../../base/clock.js';
import { createDeadlines, type Deadlines } from '../../base/deadlines.js';
import type {
  ClaimResult,
  DeliveryOutcome,
  DeliveryOwner,
  DeliveryRight,
  DeliveryStore,
  NextDue,
} from '../model/delivery-store.js';
import type { Attempt, Delivery } from '../model/delivery.js';
import type { DeliverySender } from '../send/delivery-sender.js';
import { newWindow, RequestPool, type RequestWindow, type Slot } from './request-pool.js';
import { createStoreWrites, type StoreWrites } from './store-writes.js';
import { createWakeTimer, type WakeTimer } from './wake-timer.js';

export const poisonAfter = 5;
/** A request or write that takes longer than this leaves the shared pool. */
const slowMs = 1000;

export interface DeliverySchedulerOptions {
  store: Pick<DeliveryStore, 'own' | 'body' | 'removeEndpoint'>;
  clock: Clock;
  timers: Timers;
  /** The maximum number of requests in the shared pool. */
  concurrency: number;
  perEndpoint: number;
  /** The maximum number of requests per second to one endpoint. Default: no limit. */
  perSecond?: number | undefined;
}

/** Callbacks for sending deliveries. */
export interface SchedulerEvents {
  onOutcome(delivery: Delivery, attempt: Attempt): void;
  isRemoved(endpointId: string): Promise<boolean>;
  /** Called when the store could not be read or written. The scheduler retries on its own. */
  onTrouble(error: unknown): void;
  /** Called when the delivery lock has been lost. No more requests are sent. */
  onLost(reason: unknown): void;
  onChanged: DeliveryOwner['onChanged'];
}

/** Available once the scheduler holds the delivery lock. */
interface Owned extends SchedulerEvents {
  right: DeliveryRight;
  sender: Pick<DeliverySender, 'prepare' | 'send'>;
  writes: StoreWrites;
}

interface Queue {
  endpointId: string;
  closed: boolean;
  due: DueTimes;
  /** Collects the times of deliveries that become due while others are being claimed. */
  claiming: DueTimes | undefined;
  window: RequestWindow;
  /** When the rate allows the next request. */
  nextAt: number;
}

/** The number of requests that may start now, by endpoint. */
type Picks = Map<Queue, Slot[]>;

/**
 * Decides when each delivery is sent. Each endpoint has a queue, which knows only when its next delivery is due. The deliveries
 * stay in the store until they are claimed.
 *
 * A **queue** is
 * - closed, until `open` and again after `close`: nothing is claimed, but requests in flight may finish;
 * - waiting, while nothing is due, its window is full or its rate allows no request. The timer, a report from the store or the end of a request
 *   makes it ready;
 * - ready: ready queues take turns, one request each, as long as the pool has room;
 * - claiming, until the store has returned the deliveries. Reports that arrive in the meantime are not lost.
 *
 * A **delivery** is
 * - due, in the store;
 * - preparing, once it is claimed and has a slot: its body is read and its request is signed. If the process ends at
 *   this point, the delivery is a suspect. Suspects are prepared while nothing else is, so a crash cannot be blamed on
 *   another delivery;
 * - sending, once the store has recorded that the request begins. After a second it counts as slow;
 * - recorded, once its outcome is in the store. This frees the slot, unless it was freed earlier because the write
 *   took more than a second. If the delivery will be retried, it is due again when the store reports it.
 *
 * The **scheduler** claims deliveries from `start` until `stop` or until the delivery lock is lost, but not while a failed write
 * is waiting for the store to recover. The store may report deliveries and changes before it grants the lock.
 */
export class DeliveryScheduler {
  readonly #options: DeliverySchedulerOptions;
  readonly #queues = new Map<string, Queue>();
  /** The ready queues, in turn order. */
  readonly #ready = new Set<Queue>();
  readonly #suspected = new Set<Queue>();
  /** Contains a slot for each claimed delivery, and one for each delivery that a pending claim may return. */
  readonly #pool: RequestPool;
  readonly #timer: WakeTimer;
  readonly #patience: Deadlines;
  #owned: Owned | undefined;
  /** Aborted by `stop`, or when the delivery lock is lost. */
  readonly #ending = new AbortController();
  #released = false;

  /** The number of open queues. */
  #open = 0;
  /** True while suspects are being prepared. Nothing else may happen in the meantime. */
  #isolated = false;
  #scheduled = false;
  #idle: (() => void)[] = [];

  constructor(options: DeliverySchedulerOptions) {
    this.#options = options;
    this.#pool = new RequestPool(options);
    this.#patience = createDeadlines(options.timers, slowMs);
    this.#timer = createWakeTimer(options.clock, () => {
      for (const queue of this.#queues.values()) this.#look(queue);
      this.#schedule();
    });
  }

  /** Acquires the delivery lock and starts sending. Rejects with the code `in-use` while another owner is alive. */
  async start(sender: Owned['sender'], events: SchedulerEvents): Promise<void> {
    const { store, clock } = this.#options;
    const { onTrouble, onChanged } = events;
    const right = await store.own({
      poisonAfter,
      onDue: (endpointId, next) => this.#noteDue(this.#queueOf(endpointId), next),
      onChanged,
      onTrouble,
    });
    right.lost.throwIfAborted();
    const writes = createStoreWrites({
      clock,
      ending: this.#ending.signal,
      onTrouble,
      onRecovered: () => this.#schedule(),
      onRefused: (error) => this.#lose(error),
    });
    this.#owned = { ...events, right, sender, writes };
    right.lost.addEventListener('abort', () => this.#lose(right.lost.reason));
    this.#schedule();
  }

  /** Allows requests to this endpoint from now on. */
  open(endpointId: string): void {
    const queue = this.#queueOf(endpointId);
    if (queue.closed) this.#open += 1;
    queue.closed = false;
    this.#look(queue);
  }

  close(endpointId: string): void {
    const queue = this.#queueOf(endpointId);
    if (!queue.closed) this.#open -= 1;
    queue.closed = true;
    this.#ready.delete(queue);
  }

  /** Resolves when no request is in flight and no request can start. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#settle();
    });
  }

  /** Stops starting requests. Resolves when the requests in flight have ended and the delivery lock has been released. */
  async stop(): Promise<void> {
    this.#end();
    const left = this.#owned?.right.leave?.();
    await this.idle();
    await left;
    this.#released = true;
    await this.#owned?.right.release();
  }

  #end(): void {
    this.#ending.abort();
    this.#timer.stop();
  }

  #lose(reason: unknown): void {
    if (this.#released) return;
    this.#released = true;
    this.#end();
    this.#owned?.onLost(reason);
  }

  #queueOf(endpointId: string): Queue {
    let queue = this.#queues.get(endpointId);
    if (!queue) {
      queue = { endpointId, closed: true, due: never(), claiming: undefined, window: newWindow(), nextAt: 0 };
      this.#queues.set(endpointId, queue);
    }
    return queue;
  }

  #noteDue(queue: Queue, next: NextDue): void {
    const times = dueFrom(this.#options.clock.monotonic(), next);
    queue.due = earlier(queue.due, times);
    if (queue.claiming) queue.claiming = earlier(queue.claiming, times);
    this.#look(queue);
  }

  /** Marks a queue as ready if it may have something to send, or else sets its timer. */
  #look(queue: Queue): void {
    const { at, suspectAt } = queue.due;
    if (suspectAt === Infinity) this.#suspected.delete(queue);
    else this.#suspected.add(queue);
    const first = Math.max(Math.min(at, suspectAt), queue.nextAt);
    if (queue.closed || first === Infinity || this.#ending.signal.aborted) return;
    if (first > this.#options.clock.monotonic()) return this.#timer.set(first);
    this.#ready.add(queue);
    this.#schedule();
  }

  /** Looks for work after everything already queued in the event loop has run. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      const owned = this.#owned;
      if (owned && !this.#ending.signal.aborted && !owned.writes.blocked()) this.#takeUp(owned);
      this.#settle();
    });
  }

  #settle(): void {
    if (this.#scheduled || this.#pool.taken > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #takeUp(owned: Owned): void {
    if (this.#isolated && this.#pool.preparing > 0) return;
    const wasIsolated = this.#isolated;
    this.#isolated = false;
    const now = this.#options.clock.monotonic();
    const [suspect] = this.#dueSuspects(owned, now);
    if (suspect && this.#pool.preparing > 0) return;
    // Suspects and other deliveries take turns, because a crash may leave many suspects.
    const others: Picks = suspect && !wasIsolated ? new Map() : this.#pickInTurn(owned, now);
    this.#isolated = suspect !== undefined && others.size === 0;
    const picks = this.#isolated ? this.#pickSuspects(owned, now) : others;
    if (picks.size > 0) void this.#claim(owned, picks, this.#isolated);
  }

  *#dueSuspects(owned: Owned, now: number): Generator<Queue, undefined> {
    for (const queue of this.#suspected)
      if (queue.due.suspectAt <= now && this.#hasRoom(queue, now) && this.#poolHasRoom(owned, queue))
        yield queue;
  }

  #pickSuspects(owned: Owned, now: number): Picks {
    const { suspectsAtOnce = 1 } = owned.right;
    const picks: Picks = new Map();
    for (const queue of this.#dueSuspects(owned, now)) {
      picks.set(queue, [this.#take(queue, now)]);
      if (picks.size === suspectsAtOnce) break;
    }
    return picks;
  }

  /** Picks one request from each ready queue in turn, as long as the pool has room. */
  #pickInTurn(owned: Owned, now: number): Picks {
    const picks: Picks = new Map();
    for (let before = -1; before !== this.#pool.taken;) {
      before = this.#pool.taken;
      for (const queue of this.#ready) {
        if (queue.due.at > now || !this.#hasRoom(queue, now)) {
          this.#ready.delete(queue);
        } else if (this.#poolHasRoom(owned, queue)) {
          const slots = picks.get(queue) ?? [];
          slots.push(this.#take(queue, now));
          picks.set(queue, slots);
        }
      }
    }
    return picks;
  }

  #hasRoom({ closed, claiming, window, nextAt }: Queue, now: number): boolean {
    return !closed && !claiming && nextAt <= now && this.#pool.inWindow(window);
  }

  #take(queue: Queue, now: number): Slot {
    queue.nextAt = this.#next(now);
    return this.#pool.take(queue.window);
  }

  /** When the rate allows the request after the one that starts now. */
  #next(now: number): number {
    return now + 1000 / (this.#options.perSecond ?? Infinity);
  }

  #poolHasRoom({ right }: Owned, { window }: Queue): boolean {
    // Several workers share the endpoints, so this number is only an estimate.
    return this.#pool.hasRoom(window, this.#open * (right.share?.() ?? 1));
  }

  /** Claims a delivery for each picked slot, and sends the claimed deliveries. */
  async #claim(owned: Owned, picks: Picks, suspects: boolean): Promise<void> {
    for (const queue of picks.keys()) {
      queue.claiming = never();
      this.#ready.delete(queue);
    }
    const { clock } = this.#options;
    // An endpoint may be closed while the store recovers.
    const claim = (): Promise<ClaimResult[]> =>
      owned.right.claim(
        [...picks].flatMap(([{ endpointId, closed }, { length: limit }]) =>
          closed ? [] : [{ endpointId, limit, suspects }],
        ),
      );
    const results = await owned.writes.run(claim).catch(() => []);
    for (const [queue, slots] of picks) {
      const result = results.find(({ endpointId }) => endpointId === queue.endpointId);
      const { deliveries = [] } = result ?? {};
      // The claim may have had to wait for the store. The rate counts only requests.
      queue.nextAt = deliveries.length > 0 ? this.#next(clock.monotonic()) : clock.monotonic();
      const due = result ? dueFrom(clock.monotonic(), result.next) : queue.due;
      queue.due = earlier(due, queue.claiming ?? never());
      queue.claiming = undefined;
      for (const [at, slot] of slots.entries()) {
        const delivery = deliveries[at];
        if (delivery) void this.#deliver(owned, queue, slot, delivery);
        else this.#pool.giveBack(slot);
      }
      this.#look(queue);
    }
    this.#schedule();
  }

  /** Sends one request for a delivery and records its outcome. */
  async #deliver(owned: Owned, queue: Queue, slot: Slot, delivery: Delivery): Promise<void> {
    const { right, writes, onOutcome, onTrouble } = owned;
    const { endpointId } = queue;
    const finish = (answered: boolean): void => {
      if (slot.free) return;
      this.#pool.finish(slot, answered);
      this.#look(queue);
      this.#schedule();
    };
    try {
      const outcome = await this.#makeRequest(owned, slot, delivery);
      if (!outcome) return;
      const answered = outcome.attempt.result.kind === 'answer';
      // The request is complete. Even if the delivery's row is locked, the endpoint's other deliveries do not have to
      // wait.
      const cancelPatience = this.#patience.start(() => finish(answered));
      const recorded = await writes.run(() => right.recordOutcome(outcome)).finally(cancelPatience);
      // The endpoint may have been removed while the outcome was being written.
      if (recorded?.phase === 'waiting') await this.discardIfRemoved(endpointId);
      if (recorded) onOutcome(recorded, outcome.attempt);
      finish(answered);
    } catch (error) {
      if (!this.#ending.signal.aborted) onTrouble(error);
    } finally {
      finish(false);
    }
  }

  noteInserted(): void {
    this.#owned?.writes.noteSuccess();
  }

  /** Fails the waiting deliveries of a removed endpoint again, because some were written after it was removed. */
  async discardIfRemoved(endpointId: string): Promise<void> {
    const { writes, isRemoved } = this.#owned ?? {};
    if (await isRemoved?.(endpointId))
      await writes?.run(() => this.#options.store.removeEndpoint(endpointId));
  }

  /** Resolves to undefined if the request was aborted. */
  async #makeRequest(owned: Owned, slot: Slot, delivery: Delivery): Promise<DeliveryOutcome | undefined> {
    const { right, sender, writes } = owned;
    const body = await writes.run(() => this.#options.store.body(delivery.id));
    if (!body) throw new Error(`The body of ${delivery.id} no longer exists.`);
    const prepared = await sender.prepare(delivery, body);
    if ('attempt' in prepared) return prepared;
    await writes.run(() => right.markSent(delivery.id));
    this.#pool.endPreparation(slot);
    if (this.#pool.preparing === 0) this.#schedule();
    const cancelPatience = this.#patience.start(() => {
      this.#pool.markSlow(slot);
      this.#schedule();
    });
    return sender.send(prepared).finally(cancelPatience);
  }
}

/** When an endpoint's next deliveries are due, on the monotonic clock. */
export interface DueTimes {
  at: number;
  suspectAt: number;
}

const never = (): DueTimes => ({ at: Infinity, suspectAt: Infinity });

const dueFrom = (now: number, { inMs = Infinity, suspectInMs = Infinity }: NextDue): DueTimes => ({
  at: now + inMs,
  suspectAt: now + suspectInMs,
});

const earlier = (a: DueTimes, b: DueTimes): DueTimes => ({
  at: Math.min(a.at, b.at),
  suspectAt: Math.min(a.suspectAt, b.suspectAt),
});
