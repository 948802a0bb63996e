import type * as Pg from 'pg';
import type { ConnectTarget } from './connect-options.js';
import { explainConnect } from './explain-connect.js';
import type { Queries, QueryClient } from './query-client.js';

const maxConnections = 4;

/** Opens connections as needed. Statements have no names, so the connections may go through a pooler. */
export function createPooledQueries(
  pg: typeof Pg,
  target: ConnectTarget,
  where: string,
  name: string,
): Queries {
  const { serverOptions } = target;
  const pool = new pg.Pool({
    ...target.config,
    application_name: name,
    ...(serverOptions !== '' && { options: serverOptions }),
    max: maxConnections,
    allowExitOnIdle: true,
  });
  // If an idle connection ends, the next query opens a new one.
  pool.on('error', () => undefined);

  const connect = async (): Promise<Pg.PoolClient> => {
    try {
      return await pool.connect();
    } catch (error) {
      throw explainConnect(error, where);
    }
  };

  const withClient = async <T>(work: (client: Pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await connect();
    let broken: unknown;
    const onError = (error: unknown): void => void (broken = error);
    client.on('error', onError);
    try {
      return await work(client);
    } finally {
      client.off('error', onError);
      client.release(broken !== undefined);
    }
  };

  return {
    query: (text, values) => withClient((client) => client.query(text, values)),
    transaction: (work) =>
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
      }),
    end: () => pool.end(),
  };
}
