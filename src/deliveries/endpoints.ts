import { isDeepStrictEqual } from 'node:util';
import type { DeliveryStore } from '../webhooks/model/delivery-store.js';
import { checkChange, checkEndpoint } from '../webhooks/check-endpoint.js';
import type { EndpointChanges } from '../webhooks/endpoint-registry.js';
import { redefine, type Endpoint } from '../webhooks/model/endpoint.js';
import { StoreError } from '../base/store-error.js';
import type { Queries, QueryClient } from './connection/query-client.js';
import { toBytes } from './model/rows.js';
import type { SecretKeys } from './secret-keys.js';
import type { Tables } from './model/tables.js';
import type { EndpointSnapshot } from './worker/endpoints.js';

/** An endpoint without its signing secrets. */
export interface ListedEndpoint extends Omit<Endpoint, 'secret' | 'previousSecret'> {
  /** How long the previous secret remains valid. Absent if the database user has no access to the secrets. */
  rotatesUntil?: number;
}

type Endpoints = Pick<
  DeliveryStore,
  'endpoints' | 'putEndpoint' | 'changeEndpoint' | 'removeEndpoint' | 'pausedInstallations' | 'setPaused'
>;

const maxTries = 20;

interface Stored extends Omit<Endpoint, 'target'> {
  target?: Endpoint['target'];
  place: Endpoint['target'];
}

/** Building objects of the same shape takes half the time and memory of copying them, which matters with 100,000 endpoints. */
export function readEndpoint(value: unknown): Endpoint {
  const {
    id,
    installationId,
    place,
    target = place,
    url,
    events,
    enabled,
    secret,
    previousSecret,
    createdAt,
  } = value as Stored;
  const endpoint: Endpoint = { id, installationId, target, url, events, enabled, secret, createdAt };
  if (previousSecret) endpoint.previousSecret = previousSecret;
  return endpoint;
}

/**
 * Until version 0.2.0, an endpoint's `target` was called `place`, and workers of that version may use the same
 * schema. They read `place` and keep unknown fields, so both fields are written, and either one is accepted when
 * reading.
 */
function readToChange(value: unknown): Endpoint {
  const { place, target = place, ...endpoint } = value as Stored;
  return { ...endpoint, target };
}

const writeEndpoint = (endpoint: Endpoint): string => JSON.stringify({ ...endpoint, place: endpoint.target });

/**
 * Stores the endpoints. Each change has its own revision. Revisions are assigned while a certain row is locked, so a
 * process that reads the changes since its last revision never misses one.
 */
export function createEndpoints(
  { query, transaction, patient }: Queries,
  tables: Tables,
  keys: SecretKeys,
): Endpoints & {
  listEndpoints(): Promise<ListedEndpoint[]>;
  updateEndpoint(id: string, changes: EndpointChanges): Promise<ListedEndpoint | undefined>;
  takeSnapshot(): EndpointSnapshot | undefined;
  /** Encrypts all secrets with the first key. Resolves to the number of endpoints that changed. */
  sealSecrets(): Promise<number>;
} {
  const { endpoints, endpointList, installations, revisions } = tables;

  let snapshot: EndpointSnapshot | undefined;
  let reads = 0;

  const revised = <T>(work: (run: QueryClient['query'], revision: string) => Promise<T>): Promise<T> =>
    transaction(async (run) => {
      const { rows } = await run(`update ${revisions} set last = last + 1 returning last`);
      return work(run, String(rows[0]?.['last']));
    });

  /** Changes an endpoint in its stored form, in which secrets may be encrypted. */
  const changeStored: Endpoints['changeEndpoint'] = async (id, change) => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const { rows } = await query(
        `select value, revision from ${endpoints} where id = $1 and removed_at is null`,
        [id],
      );
      const [row] = rows;
      if (!row) return undefined;
      const changed = change(readToChange(row['value']));
      const written = await revised((run, revision) =>
        run(
          `update ${endpoints} set value = $2, revision = $3
             where id = $1 and revision = $4 and removed_at is null returning 1`,
          [id, writeEndpoint(changed), revision, row['revision']],
        ),
      );
      if (written.rows.length > 0) return changed;
    }
    throw new StoreError('store/busy', `Endpoint ${id} keeps being changed by other processes.`, {
      hint: 'Try again later.',
    });
  };

  const changeEndpoint: Endpoints['changeEndpoint'] = async (id, change) => {
    let changed: Endpoint | undefined;
    const found = await changeStored(id, (stored) => {
      const current = keys.open(stored);
      changed = change(current);
      checkChange(current, changed);
      return keys.seal(changed);
    });
    return found && changed;
  };

  /** Resolves to false if another process has just added the same endpoint. */
  const add = (endpoint: Endpoint): Promise<boolean> =>
    revised(async (run, revision) => {
      const { rows } = await run(
        `insert into ${endpoints} as e (id, value, revision) values ($1, $2, $3)
         on conflict (id) do update set value = excluded.value, revision = excluded.revision, removed_at = null
           where e.removed_at is not null
         returning 1`,
        [endpoint.id, writeEndpoint(keys.seal(endpoint)), revision],
      );
      return rows.length > 0;
    });

  return {
    async endpoints() {
      reads += 1;
      // Changes made after this read will be noticed later, because they have a higher revision.
      const newest = await query(`select coalesce(max(revision), 0) as last from ${endpoints}`);
      const { rows } = await patient.query(
        `select position, value from ${endpoints} where removed_at is null`,
      );
      // If the server sorted the rows, it would have to write them to disk first.
      const found = rows
        .sort((a, b) => Number(a['position']) - Number(b['position']))
        .map((row) => keys.open(readEndpoint(row['value'])));
      snapshot = { endpoints: found, revision: String(newest.rows[0]?.['last']) };
      return [...found];
    },
    async listEndpoints() {
      const { rows: rights } = await query(`select has_table_privilege($1, 'select') as all`, [endpoints]);
      const readable = rights[0]?.['all'] === true ? endpoints : endpointList;
      const { rows } = await patient.query(
        `select value from ${readable} where removed_at is null order by position`,
      );
      return rows.map((row) => withoutSecrets(readEndpoint(row['value'])));
    },
    /**
     * Returns the endpoints read by `endpoints`, so that a starting worker does not read them again. Returns
     * undefined if `endpoints` has been called more than once since the last call of this method, because a different
     * caller may have read them.
     */
    takeSnapshot() {
      const taken = reads === 1 ? snapshot : undefined;
      snapshot = undefined;
      reads = 0;
      return taken;
    },
    async putEndpoint(endpoint) {
      checkEndpoint(endpoint);
      const { id } = endpoint;
      for (let added = false; !added;) {
        const { rows } = await query(`select value from ${endpoints} where id = $1 and removed_at is null`, [
          id,
        ]);
        const stored = rows[0] && readEndpoint(rows[0]['value']);
        // At startup, most processes define the endpoint exactly as it is already stored.
        if (stored && isDeepStrictEqual(stored, redefine(stored, endpoint))) return;
        if (await changeEndpoint(id, (current) => redefine(current, endpoint))) return;
        added = await add(endpoint);
      }
    },
    changeEndpoint,
    async updateEndpoint(id, changes) {
      const changed = await changeStored(id, (stored) => {
        const next = { ...stored, ...changes };
        checkChange(stored, next);
        return next;
      });
      return changed && withoutSecrets(changed);
    },
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
        // Removes the secrets. Keeps the URL, because it is shown for deliveries that were sent to the endpoint.
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

function withoutSecrets(endpoint: Endpoint): ListedEndpoint {
  const { secret: _, previousSecret, ...rest } = endpoint;
  return { ...rest, ...(previousSecret && { rotatesUntil: previousSecret.until }) };
}
