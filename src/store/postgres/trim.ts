import type { Queries } from './connection/query-client.js';
import type { Tables } from './tables.js';

const batchSize = 2000;

/** Deletes the oldest finished deliveries beyond `keep`. Resolves to the number of deleted deliveries. */
export async function trimDone(
  { query, transaction }: Queries,
  { done, endpoints, installations }: Tables,
  keep: number,
): Promise<number> {
  const { rows } = await query(
    `select id, finished_at::text as finished from ${done} order by finished_at desc, id desc offset $1 limit 1`,
    [keep],
  );
  const [newest] = rows;
  let total = 0;
  if (newest) {
    for (let removed = batchSize; removed === batchSize; total += removed) {
      removed = await transaction(async (run) => {
        // Only one process at a time: the others would wait for the same rows.
        const lock = await run('select pg_try_advisory_xact_lock($1::regclass::oid::int, 1) as locked', [
          done,
        ]);
        if (lock.rows[0]?.['locked'] !== true) return 0;
        const gone = await run(
          `delete from ${done} where id in (
             select id from ${done} where (finished_at, id) <= ($1::timestamptz, $2::bigint)
             order by finished_at, id limit ${batchSize}) returning 1`,
          [newest['finished'], newest['id']],
        );
        return gone.rows.length;
      });
    }
  }
  // By now every worker has noticed that these endpoints are removed, and no delivery shows their URL.
  await query(
    `delete from ${endpoints} e where e.removed_at < now() - interval '1 day'
       and not exists (select from ${done} d where d.endpoint = e.id)`,
  );
  await query(`delete from ${installations} where not paused and changed_at < now() - interval '1 day'`);
  return total;
}
