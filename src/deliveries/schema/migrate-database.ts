import { systemClock } from '../../base/clock.js';
import { connectTarget, type PostgresConnection } from '../connection/connect-options.js';
import { createHosts } from '../connection/hosts.js';
import { loadPg } from '../connection/load-pg.js';
import { createPooledQueries } from '../connection/pooled-queries.js';
import type { Queries } from '../connection/query-client.js';
import { quoteName } from '../model/tables.js';
import { migrate, migrationSql, readVersion, versionText } from './migrate.js';

/** A database and the name of the schema that contains the delivery tables. */
export interface DatabaseWithSchema {
  /** `postgres://user:password@host:port/database`. */
  url?: string;
  /** Options for `pg`, which can be passed instead of `url`. */
  connection?: PostgresConnection;
  /** Default: `platform_webhooks`. */
  schema?: string;
}

/**
 * Creates or updates the delivery tables. Resolves to the previous schema version (0 if there were no tables) and the new
 * version.
 */
export const migratePostgres = (database: DatabaseWithSchema): Promise<{ from: string; to: string }> =>
  withDatabase(database, async (queries, schema) => {
    const { from, to } = await migrate(queries.patient, schema);
    return { from: from.minor === 0 ? '0' : versionText(from), to: versionText(to) };
  });

/**
 * Returns the SQL that `migratePostgres` would run, so that someone else can run it. Returns an empty string if the schema is
 * up to date.
 */
export const printMigration = (database: DatabaseWithSchema): Promise<string> =>
  withDatabase(database, async ({ query }, schema) => {
    const version = await readVersion(query, schema);
    const statements = migrationSql(schema, version);
    if (statements.length === 0) return '';
    const create = version.minor === 0 ? [`create schema if not exists ${quoteName(schema)};`] : [];
    return ['begin;', ...create, ...statements, 'commit;', ''].join('\n');
  });

async function withDatabase<T>(
  { url, connection, schema = 'platform_webhooks' }: DatabaseWithSchema,
  work: (queries: Queries, schema: string) => Promise<T>,
): Promise<T> {
  const target = connectTarget(url, connection);
  const pg = await loadPg();
  const queries = createPooledQueries({
    pg,
    hosts: createHosts(pg, target),
    serverOptions: target.serverOptions,
    name: 'migrate',
    clock: systemClock,
  });
  try {
    return await work(queries, schema);
  } finally {
    await queries.end();
  }
}
