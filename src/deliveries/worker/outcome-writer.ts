import type { DeliveryOutcome } from '../../webhooks/model/delivery-store.js';
import type { Clock } from '../../base/clock.js';
import { createBatches, type Batches } from '../model/batches.js';
import type { Statement, WorkerSession } from '../connection/worker-session.js';
import { fromAttempt, insertDone } from '../model/rows.js';
import type { Tables } from '../model/tables.js';
import type { HeldDelivery } from './held-deliveries.js';

export interface HeldOutcome {
  held: HeldDelivery;
  outcome: DeliveryOutcome;
}

export interface OutcomeWriter extends Pick<Batches<HeldOutcome, boolean>, 'waiting'> {
  /**
   * Resolves to true when the outcome is on disk, or to false if it was dropped. If the database rejects an outcome
   * because its row is locked or invalid, retries until the outcome is written or `leave` is called.
   */
  add(outcome: HeldOutcome): Promise<boolean>;
  /** The number of statements that failed. */
  failed(): number;
  /** Abandons outcomes that are being retried. The lane's next owner will send those deliveries again. */
  leave(): void;
  /** Resolves when no more outcomes are waiting to be written. */
  idle(): Promise<unknown>;
}

const maxPerBatch = 2000;
const firstPauseMs = 500;
const longestPauseMs = 30_000;

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);
const isLocked = (error: unknown): boolean => codeOf(error) === '55P03';
/**
 * Whether an error concerns a single row. Such errors are caused by the row's data, a constraint, a trigger that
 * someone else added, or a server limit.
 */
const isRowError = (error: unknown): boolean => /^(2[0-37]|54|P0)/.test(codeOf(error));

/**
 * Writes outcomes in batches. A row that cannot be written does not block the rest of its batch, because the batch is
 * split in half until only that row is left.
 */
export function createOutcomeWriter(options: {
  session: WorkerSession;
  tables: Tables;
  clock: Clock;
  onTrouble(error: unknown): void;
}): OutcomeWriter {
  const { session, tables, clock, onTrouble } = options;
  const statements = { normal: statementOf(tables, ''), unlocked: statementOf(tables, 'skip locked') };
  const leaving = new AbortController();
  let failed = 0;
  let triedAgain = 0;

  const write = async (batch: HeldOutcome[], statement: Statement): Promise<Written[]> => {
    const rows = await session.query(statement, [
      batch.map(({ held }) => held.order),
      batch.map(({ held }) => held.attempt),
      batch.map(({ outcome }) => outcome.state),
      batch.map(({ outcome }) => outcome.retryInMs ?? null),
      batch.map(({ outcome }) => fromAttempt(outcome.attempt)),
    ]);
    const written = new Set(rows.map(([id]) => Number(id)));
    // A retry shows whether the row is locked or another owner has already finished the delivery.
    const missing =
      statement === statements.normal ? false : new Error('Another session has locked its row.');
    return batch.map(({ held }) => (written.has(held.order) ? true : missing));
  };

  const run = async (batch: HeldOutcome[]): Promise<Written[]> => {
    try {
      return await write(batch, statements.normal);
    } catch (error) {
      failed += 1;
      if (isLocked(error)) return write(batch, statements.unlocked);
      if (!isRowError(error)) throw error;
      if (batch.length === 1) return [error as Error];
      const half = Math.ceil(batch.length / 2);
      return [...(await run(batch.slice(0, half))), ...(await run(batch.slice(half)))];
    }
  };

  const batches = createBatches({ most: maxPerBatch, weigh: () => 1, run });

  /** Retries each outcome separately, so that it does not delay others. */
  const tryAgain = async (outcome: HeldOutcome, first: Error): Promise<boolean> => {
    let problem = first;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      onTrouble(
        new Error(`The outcome of ${outcome.held.delivery.id} cannot be written: ${problem.message}`, {
          cause: problem,
        }),
      );
      await clock.sleep(pauseMs, AbortSignal.any([leaving.signal, session.lost]));
      const [written] = await run([outcome]);
      if (!(written instanceof Error)) return written === true;
      problem = written;
    }
  };

  const open = new Set<Promise<unknown>>();
  return {
    async add(outcome) {
      const first = batches.add(outcome);
      open.add(first);
      const written = await first.finally(() => open.delete(first));
      if (!(written instanceof Error)) return written;
      triedAgain += 1;
      return tryAgain(outcome, written).finally(() => (triedAgain -= 1));
    },
    idle: () => Promise.allSettled(open),
    waiting: () => batches.waiting() + triedAgain,
    failed: () => failed,
    leave: () => leaving.abort(new Error('The worker is stopping.')),
  };
}

/** True if the outcome is on disk, false if it was dropped, or the reason why it could not be written. */
type Written = boolean | Error;

/**
 * Writes an outcome only if the attempt number has not changed. Column values are passed on through `returning`,
 * because joining two parts of a statement is slow without hash joins.
 */
const statementOf = (tables: Tables, skipLocked: 'skip locked' | ''): Statement => ({
  name: `outcomes ${skipLocked}`,
  text: `with r as (
      select r.* from unnest($1::bigint[], $2::int[], $3::text[], $4::float8[], $5::json[])
        r(id, attempt, state, delay, entry)
      ${skipLocked && `join ${tables.pending} p on p.id = r.id for update of p skip locked`}),
    gone as (
      delete from ${tables.pending} p using r where p.id = r.id and p.attempt = r.attempt and r.delay is null
      returning p.*, r.state, r.entry),
    log as (${insertDone(tables, { from: 'gone', state: 'state', history: 'history || entry' })}),
    again as (
      update ${tables.pending} p
        set attempt = p.attempt + 1, due = now() + r.delay * interval '1 ms', history = p.history || r.entry
        from r where p.id = r.id and p.attempt = r.attempt and r.delay is not null
        returning p.id)
    select id from gone union all select id from again`,
});
