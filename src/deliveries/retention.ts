import type { Clock } from '../base/clock.js';
import type { Transactions } from './connection/query-client.js';
import { insertDone } from './model/rows.js';
import type { Tables } from './model/tables.js';

/** How long to keep finished deliveries. */
export interface Retention {
  /** One day by default. */
  deliveredMs?: number;
  /** For failed, exhausted and poisoned deliveries. Held ones fail after this time. 30 days by default. */
  failedMs?: number;
  /** The maximum number of successful deliveries to keep, in addition to the age limits. */
  entries?: number;
}

const dayMs = 24 * 60 * 60 * 1000;
const batchSize = 2000;
/** How long a single run may take. The next run deletes the rest. */
const longestMs = 5000;

/**
 * Deletes finished deliveries that are too old, in batches. The returned function resolves to the number of
 * deleted deliveries.
 */
export function createTrim(
  { query, transaction }: Transactions,
  tables: Tables,
  retention: Retention & { clock: Clock },
): () => Promise<number> {
  const { pending, done, endpoints, installations } = tables;
  const { clock, deliveredMs = dayMs, failedMs = 30 * dayMs, entries } = retention;
  // All older deliveries have already been deleted. Without this starting point, each batch would have to skip the
  // index entries of deliveries deleted by the previous batch.
  const begin = { delivered: '-infinity', failed: '-infinity' };

  const deleteBatch = (kind: 'delivered' | 'failed', condition: string, value: unknown): Promise<number> =>
    transaction(async (run) => {
      // Only one process does this at a time. Any others would have to wait for the same rows.
      const lock = await run('select pg_try_advisory_xact_lock($1::regclass::oid::int, 1) as locked', [done]);
      if (lock.rows[0]?.['locked'] !== true) return 0;
      const { rows } = await run(
        `with gone as (delete from ${done} where id in (
             select id from ${done} where ${kind === 'delivered' ? "state = 'delivered'" : "state <> 'delivered'"}
               and finished_at >= $2::timestamptz and ${condition}
             order by finished_at, id limit ${batchSize} for update skip locked) returning finished_at)
         select count(*) as count, max(finished_at)::text as newest from gone`,
        [value, begin[kind]],
      );
      begin[kind] = (rows[0]?.['newest'] as string | null) ?? begin[kind];
      return Number(rows[0]?.['count']);
    });

  const deleteAll = async (...args: Parameters<typeof deleteBatch>): Promise<number> => {
    const end = clock.monotonic() + longestMs;
    let total = 0;
    for (let removed = batchSize; removed === batchSize && clock.monotonic() < end; total += removed) {
      removed = await deleteBatch(...args);
    }
    return total;
  };

  const failHeld = async (): Promise<number> => {
    const { rows } = await query(
      `with recursive h(lane, endpoint) as (
         (select lane, endpoint from ${pending} where parked order by lane, endpoint limit 1)
         union all
         select n.* from h cross join lateral (
           select lane, endpoint from ${pending} p where parked and (p.lane, p.endpoint) > (h.lane, h.endpoint)
             order by lane, endpoint limit 1) n),
       gone as (
         delete from ${pending} where id in (
           select old.id from h cross join lateral (
             select id from ${pending} p
               where parked and p.lane = h.lane and p.endpoint = h.endpoint and due < now() - $1 * interval '1 ms'
               order by due, id limit ${batchSize} for update skip locked) old
             limit ${batchSize}) returning *),
       log as (${insertDone(tables, { from: 'gone', state: "'failed'" })})
       select count(*) as count from gone`,
      [failedMs],
    );
    return Number(rows[0]?.['count']);
  };
  /** When to look for held deliveries again, which reads each endpoint that has any. */
  let nextHeld = 0;

  const tooOld = "finished_at < now() - $1 * interval '1 ms'";

  return async () => {
    if (clock.monotonic() >= nextHeld) {
      const failed = await failHeld();
      if (failed < batchSize) nextHeld = clock.monotonic() + failedMs / 100;
    }
    let total = await deleteAll('delivered', tooOld, deliveredMs);
    total += await deleteAll('failed', tooOld, failedMs);
    if (entries !== undefined) {
      const { rows } = await query(
        `select finished_at::text as finished, id from ${done} where state = 'delivered'
         order by finished_at desc, id desc offset $1 limit 1`,
        [entries],
      );
      const [newest] = rows;
      if (newest) {
        total += await deleteAll(
          'delivered',
          '(finished_at, id) <= (($1::text[])[1]::timestamptz, ($1::text[])[2]::bigint)',
          [newest['finished'], newest['id']],
        );
      }
    }
    // By now, every worker has noticed that these endpoints were removed, and no remaining delivery shows their URL.
    await query(
      `delete from ${endpoints} where id in (
         select id from ${endpoints} e where e.removed_at < now() - interval '1 day'
           and not exists (select from ${done} d where d.endpoint = e.id) for update skip locked)`,
    );
    await query(
      `delete from ${installations} where id in (select id from ${installations}
         where not paused and changed_at < now() - interval '1 day' for update skip locked)`,
    );
    return total;
  };
}
