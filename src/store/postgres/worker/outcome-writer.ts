import type { DeliveryOutcome } from '../../../webhooks/queue/delivery-store.js';
import { createBatches, type Batches } from '../batches.js';
import type { Statement, WorkerSession } from '../connection/worker-session.js';
import { fromAttempt } from '../rows.js';
import type { Tables } from '../tables.js';
import type { HeldDelivery } from './held-deliveries.js';

export interface HeldOutcome {
  held: HeldDelivery;
  outcome: DeliveryOutcome;
}

const maxPerBatch = 2000;

/** Writes outcomes in batches. `add` resolves to whether the outcome is on disk; otherwise it was dropped. */
export function createOutcomeWriter(session: WorkerSession, tables: Tables): Batches<HeldOutcome, boolean> {
  const statement = statementOf(tables);
  return createBatches({
    most: maxPerBatch,
    weigh: () => 1,
    async run(batch) {
      const rows = await session.query(statement, [
        batch.map(({ held }) => held.order),
        batch.map(({ held }) => held.attempt),
        batch.map(({ outcome }) => outcome.state),
        batch.map(({ outcome }) => outcome.retryInMs ?? null),
        batch.map(({ outcome }) => fromAttempt(outcome.attempt)),
      ]);
      const written = new Set(rows.map(([id]) => Number(id)));
      return batch.map(({ held }) => written.has(held.order));
    },
  });
}

/**
 * An outcome is written only if the attempt number still matches. Columns are passed through `returning`:
 * joining two parts of one statement is slow without hash joins.
 */
const statementOf = ({ pending, done }: Tables): Statement => ({
  name: 'outcomes',
  text: `with r as (
      select * from unnest($1::bigint[], $2::int[], $3::text[], $4::float8[], $5::json[])
        r(id, attempt, state, delay, entry)),
    gone as (
      delete from ${pending} p using r where p.id = r.id and p.attempt = r.attempt and r.delay is null
      returning p.id, now() as finished_at, p.created_at, p.resent_from, p.starts, r.state, p.endpoint,
        p.installation, p.event_id, p.event_type, p.history || r.entry as history, p.body, p.keyed),
    log as (
      insert into ${done} (id, finished_at, created_at, resent_from, starts, state, endpoint, installation,
        event_id, event_type, history, body, keyed)
      select * from gone),
    again as (
      update ${pending} p
        set attempt = p.attempt + 1, due = now() + r.delay * interval '1 ms', history = p.history || r.entry
        from r where p.id = r.id and p.attempt = r.attempt and r.delay is not null
        returning p.id)
    select id from gone union all select id from again`,
});
