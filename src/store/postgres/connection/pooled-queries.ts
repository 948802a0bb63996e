import type * as Pg from 'pg';
import type { Clock } from '../../../base/clock.js';
import { createDeadlines } from '../../../base/deadlines.js';
import { StoreError } from '../../store-error.js';
import type { ConnectTarget } from './connect-options.js';
import { cutConnection, isCut } from './cut-connection.js';
import { explainConnect } from './explain-connect.js';
import type { Queries, QueryClient } from './query-client.js';

const maxConnections = 4;
/** With the time to connect, a caller waits for less than 10 s when the server is gone without a word. */
const usualMs = 5000;
/** For reads of whole tables and changes of the schema. */
const patientMs = 600_000;
const endMs = 1000;

/** Opens connections as needed. Statements have no names, so the connections may go through a pooler. */
export function createPooledQueries(options: {
  pg: typeof Pg;
  target: ConnectTarget;
  where: string;
  name: string;
  clock: Clock;
}): Queries {
  const { pg, target, where, name, clock } = options;
  const { serverOptions } = target;
  const pool = new pg.Pool({
    ...target.config,
    application_name: name,
    ...(serverOptions !== '' && { options: serverOptions }),
    max: maxConnections,
    allowExitOnIdle: true,
  });
  const idle = new Set<Pg.PoolClient>();
  const all = new Set<Pg.PoolClient>();
  const usual = createDeadlines(clock, usualMs);
  const patient = createDeadlines(clock, patientMs);
  // If an idle connection ends, the next query opens a new one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void all.add(client));
  pool.on('acquire', (client) => void idle.delete(client));
  pool.on('release', (_, client) => void idle.add(client));
  pool.on('remove', (client) => {
    idle.delete(client);
    all.delete(client);
  });

  const discardIdle = (): void => idle.forEach(cutConnection);

  const connect = async (): Promise<Pg.PoolClient> => {
    try {
      for (;;) {
        const client = await pool.connect();
        if (!isCut(client)) return client;
        // The pool has not noticed yet that this connection was discarded.
        client.release(true);
      }
    } catch (error) {
      throw explainConnect(error, where);
    }
  };

  const withClient = async <T>(
    work: (client: Pg.PoolClient) => Promise<T>,
    deadlines = usual,
  ): Promise<T> => {
    const client = await connect();
    let broken: unknown;
    const onError = (error: unknown): void => void (broken = error);
    client.on('error', onError);
    let late: StoreError | undefined;
    const cancel = deadlines.start(() => {
      late = noResponse(where);
      cutConnection(client);
      // They lead to the same server.
      discardIdle();
    });
    try {
      return await work(client);
    } catch (error) {
      throw late ?? error;
    } finally {
      cancel();
      client.off('error', onError);
      client.release(late !== undefined || broken !== undefined);
    }
  };

  const inTransaction = <T>(
    work: (query: QueryClient['query']) => Promise<T>,
    deadlines = usual,
  ): Promise<T> =>
    withClient(async (client) => {
      const run: QueryClient['query'] = (text, values) => client.query(text, values);
      await run('begin');
      try {
        const result = await work(run);
        await run('commit');
        return result;
      } catch (error) {
        await run('rollback').catch(() => undefined);
        throw error;
      }
    }, deadlines);

  return {
    query: (text, values) => withClient((client) => client.query(text, values)),
    transaction: (work) => inTransaction(work),
    patient: {
      query: (text, values) => withClient((client) => client.query(text, values), patient),
      transaction: (work) => inTransaction(work, patient),
    },
    discardIdle,
    async end() {
      const cancel = createDeadlines(clock, endMs).start(() => all.forEach(cutConnection));
      await pool.end();
      cancel();
    },
  };
}

const noResponse = (where: string): StoreError =>
  new StoreError('store/unreachable', `No response from Postgres at ${where} within ${usualMs / 1000} s.`, {
    hint: 'Check that the server and the network work. The change may have been made.',
  });
