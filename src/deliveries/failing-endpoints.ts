import type { Endpoint } from '../webhooks/model/endpoint.js';
import type { DeliveryState } from '../webhooks/model/delivery.js';
import type { DeliveryStore } from '../webhooks/model/delivery-store.js';
import type { QueryClient } from './connection/query-client.js';
import type { Tables } from './model/tables.js';

const longest = '5 days';

/**
 * Disables an endpoint when a delivery fails and none has succeeded for five days. The time of the first failure is
 * stored in the database, because other workers may also send to this endpoint.
 */
export function createFailingEndpoints(
  { query }: QueryClient,
  { failing }: Tables,
  changeEndpoint: DeliveryStore['changeEndpoint'],
) {
  let succeeded = new Set<string>();
  let failed = new Set<string>();

  const write = async (): Promise<Record<string, unknown>[]> => {
    const [good, bad] = [[...succeeded], [...failed].filter((id) => !succeeded.has(id))];
    if (good.length + bad.length === 0) return [];
    const [oldGood, oldBad] = [succeeded, failed];
    [succeeded, failed] = [new Set(), new Set()];
    try {
      if (good.length > 0) await query(`delete from ${failing} where endpoint = any ($1)`, [good]);
      if (bad.length === 0) return [];
      const { rows } = await query(
        `insert into ${failing} as f (endpoint, since, latest) select id, now(), now() from unnest($1::text[]) id order by id
         on conflict (endpoint) do update set latest = now()
         returning endpoint, extract(epoch from since)::float8 * 1000 as since, since < now() - interval '${longest}' as long`,
        [bad],
      );
      return rows.filter(({ long }) => long === true);
    } catch (error) {
      for (const id of oldGood) succeeded.add(id);
      for (const id of oldBad) failed.add(id);
      throw error;
    }
  };

  return {
    /** Must be called with a delivery's state after each request. */
    note(endpointId: string, state: DeliveryState) {
      if (state === 'delivered') succeeded.add(endpointId);
      else if (state === 'failed' || state === 'exhausted') failed.add(endpointId);
    },
    /** Writes the recorded states. Resolves to the endpoints that were disabled because they kept failing for too long. */
    async flush() {
      const disabled: { endpoint: Endpoint; failingSince: number }[] = [];
      for (const { endpoint: id, since } of await write()) {
        const endpoint = await changeEndpoint(String(id), (current) => ({ ...current, enabled: false }));
        await query(`delete from ${failing} where endpoint = $1`, [id]);
        if (endpoint) disabled.push({ endpoint, failingSince: Number(since) });
      }
      return disabled;
    },
  };
}
