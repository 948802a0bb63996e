import { describeResult } from '../base/text/delivery-reason.js';
import type { Backlog } from '../webhooks/model/delivery-store.js';
import type { Transactions } from './connection/query-client.js';
import { toAttempt } from './model/rows.js';
import { laneCount, type Tables } from './model/tables.js';

/** The state of all workers and deliveries in a schema. */
export interface PostgresStatus {
  workers: {
    name: string;
    pid: number;
    lanes: number;
    /** Milliseconds since the epoch. Absent if this user is not allowed to see it. */
    since?: number;
  }[];
  /** The number of lanes, out of 256, without a worker. Their deliveries are waiting. */
  freeLanes: number;
  backlog: Backlog;
  /** At most 20 endpoints with retries or failures, those with the most retries first. */
  failing: {
    endpointId: string;
    url?: string;
    retrying: number;
    failed: number;
    /** The last result of one of the endpoint's retries. */
    last?: string;
  }[];
  /**
   * The age of the oldest transaction in the database. A long transaction slows down reads. Absent if this user cannot see
   * other users' transactions.
   */
  oldestTransactionMs?: number;
}

export async function readStatus(
  { query }: Transactions,
  tables: Tables,
  backlog: () => Promise<Backlog>,
): Promise<PostgresStatus> {
  const workers = await readWorkers({ query }, tables);
  const oldestTransactionMs = await readOldestTransaction({ query });
  return {
    workers,
    freeLanes: laneCount - workers.reduce((sum, { lanes }) => sum + lanes, 0),
    backlog: await backlog(),
    failing: await readFailing({ query }, tables),
    ...(oldestTransactionMs !== undefined && { oldestTransactionMs }),
  };
}

/** Resolves to undefined if other users have sessions whose transactions this user cannot see. */
export async function readOldestTransaction({
  query,
}: Pick<Transactions, 'query'>): Promise<number | undefined> {
  const { rows } = await query(
    `select coalesce(max(extract(epoch from now() - xact_start)) filter (where backend_type = 'client backend'), 0)
         ::float8 * 1000 as oldest,
       coalesce(bool_or(usesysid is not null and backend_type is null), false) as hidden
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const { oldest, hidden } = rows[0] ?? {};
  return hidden === true ? undefined : Number(oldest ?? 0);
}

async function readWorkers(
  { query }: Pick<Transactions, 'query'>,
  { lanes, endpoints }: Tables,
): Promise<PostgresStatus['workers']> {
  const { rows } = await query(
    `select a.application_name as name, m.pid, extract(epoch from a.backend_start)::float8 * 1000 as since,
       (select count(*) from pg_locks l where l.locktype = 'advisory' and l.objsubid = 2 and l.granted
          and l.database = m.database and l.classid = $1::regclass::oid and l.pid = m.pid) as lanes
     from pg_locks m join pg_stat_activity a on a.pid = m.pid
     where m.locktype = 'advisory' and m.objsubid = 2 and m.granted and m.classid = $2::regclass::oid
       and m.database = (select oid from pg_database where datname = current_database())
     order by name, m.pid`,
    [lanes, endpoints],
  );
  return rows.map((row) => ({
    name: String(row['name']),
    pid: Number(row['pid']),
    lanes: Number(row['lanes']),
    ...(row['since'] !== null && { since: Number(row['since']) }),
  }));
}

async function readFailing(
  { query }: Pick<Transactions, 'query'>,
  { pending, done, endpointList }: Tables,
): Promise<PostgresStatus['failing']> {
  const { rows } = await query(
    `with retrying as (
       select endpoint, count(*) as count, max(id) as id from ${pending} where attempt > 0 group by endpoint),
     failed as (select endpoint, count(*) as count from ${done} where state <> 'delivered' group by endpoint)
     select endpoint, coalesce(r.count, 0) as retrying, coalesce(f.count, 0) as failed, e.url,
       (select p.history[array_length(p.history, 1)] from ${pending} p where p.id = r.id) as last
     from retrying r full join failed f using (endpoint) left join ${endpointList} e on e.id = endpoint
     order by 2 desc, 3 desc, 1 limit 20`,
  );
  return rows.map((row) => {
    const url = row['url'] as string | null;
    const last = row['last'] as Parameters<typeof toAttempt>[0] | null;
    return {
      endpointId: String(row['endpoint']),
      ...(url !== null && { url }),
      retrying: Number(row['retrying']),
      failed: Number(row['failed']),
      ...(last && { last: describeResult(toAttempt(last).result) }),
    };
  });
}
