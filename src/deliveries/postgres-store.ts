import { randomUUID } from 'node:crypto';
import { systemClock, type SystemClock } from '../base/clock.js';
import type { DeliveryStore, NewDelivery } from '../webhooks/model/delivery-store.js';
import type { EndpointChanges } from '../webhooks/endpoint-registry.js';
import type { Delivery } from '../webhooks/model/delivery.js';
import { createBatches } from './model/batches.js';
import { defaultMaxBodyBytes, requireBodies } from './model/body-limit.js';
import { checkSession } from './connection/check-session.js';
import { connectTarget, type PostgresConnection } from './connection/connect-options.js';
import { createHosts } from './connection/hosts.js';
import { loadPg } from './connection/load-pg.js';
import { createPooledQueries } from './connection/pooled-queries.js';
import type { QueryClient } from './connection/query-client.js';
import { openWorkerSession } from './connection/worker-session.js';
import { createDeliveryQueries } from './delivery-queries.js';
import { createEndpoints, readEndpoint, type ListedEndpoint } from './endpoints.js';
import { createSecretKeys } from './secret-keys.js';
import { insertDeliveries, withTrace } from './enqueue.js';
import { createFailingEndpoints } from './failing-endpoints.js';
import { createResend, type ResendFilter, type Resent } from './resend.js';
import { migrate, requireSchema } from './schema/migrate.js';
import { readOldestTransaction, readStatus, type PostgresStatus } from './status.js';
import { tablesOf } from './model/tables.js';
import { createTrim, type Retention } from './retention.js';
import { createPoisonLarge } from './worker/poison-large.js';
import { noWorker, startWorker, type Worker, type WorkerStatus } from './worker/worker.js';

/** Options for the database connection and for stored deliveries. */
export interface PostgresDeliveryStoreOptions {
  /**
   * `postgres://user:password@host:port/database`. If neither this nor `connection` is set, the `PG*`
   * variables are used.
   */
  url?: string;
  /** Options for `pg`, which can be passed instead of `url`. */
  connection?: PostgresConnection;
  /** The schema that contains the tables (default: `platform_webhooks`). */
  schema?: string;
  /** Whether to create or update the tables. If not set, run `platform-webhooks migrate` first. */
  migrate?: boolean;
  /** This process's name in `status()`. */
  name?: string;
  /** The system clock by default. Tests can pass a different clock. */
  clock?: SystemClock;
  /** How often a worker checks for deliveries that other processes have queued, in milliseconds (default: 100). */
  pollMs?: number;
  /** How long to keep finished deliveries. */
  keep?: Retention;
  /**
   * The maximum body size in bytes (default: 1 MB). A larger body cannot be queued. If a worker finds one anyway, it does not
   * load the body, and the delivery becomes `poisoned`.
   */
  maxBodyBytes?: number;
  /**
   * Keys that encrypt the signing secrets in the database, each 32 bytes in base64. The first key is used for encryption, and
   * every key can be used for decryption. Without keys, secrets are stored unencrypted.
   */
  secretKeys?: readonly string[];
}

/** A delivery store in Postgres, which several processes can share. */
export interface PostgresDeliveryStore extends DeliveryStore {
  /**
   * Queues deliveries with your own client, as part of its transaction. The deliveries are sent only if the
   * transaction commits. The client may be connected through a pooler.
   * @example
   * ```ts
   * await client.query('begin');
   * await client.query('update pages set title = $1 where id = $2', [title, id]);
   * await store.enqueue(client, [{ endpointId, installationId, eventId, eventType, body, createdAt: Date.now() }]);
   * await client.query('commit');
   * ```
   */
  enqueue(client: QueryClient, deliveries: readonly NewDelivery[]): Promise<Delivery[]>;
  /** Returns all endpoints without their secrets. The caller needs neither a secret key nor permission to read the secrets. */
  listEndpoints(): Promise<ListedEndpoint[]>;
  /**
   * Changes an endpoint without reading its secrets, so that no secret key is needed. Resolves to undefined if the endpoint
   * does not exist.
   */
  updateEndpoint(id: string, changes: EndpointChanges): Promise<ListedEndpoint | undefined>;
  /** Returns the workers, backlog and failing endpoints of all processes. */
  status(): Promise<PostgresStatus>;
  /** The worker in this process, if it has started. */
  worker(): WorkerStatus;
  /**
   * The age of the oldest transaction in the database. Resolves to undefined if this user cannot see other users' transactions.
   */
  oldestTransactionMs(): Promise<number | undefined>;
  /** Deletes finished deliveries that are older than `keep` allows. A worker does this every 10 seconds. */
  trim(): Promise<number>;
  /** Sends finished deliveries again as new deliveries. By default, sends the deliveries that failed. */
  resendAll(filter: ResendFilter): Promise<Resent>;
  /** Encrypts all stored signing secrets with the first key. Resolves to the number of endpoints that were changed. */
  sealSecrets(): Promise<number>;
  /** Closes all connections. Close the dispatcher before you call this. */
  close(): Promise<void>;
}

/**
 * Stores deliveries in Postgres 14 or later, where several workers can share them. A worker is a dispatcher
 * that uses this store. Each worker sends the deliveries for some endpoints. If a worker dies, the others
 * take over. Requires the `pg` package.
 *
 * A worker needs a direct connection. Processes that only queue deliveries can use a pooler.
 * @example
 * ```ts
 * import { createWebhookDispatcher, systemClock } from 'integration-platform/webhooks';
 * import { createPostgresDeliveryStore } from 'integration-platform/webhooks/postgres';
 *
 * const store = await createPostgresDeliveryStore({ url: 'postgres://localhost/app' });
 * const dispatcher = await createWebhookDispatcher({
 *   store,
 *   clock: systemClock,
 *   random: Math.random,
 *   fetch,
 *   version: '1.0.0',
 * });
 * ```
 */
export async function createPostgresDeliveryStore(
  options: PostgresDeliveryStoreOptions = {},
): Promise<PostgresDeliveryStore> {
  const { url, connection, schema = 'platform_webhooks', name = 'worker', clock = systemClock } = options;
  const { pollMs = 100, keep = {}, maxBodyBytes = defaultMaxBodyBytes } = options;
  const keys = createSecretKeys(options.secretKeys ?? []);
  const target = connectTarget(url, connection);
  const pg = await loadPg();
  const hosts = createHosts(pg, target);
  const { serverOptions } = target;
  const queries = createPooledQueries({ pg, hosts, serverOptions, name, timers: clock });
  const tables = tablesOf(schema);
  try {
    if (options.migrate === true) await migrate(queries.patient, schema);
    else await requireSchema(queries, schema);
  } catch (error) {
    await queries.end();
    throw error;
  }

  const workers = new Set<Worker>();
  const wake = (): void => workers.forEach((worker) => worker.wake());
  const held = (id: string) =>
    [...workers].map((worker) => worker.held(id)).find((found) => found !== undefined);
  const reads = createDeliveryQueries(queries, tables);
  const { takeSnapshot, ...endpoints } = createEndpoints(queries, tables, keys);
  const trim = createTrim(queries.patient, tables, { ...keep, clock });
  const shared = {
    tables,
    clock,
    pollMs,
    processId: randomUUID(),
    maxBodyBytes,
    poisonLarge: createPoisonLarge(queries.patient, tables, maxBodyBytes),
  };
  const inserts = createBatches({
    most: maxInsertBytes,
    weigh: (deliveries: NewDelivery[]) =>
      deliveries.reduce((sum, { body }) => sum + rowWeight + body.byteLength, 0),
    async run(batch) {
      const inserted = await insertDeliveries(queries.query, tables, batch.flat(), maxBodyBytes);
      return batch.map(({ length }) => inserted.splice(0, length));
    },
  });

  return {
    ...endpoints,
    ...reads,
    async body(id) {
      return held(id)?.body ?? reads.body(id);
    },
    async expedite(id) {
      if ((held(id)?.phase ?? 'waiting') !== 'waiting') return undefined;
      const delivery = await reads.expedite(id);
      wake();
      return delivery;
    },
    async insert(deliveries) {
      // Checked before the deliveries are added to a batch with those of other callers.
      requireBodies(deliveries, maxBodyBytes);
      const inserted = await inserts.add(withTrace(deliveries));
      wake();
      return inserted;
    },
    enqueue: (client, deliveries) =>
      insertDeliveries(client.query.bind(client), tables, withTrace(deliveries), maxBodyBytes),
    async own(owner) {
      const known = takeSnapshot();
      const session = await hosts.use(async (host) => {
        const opened = await openWorkerSession({ pg, host, serverOptions, name, clock });
        try {
          await checkSession(opened, { pg, host });
          return opened;
        } catch (error) {
          await opened.end();
          throw error;
        }
      });
      try {
        const alone = workers.size === 0;
        const failing = createFailingEndpoints(queries, tables, endpoints.changeEndpoint);
        const worker = await startWorker({
          ...shared,
          session,
          owner,
          alone,
          ...(known && { known }),
          readEndpoint(value) {
            const endpoint = readEndpoint(value);
            try {
              return keys.open(endpoint);
            } catch (error) {
              owner.onTrouble(error);
              return { ...endpoint, enabled: false };
            }
          },
          onWritten: failing.note,
          async tidyUp() {
            const disabled = await failing.flush();
            owner.onChanged(disabled.map((one) => ({ type: 'disabled', ...one })));
            await trim();
          },
        });
        workers.add(worker);
        session.lost.addEventListener('abort', () => {
          workers.delete(worker);
          queries.discardIdle();
        });
        return worker.right;
      } catch (error) {
        await session.end();
        throw error;
      }
    },
    oldestTransactionMs: () => readOldestTransaction(queries),
    status: () => readStatus(queries.patient, tables, reads.backlog),
    worker() {
      const [worker] = workers;
      return worker?.status() ?? noWorker;
    },
    trim,
    resendAll: createResend(queries.patient, tables, clock),
    close: () => queries.end(),
  };
}

/** The maximum size of a statement, in bytes. */
const maxInsertBytes = 4 * 1024 * 1024;
const rowWeight = 4096;
