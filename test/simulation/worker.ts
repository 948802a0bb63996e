import type { Clock, SystemClock } from '../../src/base/clock.js';
import { DeliveryScheduler } from '../../src/webhooks/queue/delivery-scheduler.js';
import type { Delivery } from '../../src/webhooks/model/delivery.js';
import type { PreparedRequest } from '../../src/webhooks/send/delivery-sender.js';
import { decide } from '../../src/webhooks/send/retry-schedule.js';
import type { Database, Session } from './database.js';
import type { Row } from './endpoints.js';
import { createOwnedRows } from './owned-rows.js';
import { createRequests } from './requests.js';
import { createShareOfLanes } from './share-of-lanes.js';

export interface Worker {
  session: Session;
  /** Sent so far. */
  requests(): number;
  /** SIGKILL: nothing of it runs on. Its connections close at once. */
  die(): void;
}

interface WorkerOptions {
  database: Database;
  clock: SystemClock;
  life: { dead: boolean };
  random: () => number;
  /** How long a lane that is given away waits for its open requests before they are cut off. */
  shedMs: number;
  onSent(row: Row): void;
}

const pollMs = 100;
const lanesMs = 125;

const ignored = { isRemoved: async () => false, onOutcome() {}, onLost() {}, onChanged() {} };

/** A worker: the real scheduler, over lanes of a simulated database. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { database, clock, life, random, shedMs, onSent } = options;
  const session: Session = { lanes: new Set(), taken: new Set() };
  const rows = createOwnedRows(database, session, clock);
  const requests = createRequests({ clock, random, onSent });

  const scheduler = new DeliveryScheduler({
    store: {
      own: async (owner) => rows.own(owner),
      body: async () => new Uint8Array(),
      async removeEndpoint() {},
    },
    clock,
    timers: clock,
    concurrency: 256,
    perEndpoint: 4,
  });
  const request = { url: '', headers: {} };
  const sender = {
    prepare: async (delivery: Delivery, body: Uint8Array) => ({ delivery, body, request, preparedAt: 0 }),
    async send({ delivery: { id } }: PreparedRequest) {
      const row = rows.get(id);
      const startedAt = clock.now();
      const result = await requests.make(row);
      if (result.kind === 'interrupted') {
        rows.putBack(row);
        return undefined;
      }
      const attempt = { number: row.requests, startedAt, durationMs: clock.now() - startedAt, result };
      const decision = decide(result, row.attempts, random);
      if (decision.state !== 'retrying') return { id, attempt, state: decision.state };
      return { id, attempt, state: decision.state, retryInMs: decision.delayMs };
    },
  };
  await scheduler.start(sender, {
    ...ignored,
    onTrouble(error) {
      throw error;
    },
  });

  database.sessions.add(session);
  const shareLanes = createShareOfLanes({ database, session, rows, scheduler, requests, clock, shedMs });
  void repeat(clock, lanesMs, random, shareLanes);
  void repeat(clock, pollMs, random, rows.readNew);
  return {
    session,
    requests: requests.count,
    die() {
      life.dead = true;
      requests.disconnect();
    },
  };
}

async function repeat(clock: Clock, everyMs: number, random: () => number, work: () => void): Promise<void> {
  await clock.sleep(everyMs * random());
  for (;;) {
    work();
    await clock.sleep(everyMs);
  }
}
