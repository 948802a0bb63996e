import { isSelectedBy } from '../../../src/webhooks/check-endpoint.js';
import { openDispatcher, type WebhookDispatcher } from '../../../src/webhooks/dispatcher.js';
import type {
  ClaimRequest,
  ClaimResult,
  DeliveryStore,
  LocalDeliveryStore,
} from '../../../src/webhooks/model/delivery-store.js';
import { longestDelayMs } from '../../../src/webhooks/send/retry-schedule.js';
import type { WebhookFetch } from '../../../src/webhooks/send/send-request.js';
import { siteView } from '../../webhooks/dispatcher-under-test.js';
import { Broken, check, createQueueModel, poisonAfter } from './queue-model.js';
import { createDraws, type Answer, type Plan, type Step } from './plan.js';
import { createProcess, type Knob, type Process, type Request } from './process.js';
import { createWorld, type Life } from './world.js';
import type { Medium } from './mediums.js';

const start = 1_700_000_000_000;
const perEndpoint = 4;
/** Long enough for the longest pause of the store's retries, four requests that hang, and the delays between them. */
const drainMs = 150_000;
const day = 86_400_000;
const slowestMs = 3000;
/** A worker that takes over waits until the requests of the one before have ended. */
const polledLateMs = 15_000;

/** Runs a plan. Resolves to what was broken, or to undefined. */
export async function simulateQueue(plan: Plan, medium: Medium, log?: string[]): Promise<string | undefined> {
  const draw = createDraws(plan.seed);
  const { exact = true } = medium;
  const entries = (medium.counts && plan.entries) || Infinity;
  const betweenMs = 1000 / (plan.perSecond ?? Infinity);
  const drained = exact ? drainMs : drainMs / 2;
  let busy = 0;
  const world = createWorld(
    start,
    () => draw('order'),
    async () => {
      // The answer of a database may be followed by the next query.
      for (let quiet = 0; quiet < (medium.isQuiet ? 3 : 1);) {
        await new Promise(setImmediate);
        quiet = busy > 0 || medium.isQuiet?.() === false ? 0 : quiet + 1;
      }
    },
    (ms) => medium.pass?.(ms),
  );
  const { elapsed, after } = world;
  const note = (text: string): void => void log?.push(`${elapsed().toFixed(0).padStart(7)} ms  ${text}`);
  /** The schedule's time minus the elapsed time. Setting the clock changes it only when the store is opened. */
  let offset = start;
  const model = createQueueModel(() => elapsed() + offset, exact, entries);
  const outside: Life = { dead: false };
  const broken: Broken[] = [];
  const guard = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      broken.push(error);
      return undefined;
    }
  };

  const endpoints = Array.from({ length: plan.endpoints }, (_, n) => ({
    id: `whe_${n}`,
    installationId: `ins_${n % 2}`,
    target: { type: 'site', id: `site_${n % 3}` } as const,
    url: `http://receiver-${n}.test/`,
    events: ['site_view'],
    enabled: true,
    secret: 's',
    createdAt: start,
  }));
  const indexOf = (endpointId: string): number => Number(endpointId.slice(4));
  const knobsOf = (endpointId: string): string[] => [endpointId, `ins_${indexOf(endpointId) % 2}`];
  const answers: Answer[] = endpoints.map(() => '200');
  const stored = new Map<string, Knob>();
  let failsUntil = 0;
  let slowUntil = 0;
  let signingFailsUntil = 0;
  const deadly = new Set<string>();
  let events = 0;
  let lives = 0;
  let store: LocalDeliveryStore = await medium.open(world.clockOf(outside), plan.entries);
  for (const endpoint of endpoints) await store.putEndpoint(endpoint);
  let current: Process | undefined;

  /** An operation of the store, which takes a while before and after it happens, and may fail. */
  const operation = <T>(
    process: Process,
    name: string,
    work: () => Promise<T>,
    retried?: string,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      process.open += 1;
      const delay = (): number =>
        Math.floor(draw(name) * (elapsed() < slowUntil ? slowestMs : draw(name) < 0.5 ? 1 : 8));
      const later = (settle: () => void): void =>
        void after(delay(), process, () => {
          process.open -= 1;
          settle();
        });
      after(delay(), process, () => {
        if (elapsed() < failsUntil) {
          if (retried !== undefined) process.failed.set(retried, elapsed());
          note(`${name} fails`);
          return later(() => reject(new Error('The disk is full.')));
        }
        busy += 1;
        work()
          .finally(() => (busy -= 1))
          .then(
            (value) => {
              note(name);
              later(() => resolve(value));
            },
            (error: unknown) => {
              const isLost = error instanceof Error && 'code' in error && error.code === 'right-lost';
              if (!isLost)
                broken.push(
                  error instanceof Broken ? error : new Broken(`the store does ${name}: ${String(error)}`),
                );
              later(() => reject(error));
            },
          );
      });
    });

  const isOpen = (process: Process, endpointId: string, as: Knob): boolean =>
    knobsOf(endpointId).every((knob) => (process.knobs.get(knob) ?? 'open') !== as);

  const taken = (process: Process, endpointId: string): number =>
    model.all().filter((one) => one.endpointId === endpointId && one.owner === process && isTaken(one.phase))
      .length;

  /** Whether the endpoint has something to send and nothing in flight. */
  const waits = (process: Process, endpointId: string, lateMs = 0): boolean =>
    knobsOf(endpointId).every((knob) => (process.knobs.get(knob) ?? 'open') === 'open') &&
    model
      .dueFor(endpointId)
      .some(({ due, crashes }) => crashes === 0 && due <= elapsed() + offset - lateMs) &&
    !process.claiming.has(endpointId) &&
    (process.recordedAt.get(endpointId) ?? -Infinity) <= elapsed() - lateMs &&
    (process.claimedAt.get(endpointId) ?? -Infinity) <= elapsed() - lateMs - betweenMs &&
    taken(process, endpointId) === 0;

  /** The scheduler learns when something is due as late as its store answers. */
  const lateMs = (): number =>
    (elapsed() < slowUntil + 2 * slowestMs ? 2 * slowestMs : 50) + (exact ? 0 : polledLateMs);

  /** A store that polls learns later than its own process what has become due. */
  const noteLate = (process: Process): void => {
    if (!exact) for (const { id } of endpoints) process.recordedAt.set(id, elapsed());
  };

  const checkTurns = (process: Process, claims: readonly ClaimRequest[]): void => {
    const again = claims.filter(
      ({ endpointId, limit }) => !process.everSlow.has(indexOf(endpointId)) && limit > 1,
    );
    for (const { id } of endpoints) {
      if (claims.some(({ endpointId }) => endpointId === id) || !waits(process, id, lateMs())) {
        process.passed.delete(id);
        continue;
      }
      check(!again[0], 'an endpoint gets its first request before others get their second', [id, again]);
      const passes = process.passed.get(id) ?? new Map<string, number>();
      process.passed.set(id, passes);
      for (const { endpointId: other } of claims) {
        passes.set(other, (passes.get(other) ?? 0) + 1);
        const isExempt = process.everSlow.has(indexOf(other));
        check(isExempt || (passes.get(other) ?? 0) <= 2, 'endpoints take turns', [id, other, elapsed()]);
      }
    }
  };

  const isDisabled = (endpointId: string): boolean =>
    stored.get(endpointId) === 'closed' && !model.gone.has(endpointId);

  const bodies = new WeakMap<Uint8Array, string>();
  const ownStore = (process: Process): DeliveryStore => ({
    ...store,
    endpoints: () => operation(process, 'endpoints', () => store.endpoints()),
    pausedInstallations: () => operation(process, 'pausedInstallations', () => store.pausedInstallations()),
    setPaused: (id, paused) =>
      operation(process, `setPaused ${id} ${paused}`, async () => {
        await store.setPaused(id, paused);
        stored.set(id, paused ? 'closed' : 'open');
      }),
    changeEndpoint: (id, change) =>
      operation(process, `changeEndpoint ${id}`, async () => {
        const changed = await store.changeEndpoint(id, change);
        stored.set(id, changed?.enabled ? 'open' : 'closed');
        return changed;
      }),
    removeEndpoint: (id) =>
      operation(process, `removeEndpoint ${id}`, async () => {
        await store.removeEndpoint(id);
        stored.set(id, 'closed');
        model.endpointRemoved(id);
      }),
    insert: (deliveries) =>
      operation(
        process,
        `insert ${deliveries.map(({ eventId, endpointId }) => `${eventId}/${endpointId}`).join()}`,
        async () => {
          const inserted = await store.insert(deliveries);
          model.inserted(deliveries, inserted);
          if (entries < Infinity) await model.noteEnded(isDisabled, store.get);
          process.workedAt = elapsed();
          return inserted;
        },
      ),
    expedite: (id) =>
      operation(process, `expedite ${id}`, async () => {
        const isWaiting = model.of(id).phase === 'waiting';
        const expedited = await store.expedite(id);
        model.expedited(id, isWaiting, expedited !== undefined);
        return expedited;
      }),
    body: (id) =>
      operation(
        process,
        `body ${id}`,
        async () => {
          const body = await store.body(id);
          if (body) bodies.set(body, id);
          const one = model.of(id);
          if (one.phase === 'preparing' && (process.crashesNext || deadly.has(one.body))) crash(process, 100);
          return body;
        },
        // Resending a delivery reads its body too, but only once.
        isTaken(model.of(id).phase) ? id : undefined,
      ),
    own: async (owner) => {
      const lost = new AbortController();
      const right = await operation(process, 'own', async () => {
        const own = await store.own({
          ...owner,
          onDue: (id, next) => process.dead || owner.onDue(id, next),
        });
        model.recovered();
        process.knobs = new Map(stored);
        noteLate(process);
        process.right = own;
        own.lost.addEventListener('abort', () => process.dead || lost.abort(own.lost.reason));
        return own;
      });
      const written = (what: string): void => {
        process.failed.delete(what);
        process.workedAt = elapsed();
      };
      return {
        ...right,
        lost: lost.signal,
        claim(requests) {
          const limits = new Map(requests.map(({ endpointId, limit }) => [endpointId, limit]));
          guard(() => {
            check(!process.closing, 'nothing is claimed while closing', requests);
            for (const { endpointId, limit, suspects } of requests) {
              check(
                isOpen(process, endpointId, 'closed'),
                'nothing is claimed for a closed endpoint',
                endpointId,
              );
              const since = elapsed() - (process.claimedAt.get(endpointId) ?? -Infinity);
              check(since > betweenMs - 0.01 && (betweenMs === 0 || limit === 1), 'the rate is kept', since);
              if (!suspects) continue;
              // If its outcome takes long to store, a preparation that failed counts as ended.
              const preparing = model
                .all()
                .find(
                  ({ id, owner, phase }) =>
                    owner === process &&
                    phase === 'preparing' &&
                    !(elapsed() - (process.recording.get(id) ?? Infinity) >= 1000),
                );
              check(!preparing, 'a suspect is prepared alone', preparing);
            }
            if (!requests[0]?.suspects && process.failed.size === 0 && exact) checkTurns(process, requests);
          });
          for (const id of limits.keys()) {
            process.claiming.add(id);
          }
          const name = `claim ${[...limits].map(([id, limit]) => `${id}:${limit}`).join()}`;
          const claim = async (): Promise<ClaimResult[]> => {
            const results = await right.claim(requests);
            model.claimed(requests, results, process);
            for (const { endpointId, deliveries } of results)
              if (betweenMs > 0 && deliveries.length > 0) process.claimedAt.set(endpointId, elapsed());
            written(name);
            return results;
          };
          const claimed = operation(process, name, claim, name);
          return claimed.finally(() => limits.forEach((_, id) => process.claiming.delete(id)));
        },
        markSent: (id) =>
          operation(
            process,
            `markSent ${id}`,
            async () => {
              await right.markSent(id);
              model.sent(id);
              written(id);
            },
            id,
          ),
        async recordOutcome(outcome) {
          process.recording.set(outcome.id, elapsed());
          const recorded = await operation(
            process,
            `record ${outcome.id} ${outcome.state}`,
            async () => {
              const delivery = await right.recordOutcome(outcome);
              process.recordedAt.set(model.of(outcome.id).endpointId, elapsed());
              if (delivery) model.recorded(outcome);
              written(outcome.id);
              return delivery;
            },
            outcome.id,
          );
          process.attempts.recorded += 1;
          return recorded;
        },
        release: () => operation(process, 'release', () => right.release()),
      };
    },
  });

  const fetchOf =
    (process: Process): WebhookFetch =>
    async (url, { body = new Uint8Array(), signal }) => {
      const id = bodies.get(body) ?? '';
      const one = model.of(id);
      const endpoint = indexOf(one.endpointId);
      const inFlight = [...process.requests].filter((request) => request.endpoint === endpoint);
      const request: Request = {
        id,
        number: one.requests,
        at: world.clockOf(outside).now(),
        endpoint,
        owner: process,
        shared: !process.everSlow.has(endpoint),
        startedAt: elapsed(),
      };
      note(`request ${one.requests} of ${id} to receiver ${endpoint}, which does ${answers[endpoint]}`);
      guard(() => {
        check(one.phase === 'sending' && one.owner === process, 'only a claimed delivery is sent', one);
        check(!inFlight.some((other) => other.id === id), 'a delivery is sent once at a time', id);
        check(inFlight.length < perEndpoint, 'at most four requests to an endpoint', inFlight.length);
        check(
          process.answered.has(endpoint) || inFlight.length === 0,
          'one request at a time to an endpoint that has never answered',
          endpoint,
        );
        const young = [...process.requests].filter(
          (other) => other.shared && elapsed() - other.startedAt < 1000,
        );
        check(!request.shared || young.length < plan.concurrency, 'the pool keeps its limit', young.length);
        check(url === endpoints[endpoint]?.url, 'a request goes to its endpoint', url);
        check(new TextDecoder().decode(body) === one.body, 'a request carries its event', id);
        check(elapsed() <= process.cutOffAt, 'no request starts after the others were aborted', id);
      });
      process.requests.add(request);
      one.received.push(request);
      // Just before the scheduler, which notices a slow request at the same instant at which it may claim again.
      after(999.5, process, () => process.requests.has(request) && process.everSlow.add(endpoint));
      const answer = answers[endpoint] ?? '200';
      const ms = Math.floor(draw(`request ${one.body} ${endpoint}`) * (answer === 'slow' ? 9000 : 30));
      try {
        await world.clockOf(process).sleep(answer === 'hang' ? day : ms, signal);
        if (answer === 'reset') throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
        request.answer = answer === 'slow' ? 200 : Number(answer);
        process.answered.add(endpoint);
        return { status: request.answer, body: null };
      } catch (error) {
        request.answer = signal.aborted && elapsed() >= process.cutOffAt ? 'aborted' : 'error';
        throw error;
      } finally {
        process.requests.delete(request);
        note(`receiver ${endpoint} answered ${request.answer} to ${id}`);
      }
    };

  const boot = async (): Promise<void> => {
    const process = createProcess(stored);
    current = process;
    lives += 1;
    const clock = world.clockOf(process);
    note(`start ${lives}`);
    try {
      process.dispatcher = await openDispatcher(
        {
          store: ownStore(process),
          clock,
          timers: clock,
          random: () => draw('jitter'),
          fetch: fetchOf(process),
          version: '1',
          concurrency: plan.concurrency,
          perEndpoint,
          ...(plan.perSecond && { perSecond: plan.perSecond }),
        },
        async ({ url }) => {
          if (elapsed() < signingFailsUntil) throw new Error('The key is gone.');
          return { url, headers: {} };
        },
      );
    } catch {
      process.dead = true;
      after(500, outside, () => void boot());
      return;
    }
    process.dispatcher.subscribe((change) => {
      if (change.type === 'attempt') process.attempts.told += 1;
      if (change.type !== 'lost') return;
      process.cutOffAt = elapsed();
      void close(process, undefined, 250);
    });
  };

  /** The process dies. Everything that the store has done is kept, whether or not the process has heard of it. */
  const crash = (process: Process, downMs: number): void => {
    if (process.dead) return;
    process.dead = true;
    note('crash');
    current = undefined;
    busy += 1;
    void (async () => {
      const next = await medium.crash(store, process.right);
      if (next !== store)
        offset = Math.max(world.clockOf(outside).now(), model.latestDue() - longestDelayMs) - elapsed();
      store = next;
      busy -= 1;
    })();
    after(downMs, outside, () => void boot());
  };

  const close = async (process: Process, patienceMs: number | undefined, downMs: number): Promise<void> => {
    if (process.closing) return;
    process.closing = true;
    current = undefined;
    const began = elapsed();
    if (patienceMs !== undefined) process.cutOffAt = began + patienceMs;
    const closed = process.dispatcher?.close(patienceMs === undefined ? {} : { patienceMs });
    // If the store fails, the lock is released when the process ends.
    await closed?.catch(() => process.right?.release());
    process.dead = true;
    note('closed');
    after(downMs, outside, () => void boot());
  };

  const turn = (
    knob: string,
    to: Knob,
    change: (dispatcher: WebhookDispatcher) => Promise<unknown>,
  ): void => {
    const process = current;
    // The application waits for one change before the next one.
    if (!process?.dispatcher || process.knobs.get(knob) === 'unknown') return;
    process.knobs.set(knob, 'unknown');
    change(process.dispatcher).then(
      () => {
        process.knobs.set(knob, to);
        noteLate(process);
      },
      () => process.knobs.set(knob, stored.get(knob) ?? 'open'),
    );
  };

  const enqueue = (event: ReturnType<typeof siteView>): void => {
    current?.dispatcher?.enqueue(event).then(
      (deliveries) => {
        note(`accepted ${event.eventId}`);
        guard(() => {
          const accepted = deliveries.map(({ id }) => model.of(id).endpointId);
          const missed = endpoints.find(
            (one) => isSelectedBy(event, one) && !model.removed.has(one.id) && !accepted.includes(one.id),
          );
          check(!missed, 'every subscribed endpoint gets an event, even if it is disabled', missed);
        });
      },
      () => undefined,
    );
  };
  const eventOf = (number: number, n: number) => ({
    ...siteView(`evt_${number}`, `site_${n % 3}`),
    installationId: `ins_${(n >> 2) % 2}`,
  });

  const act = ({ act, n, ms, answer }: Step): void => {
    const endpoint = n % endpoints.length;
    const endpointId = `whe_${endpoint}`;
    const installation = `ins_${n % 2}`;
    const running = current?.dispatcher && current;
    const known = model.all();
    const someId = known[n % Math.max(1, known.length)]?.id ?? '';
    const next = () => eventOf((events += 1), n);
    note(`-- ${act} ${n} ${ms} ${answer}`);
    const acts: Record<Step['act'], () => unknown> = {
      event: () => enqueue(next()),
      burst() {
        for (let i = 0; i < 9; i += 1) enqueue(eventOf((events += 1), n + 2 * i));
      },
      repeat: () => enqueue(eventOf(1 + (n % Math.max(1, events)), n)),
      'deadly event'() {
        const event = next();
        deadly.add(JSON.stringify(event));
        enqueue(event);
      },
      answer: () => (answers[endpoint] = answer),
      crash: () => current && crash(current, ms),
      // Its delivery is a suspect afterwards.
      'crash while preparing': () => current && (current.crashesNext = true),
      close: () => running && close(running, [undefined, 0, 1500][n % 3], ms),
      lose: () => running?.right?.release(),
      'store fails': () => (failsUntil = elapsed() + ms),
      'store is slow': () => (slowUntil = elapsed() + ms),
      'signing fails': () => (signingFailsUntil = elapsed() + ms),
      'clock jumps': () => world.jump([-day, day, -3_600_000, -40 * day][n % 4] ?? 0),
      pause: () => turn(installation, 'closed', (on) => on.pause(installation)),
      resume: () => turn(installation, 'open', (on) => on.resume(installation)),
      disable: () => turn(endpointId, 'closed', (on) => on.endpoints.update(endpointId, { enabled: false })),
      enable: () => turn(endpointId, 'open', (on) => on.endpoints.update(endpointId, { enabled: true })),
      remove: () =>
        turn(endpointId, 'closed', (on) => {
          model.removed.add(endpointId);
          return on.endpoints.remove(endpointId);
        }),
      resend: () => someId && running?.dispatcher?.deliveries.resend(someId).catch(() => undefined),
      skip: () => someId && running?.dispatcher?.deliveries.skipWait(someId).catch(() => undefined),
    };
    void acts[act]();
  };

  /** Nothing can happen before time passes, so nothing may be waiting that could be sent. */
  const atRest = (): void => {
    if (broken[0]) throw broken[0];
    const process = current;
    if (!process?.dispatcher || process.open > 0 || process.right?.lost.aborted) return;
    // While the store fails, it is called less and less often.
    if ([...process.failed.values()].some((at) => at >= process.workedAt || elapsed() < at + 1000 + lateMs()))
      return;
    check(
      process.attempts.told === process.attempts.recorded,
      'every outcome is reported once',
      process.attempts,
    );
    const young = [...process.requests].filter((request) => elapsed() - request.startedAt < 1000).length;
    if (young >= plan.concurrency) return;
    for (const { id } of endpoints)
      check(!waits(process, id, lateMs()), 'no endpoint waits while slots are free', id);
  };

  const heal = (): void => {
    answers.fill('200');
    failsUntil = signingFailsUntil = 0;
    slowUntil = Math.min(slowUntil, elapsed());
    note('-- everything works again');
  };
  const openAll = (): void => {
    for (const installation of ['ins_0', 'ins_1'])
      turn(installation, 'open', (on) => on.resume(installation));
    for (const { id } of endpoints)
      if (!model.gone.has(id)) turn(id, 'open', (on) => on.endpoints.update(id, { enabled: true }));
  };

  try {
    void boot();
    for (const step of plan.steps) {
      await world.runUntil(step.at, atRest);
      act(step);
    }
    await world.runUntil((plan.steps.at(-1)?.at ?? 0) + 1000, atRest);
    heal();
    await world.runUntil(elapsed() + drained / 2, atRest);
    // The first time, a process may end before everything is open.
    for (let times = 0; times < 2; times += 1) {
      openAll();
      await world.runUntil(elapsed() + drained, atRest);
    }
    const held = model.all().find(({ phase }) => phase !== 'done');
    check(!held, 'nothing is held forever', held);
    const innocent = model.all().find(({ body, crashes }) => crashes >= poisonAfter && !deadly.has(body));
    check(!innocent, 'only the delivery that crashes is set aside', innocent);
    const list = await store.list({ limit: 10_000 });
    const attempts = await store.attemptsOf(list.map(({ id }) => id));
    model.checkHistory(list, (id) => attempts.get(id) ?? []);
    check(!exact || world.waiting() === 0, 'no timer is left', world.waiting());
    check((await store.backlog()).inFlight === 0, 'nothing is in flight', '');
    return undefined;
  } catch (error) {
    if (error instanceof Broken) return error.message;
    throw error;
  } finally {
    await medium.close();
  }
}

const isTaken = (phase: string): boolean => phase === 'preparing' || phase === 'sending';
