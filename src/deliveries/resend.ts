import type { Clock } from '../base/clock.js';
import { failedStates } from '../protocol/delivery-states.js';
import type { DeliveryState } from '../webhooks/model/delivery.js';
import type { QueryClient } from './connection/query-client.js';
import type { Tables } from './model/tables.js';

/** Selects the finished deliveries to send again. */
export interface ResendFilter {
  endpointId?: string;
  /** Default: `failed`, `exhausted` and `poisoned`. */
  state?: DeliveryState;
  /** Only deliveries that finished at or after this time, in milliseconds since the epoch. */
  since?: number;
  until?: number;
}

/** The number of deliveries that were queued again. */
export interface Resent {
  resent: number;
  /** The number of deliveries that were skipped because their endpoint is disabled or removed. */
  skipped: number;
}

const batchSize = 500;

/**
 * Sends finished deliveries again as new deliveries, oldest first, with the same event id and body. Skips deliveries
 * that have already been resent. If the resend has failed too, it is sent again instead.
 */
export function createResend(
  { query }: QueryClient,
  { pending, done, endpointList }: Tables,
  clock: Clock,
): (filter: ResendFilter) => Promise<Resent> {
  return async ({ endpointId, state, since, until }) => {
    const total = { resent: 0, skipped: 0 };
    const delivered = state === 'delivered';
    for (let after = '0'; ;) {
      const { rows } = await query(
        `with found as (
           select d.* from ${done} d
             where d.id > $1::bigint and d.state ${delivered ? '=' : '<>'} 'delivered' and d.state = any ($2)
               and not d.resent and ($3::text is null or d.endpoint = $3)
               and d.finished_at >= to_timestamp($4) and d.finished_at < to_timestamp($5)
             order by d.id limit ${batchSize} for update),
         sent as (
           insert into ${pending} (lane, endpoint, installation, event_id, event_type, created_at, resent_from, body, traceparent)
           select get_byte(sha256(convert_to(f.endpoint, 'UTF8')), 0), f.endpoint, f.installation, f.event_id,
               f.event_type, $6::float8, f.id, f.body, f.traceparent
             from found f join ${endpointList} e on e.id = f.endpoint
             where e.removed_at is null and e.value ->> 'enabled' = 'true' order by f.id
           returning resent_from),
         marked as (update ${done} d set resent = true from sent where d.id = sent.resent_from)
         select (select count(*) from found) as found, (select count(*) from sent) as sent, (select max(id) from found) as last`,
        [
          after,
          state === undefined ? failedStates : [state],
          endpointId ?? null,
          (since ?? 0) / 1000,
          (until ?? 1e15) / 1000,
          clock.now(),
        ],
      );
      const [found, sent] = [Number(rows[0]?.['found']), Number(rows[0]?.['sent'])];
      total.resent += sent;
      total.skipped += found - sent;
      if (found < batchSize) return total;
      after = String(rows[0]?.['last']);
    }
  };
}
