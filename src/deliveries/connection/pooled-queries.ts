import type * as Pg from 'pg';
import type { Timers } from '../../base/clock.js';
import { createDeadlines } from '../../base/deadlines.js';
import { cutConnection, isCut } from './cut-connection.js';
import { connectionLost, explainConnect, explainStatement } from './explain-error.js';
import type { Host, Hosts } from './hosts.js';
import type { Queries, QueryClient } from './query-client.js';

const maxConnections = 4;
/** Together with the connection timeout, this ensures that callers wait less than 10 s if the server is unreachable. */
const usualMs = 5000;
/** For reading whole tables and for schema changes. */
const patientMs = 600_000;
const endMs = 1000;

/** Opens connections as needed. Statements are unnamed, so that the connections can go through a pooler. */
export function createPooledQueries(options: {
  pg: typeof Pg;
  hosts: Hosts;
  serverOptions: string;
  name: string;
  timers: Timers;
}): Queries {
  const { pg, hosts, serverOptions, name, timers } = options;
  const pool = new pg.Pool({
    ...hosts.current().config,
    Client: class extends pg.Client {
      constructor(config?: Pg.ClientConfig) {
        super({ ...config, ...hosts.current().config });
      }
    },
    application_name: name,
    ...(serverOptions !== '' && { options: serverOptions }),
    max: maxConnections,
    allowExitOnIdle: true,
  });
  const idle = new Set<Pg.PoolClient>();
  const all = new Set<Pg.PoolClient>();
  const usual = createDeadlines(timers, usualMs);
  const patient = createDeadlines(timers, patientMs);
  // If an idle connection ends, the next query opens a new connection.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void all.add(client));
  pool.on('acquire', (client) => void idle.delete(client));
  pool.on('release', (_, client) => void idle.add(client));
  pool.on('remove', (client) => {
    idle.delete(client);
    all.delete(client);
  });

  const discardIdle = (): void => idle.forEach(cutConnection);

  const checked = new WeakSet<Pg.PoolClient>();
  const connectTo = async ({ where, user, check }: Host): Promise<Pg.PoolClient> => {
    try {
      for (;;) {
        const client = await pool.connect();
        if (!isCut(client)) {
          if (!checked.has(client)) {
            await check(client).catch((error: unknown) => {
              client.release(true);
              throw error;
            });
            checked.add(client);
          }
          return client;
        }
        // This connection has been lost, but the pool has not noticed that yet.
        client.release(true);
      }
    } catch (error) {
      throw explainConnect(error, { where, user });
    }
  };

  const withClient = async <T>(work: (session: Session) => Promise<T>, deadlines = usual): Promise<T> => {
    const client = await hosts.use(connectTo);
    const { where, user } = hosts.current();
    let broken: unknown;
    const onError = (error: unknown): void => void (broken = error);
    client.on('error', onError);
    let late = false;
    const cancel = deadlines.start(() => {
      late = true;
      cutConnection(client);
      // The idle connections go to the same server.
      discardIdle();
    });
    const run: Session = async (text, values, mayBeDone) => {
      try {
        return await client.query(text, values);
      } catch (error) {
        if (late) {
          const reason = `no response within ${usualMs / 1000} s`;
          throw connectionLost({ where, mayBeDone, reason, cause: error });
        }
        throw explainStatement(error, { where, user, text, mayBeDone });
      }
    };
    try {
      return await work(run);
    } finally {
      cancel();
      client.off('error', onError);
      client.release(late || broken !== undefined);
    }
  };

  const inTransaction = <T>(
    work: (query: QueryClient['query']) => Promise<T>,
    deadlines = usual,
  ): Promise<T> =>
    withClient(async (run) => {
      const inside: QueryClient['query'] = (text, values) => run(text, values, false);
      await inside('begin');
      try {
        const result = await work(inside);
        await run('commit', undefined, true);
        return result;
      } catch (error) {
        await inside('rollback').catch(() => undefined);
        throw error;
      }
    }, deadlines);

  const one =
    (deadlines = usual): QueryClient['query'] =>
    (text, values) =>
      withClient((run) => run(text, values, true), deadlines);

  return {
    query: one(),
    transaction: (work) => inTransaction(work),
    patient: { query: one(patient), transaction: (work) => inTransaction(work, patient) },
    discardIdle,
    async end() {
      const cancel = createDeadlines(timers, endMs).start(() => all.forEach(cutConnection));
      await pool.end();
      cancel();
    },
  };
}

/**
 * Runs a statement in a session. `mayBeDone` means that the statement commits on its own, so if the connection
 * breaks, it is unknown whether the statement took effect.
 */
type Session = (
  text: string,
  values: unknown[] | undefined,
  mayBeDone: boolean,
) => ReturnType<QueryClient['query']>;
