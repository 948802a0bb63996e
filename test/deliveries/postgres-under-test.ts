import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject, onTestFinished } from 'vitest';
import {
  createPostgresDeliveryStore,
  type PostgresDeliveryStore,
  type PostgresDeliveryStoreOptions,
} from '../../src/deliveries/index.js';
import { quoteName } from '../../src/deliveries/model/tables.js';
import type { DeliveryRight } from '../../src/webhooks/model/delivery-store.js';
import type { DeliveriesUnderTest } from '../store/owned-store.js';

export interface OpenPostgres {
  store: PostgresDeliveryStore;
  schema: string;
  url: string;
  /** Runs a statement on the test's own connection. `pending` is found in the schema. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  again(options?: PostgresDeliveryStoreOptions): Promise<PostgresDeliveryStore>;
}

/** Opens a store in its own schema on the shared server, or on another server. */
export async function openPostgres(
  options: PostgresDeliveryStoreOptions = {},
  url: string = inject('postgres'),
): Promise<OpenPostgres> {
  const schema = options.schema ?? `test_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`set search_path to ${quoteName(schema)}`);
  const again = async (more: PostgresDeliveryStoreOptions = {}): Promise<PostgresDeliveryStore> => {
    const store = await createPostgresDeliveryStore({
      url,
      schema,
      migrate: true,
      pollMs: 20,
      ...options,
      ...more,
    });
    onTestFinished(() => store.close());
    return store;
  };
  onTestFinished(() => client.end().catch(() => undefined));
  return {
    store: await again(),
    schema,
    url,
    again,
    sql: async (text, values = []) => (await client.query<Record<string, unknown>>(text, values)).rows,
  };
}

/** Resolves after the worker's next complete poll for due deliveries. */
export async function polled(store: PostgresDeliveryStore): Promise<void> {
  const { polls } = store.worker();
  // The current read may have begun earlier.
  while (store.worker().polls < polls + 2) await new Promise((resolve) => setTimeout(resolve, 2));
}

export function postgresUnderTest(): DeliveriesUnderTest {
  return {
    exact: false,
    async open(limits = {}) {
      const { store, sql, again } = await openPostgres(
        limits.entries === undefined ? {} : { keep: { entries: limits.entries } },
      );
      const rights = new Set<DeliveryRight>();
      onTestFinished(async () => {
        for (const right of rights) await right.release();
      });
      let current = store;
      const own: PostgresDeliveryStore['own'] = async (owner) => {
        const right = await current.own(owner);
        rights.add(right);
        return right;
      };
      return {
        deliveries: new Proxy(store, {
          get: (_, key: keyof PostgresDeliveryStore) => (key === 'own' ? own : current[key]),
        }),
        settle: () => polled(current),
        async pass(ms) {
          await sql("update pending set due = due - $1 * interval '1 ms'", [ms]);
        },
        async kill(right) {
          const [worker] = (await store.status()).workers;
          await sql('select pg_terminate_backend($1)', [worker?.pid]);
          // The next owner is another process.
          current = await again();
          if (!right.lost.aborted)
            await new Promise((resolve) => right.lost.addEventListener('abort', resolve));
        },
        trim: store.trim,
      };
    },
  };
}
