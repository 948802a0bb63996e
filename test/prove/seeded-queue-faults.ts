/** Faults that are put into a copy of the queue, one at a time. */
export interface SeededFault {
  what: string;
  file: string;
  change: [from: string, to: string];
  /** How many ordinary tests (test/webhooks and test/store) failed with this fault when that was last measured. */
  tests: number;
  /** The store whose code has the fault. */
  store?: 'sqlite';
}

const fault = (tests: number, what: string, file: string, from: string, to: string): SeededFault => ({
  tests,
  what,
  file: `src/webhooks/${file}`,
  change: [from, to],
});
const inSqlite = (tests: number, what: string, from: string, to: string): SeededFault => ({
  tests,
  what,
  file: 'src/store/deliveries/delivery-steps.ts',
  change: [from, to],
  store: 'sqlite',
});
const scheduler = 'queue/delivery-scheduler.ts';
const memory = 'queue/memory-delivery-store.ts';
const states = 'model/delivery-states.ts';

export const seededFaults: SeededFault[] = [
  fault(
    5,
    'retries count twice',
    states,
    'delivery.attempts + 1;',
    'delivery.attempts + (retryInMs === undefined ? 1 : 2);',
  ),
  inSqlite(7, 'a claimed delivery stays due', "'preparing', due_at = NULL WHERE", "'preparing' WHERE"),
  fault(
    0,
    'a delivery that becomes due during a claim is forgotten',
    scheduler,
    'if (queue.claiming) queue.claiming = earlier(queue.claiming, times);',
    '',
  ),
  fault(
    0,
    'an earlier time does not set the timer',
    'queue/wake-timer.ts',
    'if (next && next.at <= at)',
    'if (next)',
  ),
  fault(
    0,
    'a suspect is prepared with other deliveries',
    scheduler,
    'if (suspect && this.#pool.preparing > 0) return;',
    '',
  ),
  fault(
    2,
    'an outcome that leads to a retry is not reported',
    scheduler,
    'if (recorded) onOutcome',
    "if (recorded?.phase === 'done') onOutcome",
  ),
  fault(1, 'the lock is not released', scheduler, 'await this.#owned?.right.release();', ''),
  fault(
    1,
    'one more request than allowed',
    'queue/request-pool.ts',
    'return inFlight < Math',
    'return inFlight <= Math',
  ),
  fault(
    0,
    'slow requests stay in the pool',
    'queue/request-pool.ts',
    'slot.window.stalled = true;\n    this.#leaveShared(slot);',
    'slot.window.stalled = true;',
  ),
  fault(7, 'the newest delivery comes first', 'queue/due-heap.ts', 'a.order < b.order', 'a.order > b.order'),
  fault(
    1,
    'a delivery in flight can be made due',
    memory,
    "if (entry?.delivery.phase !== 'waiting') return undefined;",
    'if (!entry) return undefined;',
  ),
  fault(
    1,
    'an interrupted request is missing in the history',
    memory,
    'entry.attempts.push({ number, startedAt: entry.sentAt, durationMs: 0, result });',
    '',
  ),
  fault(
    1,
    'resends count as repeated events',
    memory,
    'delivery.resentFrom === undefined ? byEvent',
    'true ? byEvent',
  ),
  fault(4, 'crashes are not counted', states, 'delivery.crashes + 1;', 'delivery.crashes;'),
  fault(4, 'retries are due immediately', states, 'scheduled + retryInMs }', 'scheduled }'),
  fault(
    0,
    'attempts have the wrong number after an interruption',
    'send/delivery-sender.ts',
    'const number = delivery.requests + 1;',
    'const number = delivery.attempts + 1;',
  ),
  fault(
    0,
    'aborted requests count as failures',
    'send/delivery-sender.ts',
    "if (this.#cutOff && result.kind === 'error') return undefined;",
    '',
  ),
  fault(
    0,
    'paused installations are forgotten at a restart',
    'active-endpoints.ts',
    'new Set(await store.pausedInstallations())',
    'new Set<string>()',
  ),
  inSqlite(
    1,
    'interrupted deliveries are not resumed',
    "phase IN ('preparing', 'sending') ORDER",
    "phase IN ('preparing') ORDER",
  ),
  fault(
    0,
    'a claim that is repeated after an outage ignores that its endpoint was closed',
    scheduler,
    'closed ? [] : [{ endpointId, limit, suspects }]',
    '[{ endpointId, limit, suspects }]',
  ),
];
