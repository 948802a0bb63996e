import type * as Pg from 'pg';
import { isStoreError, StoreError } from '../../base/store-error.js';
import type { ConnectTarget } from './connect-options.js';

/** The hosts in a database URL. New connections use the host that most recently worked. */
export type Hosts = ReturnType<typeof createHosts>;

export interface Host {
  config: Pg.ClientConfig;
  /** The host and the database, as `host:port/database`. Never contains a password. */
  where: string;
  user: string | undefined;
  /** Rejects if the session does not match `target_session_attrs`. */
  check(client: Pg.ClientBase): Promise<void>;
}

export function createHosts(pg: typeof Pg, { configs, readWrite }: ConnectTarget) {
  const hosts = configs.map((config): Host => {
    const { host, port, database = '', user } = new pg.Client(config);
    if (host.includes(',')) {
      throw new StoreError('store/unsuitable', 'PGHOST cannot contain several hosts.', {
        hint: 'Use a connection URL: postgres://user@host-1,host-2/database.',
      });
    }
    const where = `${host}:${port}/${database}`;
    return {
      config,
      where,
      user,
      async check(client) {
        if (!readWrite) return;
        const { rows } = await client.query<{ read_only: string }>(
          `select current_setting('transaction_read_only') as read_only`,
        );
        if (rows[0]?.read_only === 'on') throw readOnly(where);
      },
    };
  });
  let at = 0;
  const current = (): Host => hosts[at] as Host;

  return {
    current,
    /** Runs `connect` with the current host and then with each of the others, until a connection succeeds and is suitable. */
    async use<T>(connect: (host: Host) => Promise<T>) {
      for (let failed = 1; ; failed += 1) {
        const used = at;
        try {
          return await connect(current());
        } catch (error) {
          if (failed >= hosts.length || !isOfHost(error)) throw error;
          // Another caller may have switched to the next host already.
          if (at === used) at = (at + 1) % hosts.length;
        }
      }
    },
  };
}

/** Whether a different host might work. */
const isOfHost = (error: unknown): boolean =>
  isStoreError(error) && (error.code === 'store/unreachable' || error.code === 'store/unsuitable');

const readOnly = (where: string): StoreError =>
  new StoreError('store/unsuitable', `Postgres at ${where} is read-only.`, {
    hint: 'target_session_attrs requires a primary, but none of the hosts is one.',
  });
