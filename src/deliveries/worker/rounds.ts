import type { CarefulLanes } from './careful-lanes.js';
import { createAccept } from './accept-due.js';
import { createDueReader, isTimeout, type DueDelivery } from './due-reader.js';
import { createEndpointFeed } from './endpoint-feed.js';
import { createEndpointRows } from './endpoint-rows.js';
import type { HeldDeliveries } from './held-deliveries.js';
import { createLaneBalance } from './balance-lanes.js';
import type { Lanes } from './lane-ownership.js';
import type { SendTimes } from './send-times.js';
import { createSettleEndpoints } from './settle-endpoints.js';
import type { WorkerOptions } from './worker-options.js';

export interface Rounds {
  /**
   * Maintains the worker's share of the lanes, tracks changes to endpoints and reads due deliveries. Resolves to true
   * if there is more to do.
   */
  run(): Promise<boolean>;
  /** Whether an endpoint has few deliveries left in memory but more in the database. */
  isLow(endpointId: string): boolean;
  polls(): { polls: number; pollMs: number };
  /** Drops the unsent deliveries, and releases all lanes and the membership. */
  leave(): Promise<void>;
}

const balanceEveryMs = 125;
const followEveryMs = 200;
const tidyUpEveryMs = 10_000;
/** How many first requests to read per endpoint at a time, in addition to those in flight. */
const perEndpoint = 32;
const few = 8;
/** While at least this many deliveries are in memory, a backlog is read at the usual rate. */
const plenty = 8000;

export function createRounds(
  options: WorkerOptions & { held: HeldDeliveries; lanes: Lanes; careful: CarefulLanes; times: SendTimes },
): Rounds {
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
    isLow: (id) => deep.has(id) && held.waiting(id) < few,
    polls: () => ({ polls, pollMs }),
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
