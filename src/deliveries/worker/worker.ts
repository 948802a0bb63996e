import type {
  ClaimRequest,
  ClaimResult,
  DeliveryRight,
  DeliveryOwner,
} from '../../webhooks/model/delivery-store.js';
import type { Delivery, DeliveryState } from '../../webhooks/model/delivery.js';
import { createWakeTimer } from '../../webhooks/queue/wake-timer.js';
import {
  createCarefulLanes,
  type CarefulLanes,
  createLanes,
  createLaneBalance,
  type Lanes,
} from './lanes.js';
import { createHeldDeliveries, type HeldDeliveries, type HeldDelivery } from './held-deliveries.js';
import { laneCount, type Tables } from '../model/tables.js';
import { createOutcomeWriter } from './outcome-writer.js';
import type { Clock } from '../../base/clock.js';
import type { Endpoint } from '../../webhooks/model/endpoint.js';
import type { WorkerSession } from '../connection/worker-session.js';
import { type DueDelivery, createDueReader, isTimeout } from './due-reader.js';
import {
  type EndpointSnapshot,
  createEndpointFeed,
  createEndpointRows,
  createSettleEndpoints,
  type EndpointFeed,
  type EndpointRows,
  type SettleEndpoints,
} from './endpoints.js';
import { createTurns } from '../../base/turns.js';
import { settled } from '../../webhooks/model/delivery-states.js';

/** The state of a worker, for metrics. */
export interface WorkerStatus {
  /** The number of lanes, out of 256, that this worker owns. */
  lanes: number;
  /** The number of deliveries in memory that are due or in flight. */
  held: number;
  /** The number of outcomes that have not been written yet. */
  unwritten: number;
  /** The number of reads since the start, and how long the last read took. */
  polls: number;
  pollMs: number;
  /** The time since the last successful read. */
  sinceReadMs: number;
  /** How long deliveries have been due without any request starting. */
  stalledMs: number;
  /** How long the oldest delivery has been due. Absent if this is unknown, and 0 if nothing is due. */
  oldestDueMs?: number;
  /** The number of batches of outcomes that could not be written. */
  failedBatches: number;
  sendDelays: SendDelays;
}

export type Worker = Awaited<ReturnType<typeof startWorker>>;

/** If this many outcomes are still unwritten, no new requests are sent. */
const maxUnwritten = 4000;
const pauseWhenFullMs = 20;
/**
 * How many deliveries are recorded as suspects at a time. If the worker crashes, all of them are suspects and are
 * prepared one at a time from then on.
 */
const suspectsAtOnce = 64;

/** Joins the other workers, takes lanes and reads their due deliveries. */
export async function startWorker(options: WorkerOptions) {
  const { session, tables, clock, pollMs, owner } = options;
  const held = createHeldDeliveries();
  const lanes = createLanes(session, tables, options.processId);
  const careful = createCarefulLanes(session, tables);
  const writer = createOutcomeWriter({ session, tables, clock, onTrouble: owner.onTrouble });
  await lanes.join(options.alone);

  const times = createSendTimes(clock, () => held.oldestDue() !== undefined);
  const rounds = createRounds({ ...options, held, lanes, careful, times });
  const loop = createPollLoop({
    clock,
    pollMs,
    ended: session.lost,
    round: rounds.run,
    onTrouble: owner.onTrouble,
  });
  const retryTimer = createWakeTimer(clock, loop.wake);
  session.lost.addEventListener('abort', retryTimer.stop);

  const claim = async (requests: ClaimRequest[]): Promise<ClaimResult[]> => {
    if (leaving) return requests.map(({ endpointId }) => ({ endpointId, deliveries: [], next: {} }));
    if (writer.waiting() > maxUnwritten) {
      const next = { inMs: pauseWhenFullMs, suspectInMs: pauseWhenFullMs };
      return requests.map(({ endpointId }) => ({ endpointId, deliveries: [], next }));
    }
    const suspects = await takeSuspects(
      held,
      careful,
      requests.filter((request) => request.suspects),
    );
    return requests.map(({ endpointId, limit, suspects: wanted }) => {
      const taken = wanted
        ? suspects.filter(({ delivery }) => delivery.endpointId === endpointId)
        : held.take(endpointId, limit, false);
      if (rounds.isLow(endpointId)) loop.wake();
      return { endpointId, deliveries: taken.map(toClaimed), next: held.nextDue(endpointId) };
    });
  };

  let leaving: Promise<void> | undefined;
  const leave = (): Promise<void> => {
    writer.leave();
    if (!leaving && !session.lost.aborted) session.hurry();
    leaving ??= (async () => {
      await loop.stop();
      if (!session.lost.aborted) await rounds.leave().catch(() => undefined);
    })();
    return leaving;
  };

  const oldestDue = (): Pick<WorkerStatus, 'oldestDueMs'> => {
    const dueAt = held.oldestDue();
    const oldestDueMs = dueAt === undefined ? 0 : times.age(dueAt);
    return oldestDueMs === undefined ? {} : { oldestDueMs };
  };

  const requireHeld = (id: string, ...phases: HeldDelivery['phase'][]): HeldDelivery => {
    const found = held.get(id);
    if (!found || !phases.includes(found.phase))
      throw new Error(`The delivery ${id} is not in the expected state.`);
    return found;
  };

  return {
    right: {
      lost: session.lost,
      async claim(requests) {
        session.lost.throwIfAborted();
        return claim(requests);
      },
      async markSent(id) {
        const one = requireHeld(id, 'preparing');
        const proof = session.alive();
        if (proof) await proof;
        one.phase = 'sending';
        if (one.delivery.dueAt !== undefined) times.sent(one.delivery.dueAt);
        careful.prepared(one);
      },
      async recordOutcome(outcome) {
        session.lost.throwIfAborted();
        const one = requireHeld(outcome.id, 'preparing', 'sending');
        careful.prepared(one);
        const written = await writer.add({ held: one, outcome });
        held.finish(one);
        if (!written) return undefined;
        options.onWritten(one.delivery.endpointId, outcome.state);
        if (outcome.retryInMs !== undefined) retryTimer.set(clock.monotonic() + outcome.retryInMs);
        const { dueAt: _, ...delivery } = one.delivery;
        return settled(delivery, outcome, clock.now());
      },
      share: () => lanes.reading().length / laneCount,
      suspectsAtOnce,
      leave,
      async release() {
        await leave();
        await writer.idle();
        retryTimer.stop();
        await session.end();
      },
    } satisfies DeliveryRight,
    status: () => ({
      lanes: lanes.reading().length,
      held: held.size(),
      unwritten: writer.waiting(),
      ...rounds.polls(),
      sinceReadMs: times.sinceReadMs(),
      stalledMs: times.stalledMs(),
      ...oldestDue(),
      failedBatches: writer.failed(),
      sendDelays: times.delays(),
    }),
    /** Returns a delivery that has been read but is not finished. */
    held: (id: string) => held.get(id),
    /** Must be called when something may be due now. */
    wake: loop.wake,
  };
}

function toClaimed({ delivery }: HeldDelivery): Delivery {
  const { dueAt: _, ...claimed } = delivery;
  return { ...claimed, phase: 'preparing' };
}

/**
 * Claims deliveries that might crash this worker, after recording them in the database. Deliveries that were already
 * in such a record are claimed one at a time.
 */
async function takeSuspects(
  held: HeldDeliveries,
  careful: CarefulLanes,
  requests: readonly ClaimRequest[],
): Promise<HeldDelivery[]> {
  const suspects: HeldDelivery[] = [];
  for (const { endpointId } of requests) {
    const [suspect] = held.take(endpointId, 1, true);
    if (!suspect) continue;
    const isAlone = suspect.delivery.crashes > 0;
    if (isAlone && suspects.length > 0) {
      held.putBack(suspect);
      continue;
    }
    suspects.push(suspect);
    if (isAlone) break;
  }
  if (suspects.length === 0) return [];
  try {
    await careful.suspect(suspects);
    return suspects;
  } catch (error) {
    for (const suspect of suspects) held.putBack(suspect);
    throw error;
  }
}

export interface WorkerOptions {
  session: WorkerSession;
  tables: Tables;
  clock: Clock;
  pollMs: number;
  /** Identifies the owner of a lane. It stays the same after a session is lost. */
  processId: string;
  /** True if no other worker is running in this process. */
  alone: boolean;
  owner: DeliveryOwner;
  /** The endpoints, which have just been read. */
  known?: EndpointSnapshot;
  /** Reads a stored endpoint. An endpoint whose secret cannot be decrypted is treated as closed. */
  readEndpoint(value: unknown): Endpoint;
  /** Bodies larger than this are not loaded. */
  maxBodyBytes: number;
  /** Sets aside a delivery whose body is larger than `maxBodyBytes`. */
  poisonLarge(due: DueDelivery): Promise<unknown>;
  /** Called with the delivery's state once an outcome is on disk. */
  onWritten(endpointId: string, state: DeliveryState): void;
  /** Runs every 10 seconds. */
  tidyUp(): Promise<unknown>;
}

const balanceEveryMs = 125;
const followEveryMs = 200;
const tidyUpEveryMs = 10_000;
/** How many first requests to read per endpoint at a time, in addition to those in flight. */
const perEndpoint = 32;
const few = 8;
/** While at least this many deliveries are in memory, a backlog is read at the usual rate. */
const plenty = 8000;

function createRounds(
  options: WorkerOptions & { held: HeldDeliveries; lanes: Lanes; careful: CarefulLanes; times: SendTimes },
) {
  const { session, tables, clock, owner, held, lanes, careful, times, tidyUp } = options;
  const reader = createDueReader(options);
  const feed = createEndpointFeed(session, tables, options.readEndpoint, options.known);
  const rows = createEndpointRows(session, tables, options.maxBodyBytes);
  const endpoints = createSettleEndpoints({
    clock,
    owner,
    feed,
    rows,
    held,
    lanes,
    onUnparked: reader.forget,
  });
  const accept = createAccept({ ...options, feed, rows, endpoints });
  const balance = createLaneBalance({ clock, lanes, careful, held, onShed: reader.forget });
  const next = { balance: 0, follow: 0, tidyUp: clock.monotonic() + tidyUpEveryMs };
  let deep: ReadonlySet<string> = new Set();
  let polls = 0;
  let pollMs = 0;

  const isTime = (what: keyof typeof next, everyMs: number): boolean => {
    const now = clock.monotonic();
    if (now < next[what]) return false;
    next[what] = now + everyMs;
    return true;
  };

  const poll = async (): Promise<boolean> => {
    const reading = lanes.reading();
    const began = clock.monotonic();
    const full = held.full();
    // The deliveries in flight are the oldest ones, so they are among the deliveries that are read.
    const most = perEndpoint + held.maxInFlight();
    const fresh = await reader.fresh(reading, full, most);
    deep = endpointsWith(fresh.due, most);
    await accept(fresh.due);
    const retries = await reader.retries(reading, full);
    await accept(retries.due);
    pollMs = clock.monotonic() - began;
    polls += 1;
    times.read(fresh.databaseNow);
    const more = fresh.more || retries.more;
    if (!more && careful.any()) {
      const left = held.carefulLanes();
      for (const lane of reading) if (!left.has(lane)) careful.end(lane);
    }
    return more;
  };

  return {
    /**
     * Maintains the worker's share of the lanes, tracks changes to endpoints and reads due deliveries. Resolves to true
     * if there is more to do.
     */
    async run() {
      if (isTime('follow', followEveryMs)) await endpoints.follow();
      if (isTime('balance', balanceEveryMs * (1 + Math.random()))) {
        endpoints.addParked(await balance.balance());
      }
      await careful.begin();
      await careful.clear();
      await balance.releaseShed();
      const settling = await endpoints.run();
      if (isTime('tidyUp', tidyUpEveryMs)) void tidyUp().catch(owner.onTrouble);
      if (lanes.reading().length === 0) {
        times.read();
        return settling;
      }
      const more = await readOrShrink(poll, reader.shrink);
      return settling || (more && held.size() < plenty);
    },
    /** Whether an endpoint has few deliveries left in memory but more in the database. */
    isLow: (id: string) => deep.has(id) && held.waiting(id) < few,
    polls: () => ({ polls, pollMs }),
    /** Drops the unsent deliveries, and releases all lanes and the membership. */
    leave: balance.leave,
  };
}

/** Returns the endpoints that reached their limit and may therefore have more deliveries. */
function endpointsWith(due: DueDelivery[], most: number): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { delivery } of due) counts.set(delivery.endpointId, (counts.get(delivery.endpointId) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= most).map(([id]) => id));
}

/** Performs a read. If the read takes longer than the server allows, reports this and makes subsequent reads smaller. */
async function readOrShrink(read: () => Promise<boolean>, shrink: () => void): Promise<boolean> {
  try {
    return await read();
  } catch (error) {
    if (isTimeout(error)) shrink();
    throw error;
  }
}

const tryAgainMs = 10_000;

const isLoaded = (due: DueDelivery): due is DueDelivery & { body: Uint8Array } => due.body !== undefined;

/** Accepts the deliveries that can be sent now, and reports them as due. */
function createAccept(options: {
  clock: Clock;
  owner: DeliveryOwner;
  poisonLarge(due: DueDelivery): Promise<unknown>;
  held: HeldDeliveries;
  careful: CarefulLanes;
  feed: EndpointFeed;
  rows: EndpointRows;
  endpoints: SettleEndpoints;
}): (due: DueDelivery[]) => Promise<void> {
  const { clock, owner, held, careful, feed, rows, endpoints, poisonLarge } = options;
  const inTurn = createTurns();
  const large = new Set<number>();
  const isPoison = ({ delivery }: DueDelivery): boolean => delivery.crashes >= owner.poisonAfter - 1;
  const statusOf = ({ delivery }: DueDelivery) => feed.statusOf(delivery.endpointId);

  /** Sets aside a delivery that is too large. The caller does not wait for this, so other deliveries are not delayed. */
  const setAside = async (one: DueDelivery): Promise<void> => {
    if (large.has(one.order)) return;
    large.add(one.order);
    try {
      await inTurn(() => poisonLarge(one));
    } catch (error) {
      owner.onTrouble(error);
      await clock.sleep(tryAgainMs);
    }
    large.delete(one.order);
  };

  return async (due) => {
    const now = clock.monotonic();
    const found = due.filter((one) => held.get(one.delivery.id) === undefined && !held.isElsewhere(one, now));
    for (const one of found) if (!isLoaded(one)) void setAside(one);
    const read = found.filter(isLoaded);
    // The endpoint may have just been added.
    if (read.some((one) => statusOf(one) === 'unknown')) await endpoints.follow();
    // `crashes` does not include a delivery's first crash, which left only the owner's name in the lane.
    const poison = read.filter(isPoison);
    if (poison.length > 0) await rows.poison(poison.map(({ order }) => order)).catch(owner.onTrouble);
    const healthy = read.filter((one) => !isPoison(one));
    for (const one of healthy) if (statusOf(one) !== 'open') endpoints.add(one.delivery.endpointId);
    const open = healthy.filter((one) => statusOf(one) === 'open');
    const added = held.add(
      open.map((one) => ({ ...one, careful: careful.isCareful(one), phase: 'waiting' as const })),
    );
    for (const id of added) owner.onDue(id, held.nextDue(id));
  };
}

/** The minimum time between the starts of two requested rounds. */
const betweenMs = 5;
const firstPauseMs = 1000;
const longestPauseMs = 5000;
/** Aborting with this reason avoids creating an exception with a stack trace each time. */
const over = 'over';

/** Runs rounds one after another until the session ends. A round resolves to true if there is more work to do. */
export function createPollLoop(options: {
  clock: Clock;
  pollMs: number;
  ended: AbortSignal;
  round(): Promise<boolean>;
  onTrouble(error: unknown): void;
}) {
  const { clock, pollMs, ended, round, onTrouble } = options;
  const stopping = new AbortController();
  let sleeper: AbortController | undefined;
  let wakes = false;
  let woken = false;
  let pauseMs = firstPauseMs;

  // Adds only one listener per session, because each call of `AbortSignal.any` would add an entry to a long-lived signal.
  const end = (): void => {
    stopping.abort(over);
    sleeper?.abort(over);
  };
  ended.addEventListener('abort', end);

  const sleep = async (ms: number): Promise<void> => {
    if (stopping.signal.aborted) return;
    sleeper = new AbortController();
    await clock.sleep(ms, sleeper.signal).catch(() => undefined);
    sleeper = undefined;
  };

  const rest = async (more: boolean): Promise<void> => {
    // Lets deliveries that have already been read start before reading more.
    await new Promise(setImmediate);
    if (more) return;
    await sleep(betweenMs);
    wakes = true;
    if (!woken) await sleep(pollMs - betweenMs);
    wakes = false;
    woken = false;
  };

  const run = async (): Promise<void> => {
    // Lets the code that called `own` continue before the first round.
    await new Promise(setImmediate);
    while (!ended.aborted && !stopping.signal.aborted) {
      try {
        const more = await round();
        pauseMs = firstPauseMs;
        await rest(more);
      } catch (error) {
        if (ended.aborted) break;
        onTrouble(error);
        await sleep(pauseMs);
        pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      }
    }
    ended.removeEventListener('abort', end);
  };
  const running = run();

  return {
    /** Starts the next round as soon as possible. */
    wake() {
      woken = true;
      if (wakes) sleeper?.abort(over);
    },
    /** Resolves when the last round has ended. */
    async stop() {
      end();
      await running;
    },
  };
}

/** Counts requests by how late they start after their due time. */
export interface SendDelays {
  /** Upper bounds, in milliseconds. */
  boundsMs: readonly number[];
  /** Has one more item than `boundsMs`. The last count is for all larger delays. */
  counts: readonly number[];
  sumMs: number;
}

export type SendTimes = ReturnType<typeof createSendTimes>;

const boundsMs = [50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000, 3_600_000];
const noDelays: SendDelays = { boundsMs, counts: [...boundsMs, Infinity].map(() => 0), sumMs: 0 };
/** How far the estimated database time may drift. */
const slackMs = 1;

/** Measures when requests start. Due times are on the database's clock, whose time is estimated from its responses. */
function createSendTimes(clock: Clock, isWaiting: () => boolean) {
  const counts = [...noDelays.counts];
  let sumMs = 0;
  let offset: number | undefined;
  let readAt = clock.monotonic();
  /** The last time when a request started or nothing was waiting. */
  let goodAt = readAt;

  /** How long ago this time was, according to the database's clock. Undefined before the first read. */
  const age = (dueAt: number): number | undefined =>
    offset === undefined ? undefined : Math.max(0, clock.monotonic() + offset - dueAt);

  return {
    /** Must be called after each successful read, with the database time if the read returned one. */
    read(databaseNow?: number) {
      readAt = clock.monotonic();
      // A slow response makes the database's clock appear to be behind.
      if (databaseNow !== undefined) {
        offset = Math.max(databaseNow - readAt, (offset ?? -Infinity) - slackMs);
      }
      if (!isWaiting()) goodAt = readAt;
    },
    sent(dueAt: number) {
      goodAt = clock.monotonic();
      const delay = age(dueAt) ?? 0;
      sumMs += delay;
      const found = boundsMs.findIndex((bound) => delay <= bound);
      const at = found < 0 ? boundsMs.length : found;
      counts[at] = (counts[at] ?? 0) + 1;
    },
    age,
    sinceReadMs: () => clock.monotonic() - readAt,
    /** How long deliveries have been due without any request starting. */
    stalledMs: () => (isWaiting() ? clock.monotonic() - goodAt : 0),
    delays: () => ({ boundsMs, counts: [...counts], sumMs }),
  };
}

export const noWorker: WorkerStatus = {
  lanes: 0,
  held: 0,
  unwritten: 0,
  polls: 0,
  pollMs: 0,
  sinceReadMs: 0,
  stalledMs: 0,
  failedBatches: 0,
  sendDelays: noDelays,
};
