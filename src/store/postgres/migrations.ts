import { createHash } from 'node:crypto';
import { StoreError } from '../store-error.js';
import type { QueryClient, Queries } from './connection/query-client.js';
import { quoteName } from './tables.js';

/**
 * Each migration runs once, in order. Never edit a released migration, and never recreate `lanes` or
 * `endpoints`: their oids are the keys of the workers' locks.
 */
const migrations: readonly ((schema: string) => string)[] = [
  (schema) => `
  create table ${schema}.revisions (
    only_row boolean primary key default true check (only_row),
    last bigint not null
  );
  insert into ${schema}.revisions (last) values (0);

  create table ${schema}.endpoints (
    id text collate "C" primary key,
    position bigint generated always as identity,
    value json not null,
    removed_at timestamptz,
    revision bigint not null
  );
  create index endpoints_by_revision on ${schema}.endpoints (revision);

  create table ${schema}.installations (id bytea primary key, paused boolean not null, revision bigint not null);
  create index installations_by_revision on ${schema}.installations (revision);

  create table ${schema}.lanes (lane smallint primary key, owner text, suspect bigint) with (fillfactor = 50);
  insert into ${schema}.lanes (lane) select generate_series(0, 255);

  create table ${schema}.pending (
    id bigint generated always as identity primary key,
    due timestamptz not null default now(),
    created_at float8 not null,
    resent_from bigint,
    attempt integer not null default 0,
    starts integer not null default 0,
    lane smallint not null,
    parked boolean not null default false,
    endpoint text collate "C" not null,
    installation bytea not null,
    event_id bytea not null,
    event_type bytea not null,
    history json[] not null default '{}',
    body bytea not null
  ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
  create index pending_fresh on ${schema}.pending (lane, endpoint, due, id) where attempt = 0 and not parked;
  create index pending_retries on ${schema}.pending (lane, due, id) where attempt > 0 and not parked;
  create index pending_parked on ${schema}.pending (lane, endpoint, due, id) where parked;

  create table ${schema}.done (
    id bigint primary key,
    finished_at timestamptz not null,
    created_at float8 not null,
    resent_from bigint,
    starts integer not null,
    state text not null,
    endpoint text collate "C" not null,
    installation bytea not null,
    event_id bytea not null,
    event_type bytea not null,
    history json[] not null,
    body bytea not null
  );
  create index done_by_age on ${schema}.done (finished_at, id);
  `,
  // When one endpoint has nearly all rows, the statistics would make the planner read the other endpoints
  // by primary key, past all rows of the large one.
  (schema) => `
  alter table ${schema}.pending alter column lane set statistics 0, alter column endpoint set statistics 0;
  `,
  // `suspects` replaces `suspect`, which older workers still write. `open`: what the last owner was sending
  // when it released the lane.
  (schema) => `
  alter table ${schema}.lanes add column suspects bigint[] not null default '{}', add column open json;
  alter table ${schema}.installations add column changed_at timestamptz not null default now();
  `,
];

/** The key of the lock that lets one process at a time migrate. */
const migrationKey = (schema: string): string =>
  createHash('sha256').update(`migrate ${schema}`).digest().readBigInt64BE().toString();

/**
 * Brings the schema up to date. Several processes may do this at the same time, also through a transaction
 * pooler: the lock belongs to the transaction.
 */
export async function migrate({ query, transaction }: Queries, name: string): Promise<void> {
  const schema = quoteName(name);
  const current = await readVersion(query, name);
  if (current === migrations.length) return;
  if (current > migrations.length) throw newer(name, current);
  await transaction(async (run) => {
    await run('select pg_advisory_xact_lock($1::bigint)', [migrationKey(name)]);
    const version = await readVersion(run, name);
    if (version > migrations.length) throw newer(name, version);
    if (version === 0) {
      await run(`create schema if not exists ${schema}`);
      await run(`create table if not exists ${schema}.version (number integer not null)`);
      await run(`insert into ${schema}.version (number) values (0)`);
    }
    for (const migration of migrations.slice(version)) await run(migration(schema));
    await run(`update ${schema}.version set number = $1`, [migrations.length]);
  });
}

async function readVersion(query: QueryClient['query'], name: string): Promise<number> {
  // Queries the catalog instead of the table: while another process migrates, the server may have cached
  // that the table does not exist.
  const { rows } = await query(
    `select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = $1 and c.relname = 'version') as found`,
    [name],
  );
  if (rows[0]?.['found'] !== true) return 0;
  const found = await query(`select number from ${quoteName(name)}.version`);
  return Number(found.rows[0]?.['number'] ?? 0);
}

const newer = (name: string, version: number): StoreError =>
  new StoreError(
    'store/newer',
    `The Postgres schema "${name}" was written by a newer version of integration-platform (format ${version}; this version supports up to ${migrations.length}).`,
    { hint: 'Update integration-platform in this process.' },
  );
