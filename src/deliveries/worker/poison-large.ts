import type { QueryClient } from '../connection/query-client.js';
import { insertDone, milliseconds } from '../model/rows.js';
import type { Tables } from '../model/tables.js';
import type { DueDelivery } from './due-reader.js';

/**
 * Sets aside a delivery whose body exceeds the limit, and records why as its last attempt. Does not use the worker's
 * session, because the database may need several seconds to copy the body.
 */
export function createPoisonLarge(
  { query }: QueryClient,
  tables: Tables,
  maxBodyBytes: number,
): (due: DueDelivery) => Promise<unknown> {
  const { pending } = tables;
  const reason = `'The body has ' || octet_length(body) || ' bytes, but at most ${maxBodyBytes} bytes are allowed.'`;
  const entry = `json_build_object('number', attempt + 1, 'startedAt', floor(${milliseconds('now()')}),
    'durationMs', 0, 'error', 'preparation', 'message', ${reason})`;
  return ({ order, attempt }) =>
    query(
      `with gone as (
         delete from ${pending} where id in (
           select id from ${pending} where id = $1 and attempt = $2 and octet_length(body) > $3 for update skip locked)
         returning *)
       ${insertDone(tables, { from: 'gone', state: "'poisoned'", history: `history || ${entry}` })}`,
      [order, attempt, maxBodyBytes],
    );
}
