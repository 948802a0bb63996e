import { seededRandom } from '../support/random.js';
import { createDatabase } from './database.js';
import { createPopulation, type EndpointOptions, type Row } from './endpoints.js';
import { createVirtualTime } from './virtual-time.js';
import { startWorker, type Worker } from './worker.js';

export interface SimulationOptions extends EndpointOptions {
  workers: number;
  seconds: number;
  /** Ends of a worker by SIGKILL, on average. */
  killsPerMinute: number;
  /** Workers that are frozen: Postgres frees their lanes 10 s later. */
  freezesPerMinute: number;
  /** How long a lane that is given away waits for its open requests before they are cut off. */
  shedMs: number;
  seed: number;
}

export interface Crash {
  at: number;
  kind: 'kill' | 'freeze';
  /** Requests without a written outcome. */
  unwritten: number;
}

export interface SimulationResult {
  events: number;
  requests: number;
  crashes: Crash[];
  /** From the event to its first request, for healthy endpoints that can keep up. */
  waits: { at: number; ms: number }[];
  /** Sent again because a worker had died. */
  repeated: number;
  /** Deliveries to endpoints that respond and can keep up which had no final outcome when everything was over. */
  unfinished: number;
  overloaded: number;
  mostOpen: number;
  /** Requests of each worker that lived to the end. */
  loads: number[];
  /** How long lanes of dead workers had no owner. */
  gaps: number[];
}

const restartMs = 2000;
const freeAfterKillMs = 50;
const freeAfterFreezeMs = 10_200;
/** Until the workers have shared the lanes. */
const warmUpMs = 5000;
/** Long enough for four time-outs of 10 s and the waits between them. */
const drainMs = 90_000;

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const { workers: workerCount, seconds, perSecond, seed } = options;
  const random = seededRandom(seed);
  const time = createVirtualTime();
  const population = createPopulation(options, random);
  const database = createDatabase(population.all);
  const world = time.clockOf({ dead: false });
  const end = warmUpMs + seconds * 1000;
  const waits: SimulationResult['waits'] = [];
  const crashes: Crash[] = [];
  let events = 0;
  let requests = 0;
  let repeated = 0;

  const onSent = (row: Row): void => {
    requests += 1;
    row.requests += 1;
    if (row.sentAttempts > row.attempts) repeated += 1;
    row.sentAttempts = row.attempts + 1;
    if (row.sentAt !== undefined) return;
    row.sentAt = time.now();
    const { behaviour, overloaded } = row.endpoint;
    if (behaviour === 'healthy' && !overloaded)
      waits.push({ at: row.createdAt, ms: row.sentAt - row.createdAt });
  };

  const start = (): Promise<Worker> => {
    const life = { dead: false };
    return startWorker({ database, clock: time.clockOf(life), life, random, shedMs: options.shedMs, onSent });
  };
  const workers = await Promise.all(Array.from({ length: workerCount }, start));

  const produce = async (): Promise<void> => {
    await world.sleep(warmUpMs);
    for (let owed = 0; world.now() < end; await world.sleep(1)) {
      for (owed += (perSecond / 1000) * 2 * random(); owed >= 1; owed -= 1) {
        events += 1;
        database.insert(population.next(), world.now());
      }
    }
  };

  const crash = async (kind: Crash['kind']): Promise<void> => {
    const at = Math.floor(random() * workers.length);
    const worker = workers[at] as Worker;
    const diedAt = world.now();
    crashes.push({ at: diedAt, kind, unwritten: worker.session.taken.size });
    worker.die();
    workers.splice(at, 1);
    const freeAfter = kind === 'kill' ? freeAfterKillMs : freeAfterFreezeMs;
    await Promise.all([
      world.sleep(freeAfter).then(() => database.end(worker.session, diedAt)),
      world.sleep(restartMs).then(async () => workers.push(await start())),
    ]);
  };

  const crashNow = async (kind: Crash['kind'], perMinute: number): Promise<void> => {
    if (perMinute === 0) return;
    await world.sleep(warmUpMs);
    for (;;) {
      await time.betweenTicks((-Math.log(1 - random()) * 60_000) / perMinute);
      if (world.now() >= end) return;
      void crash(kind);
    }
  };

  void produce();
  void crashNow('kill', options.killsPerMinute);
  void crashNow('freeze', options.freezesPerMinute);
  await time.runUntil(end + drainMs);

  const keepingUp = population.all.filter(({ overloaded }) => !overloaded);
  return {
    events,
    requests,
    crashes,
    waits,
    repeated,
    unfinished: keepingUp
      .filter(({ behaviour }) => behaviour !== 'hanging')
      .reduce((sum, { waiting }) => sum + waiting, 0),
    overloaded: population.all.length - keepingUp.length,
    mostOpen: population.all.reduce((most, endpoint) => Math.max(most, endpoint.mostOpen), 0),
    loads: workers.map((worker) => worker.requests()),
    gaps: database.gaps,
  };
}
