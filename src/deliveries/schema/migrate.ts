import { createHash } from 'node:crypto';
import { StoreError } from '../../base/store-error.js';
import { sqlStateOf } from '../connection/explain-error.js';
import type { QueryClient, Transactions, Queries } from '../connection/query-client.js';
import { quoteName } from '../model/tables.js';
import { migrations } from './migrations.js';
import { systemClock } from '../../base/clock.js';
import { connectTarget, type PostgresConnection } from '../connection/connect-options.js';
import { createHosts } from '../connection/hosts.js';
import { loadPg } from '../connection/load-pg.js';
import { createPooledQueries } from '../connection/pooled-queries.js';

/**
 * A worker can use a schema if the major versions match and the schema's minor version is at least the one that the
 * worker needs.
 */
export interface SchemaVersion {
  major: number;
  minor: number;
}

export const neededVersion: SchemaVersion = { major: 1, minor: migrations.length };

const nothing: SchemaVersion = { major: neededVersion.major, minor: 0 };

/** Returns the key of the lock that allows only one process to migrate at a time. */
const migrationKey = (schema: string): string =>
  createHash('sha256').update(`migrate ${schema}`).digest().readBigInt64BE().toString();

/**
 * Updates the schema. Several processes may do this at the same time, even through a transaction pooler, because the
 * lock belongs to the transaction. Resolves to the versions before and after the update.
 */
export async function migrate(
  { query, transaction }: Transactions,
  name: string,
): Promise<{ from: SchemaVersion; to: SchemaVersion }> {
  const before = await readVersion(query, name);
  if (isEnough(before, name)) return { from: before, to: before };
  return transaction(async (run) => {
    // While this statement waited for a long transaction to end, other statements would have to wait behind it.
    await run(`set local lock_timeout = '3s'`);
    await run('select pg_advisory_xact_lock($1::bigint)', [migrationKey(name)]);
    const from = await readVersion(run, name);
    if (isEnough(from, name)) return { from, to: from };
    // `create schema if not exists` requires the permission to create schemas even if the schema already exists.
    const { rows } = await run('select from pg_namespace where nspname = $1', [name]);
    if (rows.length === 0) await run(`create schema ${quoteName(name)}`);
    for (const statement of migrationSql(name, from)) await run(statement);
    return { from, to: neededVersion };
  }).catch((error: unknown) => {
    throw explainMigration(error, name);
  });
}

/** Returns the statements that update a schema from this version. The schema itself must already exist. */
const migrationSql = (name: string, from: SchemaVersion): string[] => {
  const schema = quoteName(name);
  const { minor } = neededVersion;
  if (from.minor >= minor) return [];
  return [
    ...migrations.slice(from.minor).map((migration) => migration(schema)),
    `update ${schema}.version set minor = ${minor};`,
  ];
};

/** Throws if tables are missing or outdated. Changes nothing. */
export async function requireSchema({ query }: Pick<Transactions, 'query'>, name: string): Promise<void> {
  const found = await readVersion(query, name);
  if (isEnough(found, name)) return;
  const hint = 'Run `platform-webhooks migrate`, or start a worker with --migrate.';
  if (found.minor === 0) {
    throw new StoreError('store/missing', `The database has no delivery tables in the schema "${name}".`, {
      hint,
    });
  }
  throw new StoreError(
    'store/outdated',
    `The Postgres schema "${name}" has version ${versionText(found)}, but version ${versionText(neededVersion)} is required.`,
    { hint },
  );
}

const versionText = ({ major, minor }: SchemaVersion): string => `${major}.${minor}`;

/** Returns the schema version. If there are no tables, the minor version is 0. */
async function readVersion(query: QueryClient['query'], name: string): Promise<SchemaVersion> {
  // Queries the catalog instead of the table, because while another process is migrating, the server may have cached that the
  // table does not exist.
  const { rows } = await query(
    `select a.attname as column from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where n.nspname = $1 and c.relname = 'version'`,
    [name],
  );
  if (rows.length === 0) return nothing;
  const found = await query(`select * from ${quoteName(name)}.version`);
  const { number, major, minor } = found.rows[0] ?? {};
  // Schemas of version 1.2 and earlier only have `number`.
  return { major: Number(major ?? nothing.major), minor: Number(minor ?? number ?? 0) };
}

/** Whether the schema is recent enough. Throws if the schema has a different major version. */
function isEnough(found: SchemaVersion, name: string): boolean {
  if (found.major === neededVersion.major) return found.minor >= neededVersion.minor;
  throw new StoreError(
    'store/newer',
    `The Postgres schema "${name}" has version ${versionText(found)}. This version of integration-platform works with ${neededVersion.major}.x.`,
    { hint: 'Update integration-platform in this process.' },
  );
}

function explainMigration(error: unknown, name: string): unknown {
  const state = sqlStateOf(error);
  if (state === '55P03') {
    return new StoreError('store/busy', `Another transaction is using the tables of the schema "${name}".`, {
      hint: 'Nothing was changed. Try again when no long-running transactions are active.',
      cause: error,
    });
  }
  if (state === '42501') {
    const { message } = (error as Error).cause as Error;
    return new StoreError(
      'store/rights',
      `This database user is not allowed to change the schema "${name}": ${message}.`,
      {
        hint: 'Run `platform-webhooks migrate` as the owner of the schema. `--print` prints the SQL instead.',
        cause: error,
      },
    );
  }
  return error;
}

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
    timers: systemClock,
  });
  try {
    return await work(queries, schema);
  } finally {
    await queries.end();
  }
}
