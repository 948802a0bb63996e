import type { DeliveryStore } from '../../webhooks/queue/delivery-store.js';
import type { Endpoint } from '../../webhooks/endpoint.js';
import { StoreError } from '../store-error.js';
import type { Queries, QueryClient } from './connection/query-client.js';
import { toBytes } from './rows.js';
import type { SecretKeys } from './secret-keys.js';
import type { Tables } from './tables.js';

/** All endpoints, as they were at one revision. */
export interface EndpointSnapshot {
  endpoints: readonly Endpoint[];
  revision: string;
}

type Endpoints = Pick<
  DeliveryStore,
  'endpoints' | 'putEndpoint' | 'changeEndpoint' | 'removeEndpoint' | 'pausedInstallations' | 'setPaused'
>;

const maxTries = 20;

/**
 * Until 0.2.0 the `target` of an endpoint was its `place`, and workers of that version may use the same
 * schema. They read `place` and keep fields that they do not know, so both are written and either is read.
 */
export function readEndpoint(value: unknown): Endpoint {
  const { place, ...endpoint } = value as Omit<Endpoint, 'target'> & {
    place: Endpoint['target'];
    target?: Endpoint['target'];
  };
  return { ...endpoint, target: endpoint.target ?? place };
}

const writeEndpoint = (endpoint: Endpoint): string => JSON.stringify({ ...endpoint, place: endpoint.target });

/**
 * The endpoints. Each change gets its own revision, assigned while one row is locked. A process that asks
 * for changes after the last revision it has seen therefore misses none.
 */
export function createEndpoints(
  { query, transaction }: Queries,
  tables: Tables,
  keys: SecretKeys,
): Endpoints & {
  takeSnapshot(): EndpointSnapshot | undefined;
  /** Encrypts all secrets with the first key. Resolves to the number of changed endpoints. */
  sealSecrets(): Promise<number>;
} {
  const { endpoints, installations, revisions } = tables;

  let snapshot: EndpointSnapshot | undefined;

  const revised = <T>(work: (run: QueryClient['query'], revision: string) => Promise<T>): Promise<T> =>
    transaction(async (run) => {
      const { rows } = await run(`update ${revisions} set last = last + 1 returning last`);
      return work(run, String(rows[0]?.['last']));
    });

  const changeEndpoint: Endpoints['changeEndpoint'] = async (id, change) => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const { rows } = await query(
        `select value, revision from ${endpoints} where id = $1 and removed_at is null`,
        [id],
      );
      const [row] = rows;
      if (!row) return undefined;
      const changed = change(keys.open(readEndpoint(row['value'])));
      const written = await revised((run, revision) =>
        run(
          `update ${endpoints} set value = $2, revision = $3
             where id = $1 and revision = $4 and removed_at is null returning 1`,
          [id, writeEndpoint(keys.seal(changed)), revision, row['revision']],
        ),
      );
      if (written.rows.length > 0) return changed;
    }
    throw new StoreError('store/busy', `Endpoint ${id} keeps being changed by other processes.`, {
      hint: 'Try again later.',
    });
  };

  return {
    async endpoints() {
      const { rows } = await query(
        `select value, (select max(revision) from ${endpoints}) as revision from ${endpoints}
         where removed_at is null order by position`,
      );
      const found = rows.map((row) => keys.open(readEndpoint(row['value'])));
      const revision = rows[0]?.['revision'] as string | undefined;
      snapshot = revision === undefined ? undefined : { endpoints: found, revision };
      return [...found];
    },
    /** What `endpoints` read last, once: a worker that starts does not read it again. */
    takeSnapshot() {
      const taken = snapshot;
      snapshot = undefined;
      return taken;
    },
    putEndpoint: (endpoint) =>
      revised(async (run, revision) => {
        await run(
          `insert into ${endpoints} as e (id, value, revision) values ($1, $2, $3)
           on conflict (id) do update set value = excluded.value, revision = excluded.revision, removed_at = null`,
          [endpoint.id, writeEndpoint(keys.seal(endpoint)), revision],
        );
      }),
    changeEndpoint,
    async sealSecrets() {
      const { rows } = await query(`select id, value from ${endpoints} where removed_at is null`);
      const stale = rows.filter((row) => !keys.isCurrent(readEndpoint(row['value'])));
      for (const row of stale) await changeEndpoint(String(row['id']), (endpoint) => endpoint);
      return stale.length;
    },
    removeEndpoint: (id) =>
      revised(async (run, revision) => {
        const { rows } = await run(`select value from ${endpoints} where id = $1`, [id]);
        const url = (rows[0]?.['value'] as Endpoint | undefined)?.url;
        // Removes the secrets, and keeps the URL for the deliveries that were sent to it.
        await run(`update ${endpoints} set removed_at = now(), value = $3, revision = $2 where id = $1`, [
          id,
          revision,
          JSON.stringify({ url }),
        ]);
      }),
    async pausedInstallations() {
      const { rows } = await query(`select id from ${installations} where paused`);
      return rows.map((row) => Buffer.from(row['id'] as Uint8Array).toString());
    },
    setPaused: (installationId, paused) =>
      revised(async (run, revision) => {
        await run(
          `insert into ${installations} (id, paused, revision) values ($1, $2, $3)
           on conflict (id) do update
             set paused = excluded.paused, revision = excluded.revision, changed_at = now()`,
          [toBytes(installationId), paused, revision],
        );
      }),
  };
}
