import { setImmediate as nextTurn } from 'node:timers/promises';
import { createDeferred } from '../../base/deferred.js';
import type { Clock, Timers } from '../../base/clock.js';
import type { MovableClock } from '../../base/movable-clock.js';
import { describeResult } from '../../base/text/delivery-reason.js';
import type { ClockResource, DueItem, Happened, MovedClock } from '../../contract/routes/state.js';
import { tokenExpiry } from '../../protocol/oauth/token-expiry.js';
import type { ScriptHost } from '../../sandbox/script/script-host.js';
import type { Background } from '../../base/background-work.js';
import type { EmulatorEvent } from '../live/emulator-event.js';
import type { EventFeed } from '../live/event-feed.js';
import { HttpError } from '../http/http-error.js';
import type { Registry } from '../state/registry.js';
import type { Tokens } from '../state/tokens.js';
import type { Tasks } from './scheduled-tasks.js';
import type { Webhooks } from '../webhooks/webhooks.js';

/** The session's clock, as users move it. */
export type ClockMoves = ReturnType<typeof createClockMoves>;

/** A script can queue a task for the same instant forever. */
const MOST_AT_ONCE = 100;
/** How many calls a single move may lead to. */
export const MOST_CALLS = 10_000;
/** How long a single request may move the clock. */
export const SLICE_MS = 1000;

interface ClockDeps {
  clock: Pick<Clock, 'now'>;
  movable: MovableClock | undefined;
  timers: Timers;
  registry: Registry;
  host: Pick<ScriptHost, 'settled'>;
  background: Background;
  tasks: Pick<Tasks, 'all'>;
  tokens: Pick<Tokens, 'issued'>;
  webhooks: Pick<Webhooks, 'use' | 'attemptsOf'>;
  feed: Pick<EventFeed, 'subscribe' | 'emitToConsole'>;
}

export function createClockMoves(deps: ClockDeps) {
  const { clock, movable, timers, registry, host, background, tasks, webhooks, feed } = deps;
  let moving = false;
  /** The move that several requests continue. */
  let journey = newJourney(NaN);

  const restore = (): void => movable?.set(registry.record().clockAhead ?? 0);
  restore();
  feed.subscribe((event) => event.type === 'state-loaded' && restore());

  const own = (): MovableClock => {
    if (!movable) throw new HttpError(409, 'fixed-clock', 'The clock of this platform cannot be moved.');
    if (moving) throw new HttpError(409, 'clock-moving', 'The clock is already being moved.');
    return movable;
  };
  const note = (clock: MovableClock): void => {
    registry.update({ clockAhead: clock.ahead() });
    feed.emitToConsole({ type: 'clock' });
  };

  /** Resolves when nothing that the platform has started is still running. */
  const settled = async (): Promise<void> => {
    // Those who have just been woken start their work in this turn.
    await nextTurn();
    await host.settled?.();
    await background.settled();
    await webhooks.use((dispatcher) => dispatcher.idle());
  };

  const pass = async (clock: MovableClock, to: number, untilIdle: boolean): Promise<Partial<MovedClock>> => {
    const began = timers.monotonic();
    for (;;) {
      await Promise.race([settled(), journey.over.promise]);
      const next = clock.next();
      if (journey.atOnce >= MOST_AT_ONCE) return { stopped: 'same-instant' };
      if (journey.calls >= MOST_CALLS) return { stopped: 'too-many-calls' };
      if (next === undefined || next > to) {
        if (next !== undefined || !untilIdle) clock.pass(to);
        return { done: true };
      }
      if (timers.monotonic() - began > SLICE_MS) return {};
      clock.pass(next);
    }
  };

  return {
    show: async (): Promise<ClockResource> => ({
      now: clock.now(),
      ahead: movable?.ahead() ?? 0,
      due: [...dueTasks(tasks), ...(await dueRetries(webhooks)), ...(await expiries(deps))].sort(
        (a, b) => a.at - b.at,
      ),
    }),
    /**
     * Moves the clock to a time. If the time is in the future, everything that is due by then happens first, in order and at
     * its time. Returns after about a second even if the time has not been reached, so that the caller can show progress and
     * continue. With `untilIdle`, time stops passing when nothing else is due.
     */
    async move(to: number, untilIdle = false): Promise<MovedClock> {
      const clock = own();
      if (to < clock.now()) {
        journey = newJourney(NaN);
        clock.set(clock.ahead() + to - clock.now());
        note(clock);
        return { now: clock.now(), ahead: clock.ahead(), done: true, happened: [] };
      }
      if (journey.to !== to) journey = newJourney(to);
      moving = true;
      clock.hold();
      const happened: Happened[] = [];
      const unsubscribe = feed.subscribe((event) => {
        const seen = seenIn(event, clock.now());
        if (!seen) return;
        happened.push(seen);
        if (seen.what !== 'call') return;
        if (journey.instant !== seen.at) Object.assign(journey, { instant: seen.at, atOnce: 0 });
        journey.calls += 1;
        journey.atOnce += 1;
        if (journey.atOnce >= MOST_AT_ONCE || journey.calls >= MOST_CALLS) journey.over.resolve();
      });
      try {
        const ended = await pass(clock, to, untilIdle);
        if (ended.stopped || ended.done) journey = newJourney(NaN);
        return { now: clock.now(), ahead: clock.ahead(), done: false, ...ended, happened };
      } finally {
        unsubscribe();
        clock.release();
        note(clock);
        moving = false;
      }
    },
    /** Follows the machine's time again. */
    reset() {
      const clock = own();
      journey = newJourney(NaN);
      clock.set(0);
      note(clock);
    },
  };
}

const dueTasks = (tasks: Pick<Tasks, 'all'>): DueItem[] =>
  tasks.all().map(({ id, dueAt, task, queuedBy }) => ({
    at: dueAt,
    what: 'task',
    id,
    title: task.type,
    ...(queuedBy !== undefined && { call: queuedBy }),
  }));

async function dueRetries(webhooks: Pick<Webhooks, 'use' | 'attemptsOf'>): Promise<DueItem[]> {
  const waiting = await webhooks.use(({ deliveries }) => deliveries.list({ state: 'retrying' }));
  const attempts = await webhooks.attemptsOf(waiting);
  return waiting.flatMap(({ id, dueAt, eventType }): DueItem[] => {
    const last = attempts.get(id)?.at(-1);
    const why = last && { why: describeResult(last.result) };
    return dueAt === undefined ? [] : [{ at: dueAt, what: 'retry', id, title: eventType, ...why }];
  });
}

/** Tokens and secrets that are still valid. Nothing runs when they expire, but later requests with them fail. */
async function expiries({
  clock,
  registry,
  tokens,
  webhooks,
}: Pick<ClockDeps, 'clock' | 'registry' | 'tokens' | 'webhooks'>): Promise<DueItem[]> {
  const configured = [
    ...registry.installations.all(),
    ...registry.placements.all().map(({ target, ...placement }) => ({ ...placement, id: target })),
  ];
  const endpoints = await webhooks.use((dispatcher) => dispatcher.endpoints.list());
  const all = [
    ...tokens
      .issued()
      .map(({ installation, expiresAt }) => ({ at: expiresAt, id: installation, title: 'API token' })),
    ...configured.flatMap(({ id, configuration }) =>
      Object.entries(configuration).map(([title, value]) => ({ at: tokenExpiry(value), id, title })),
    ),
    ...endpoints.map(({ id, previousSecret }) => ({
      at: previousSecret?.until,
      id,
      title: 'previous webhook secret',
    })),
  ];
  return all.flatMap(({ at, ...one }) =>
    at !== undefined && at > clock.now() ? [{ at, what: 'expiry', ...one } as const] : [],
  );
}

/** `over` resolves when there were too many calls. Such calls never settle if each one causes the next. */
const newJourney = (to: number) => ({ to, calls: 0, instant: NaN, atOnce: 0, over: createDeferred<void>() });

function seenIn(event: EmulatorEvent, at: number): Happened | undefined {
  if (event.type === 'call-finished') {
    const { id, event: sent, source, outcome, response } = event.call;
    const title = sent?.type ?? source;
    return {
      at,
      what: 'call',
      id,
      title: sent?.type === 'task' ? `task ${sent.task.type}` : title,
      result: outcome === 'ok' || !response ? (outcome ?? '') : String(response.status),
      failed: outcome === 'failed',
    };
  }
  if (event.type !== 'delivery' || !event.attempt) return undefined;
  const { id, eventType, state } = event.delivery;
  const { result } = event.attempt;
  const answer =
    result.kind === 'answer' ? String(result.status) : result.kind === 'error' ? result.error : result.kind;
  return { at, what: 'delivery', id, title: eventType, result: answer, failed: state !== 'delivered' };
}
