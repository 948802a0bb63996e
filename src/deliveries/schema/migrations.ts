import { quoteText } from '../model/tables.js';
import { createEnqueueFunctions, createTracedFunctions } from './enqueue-functions.js';

/** Postgres cannot read JSON that contains a NUL or a lone surrogate, although `JSON.stringify` can produce both. */
const readableBody = `
  begin
    value := replace(value::text, '\\u0000', '\\ufffd');
    perform value -> 'id';
    return value;
  exception when others then
    return '{}';
  end`;

/** The installation and the target whose events an endpoint receives. */
const recipientBody = (schema: string): string => `
  declare
    readable json := ${schema}.readable(endpoint);
  begin
    return array[readable ->> 'installationId', coalesce(readable -> 'target', readable -> 'place') ->> 'id'];
  end`;

/**
 * Each migration runs once, in order, and raises the minor version by one. A new minor version only adds to the
 * schema, so workers that need an earlier minor version keep working. Never edit a released migration, and never
 * recreate `lanes` or `endpoints`, because the workers' locks are keyed by the OIDs of these tables.
 */
export const migrations: readonly ((schema: string) => string)[] = [
  (schema) => `
  create table ${schema}.version (number integer not null);
  insert into ${schema}.version (number) values (0);

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
  // If nearly all rows belong to one endpoint, the statistics would make the planner use the primary key to read the other
  // endpoints, which means scanning all rows of that endpoint.
  (schema) => `
  alter table ${schema}.pending alter column lane set statistics 0, alter column endpoint set statistics 0;
  `,
  // Schema version 1.2 was introduced in release 0.2.0, which reads only `number` and accepts the value 2. `suspects` replaces
  // `suspect`, which older workers still write. `open` lists the requests that the last owner was sending when it released the
  // lane.
  (schema) => `
  alter table ${schema}.version add column major integer not null default 1, add column minor integer not null default 2;
  update ${schema}.version set number = 2;

  alter table ${schema}.pending add column keyed boolean not null default false;
  create unique index pending_keys on ${schema}.pending (endpoint, event_id) where keyed;

  alter table ${schema}.done
    add column keyed boolean not null default false,
    add column resent boolean not null default false;
  alter table ${schema}.done set (autovacuum_vacuum_scale_factor = 0.02);
  create index done_keys on ${schema}.done (endpoint, event_id);
  create index done_delivered_by_age on ${schema}.done (finished_at, id) where state = 'delivered';
  create index done_failed_by_age on ${schema}.done (finished_at, id) where state <> 'delivered';
  create index done_failed_of_endpoint on ${schema}.done (endpoint, id) where state <> 'delivered';
  drop index ${schema}.done_by_age;

  alter table ${schema}.lanes add column suspects bigint[] not null default '{}', add column open json;
  alter table ${schema}.installations add column changed_at timestamptz not null default now();

  create table ${schema}.failing (
    endpoint text collate "C" primary key,
    since timestamptz not null,
    latest timestamptz not null
  );

  create function ${schema}.readable(value json) returns json language plpgsql immutable strict
  as ${quoteText(readableBody)};
  create view ${schema}.endpoint_list as
    select id, position, removed_at, value -> 'url' as url, json_build_object(
      'id', value -> 'id', 'installationId', value -> 'installationId',
      'target', coalesce(value -> 'target', value -> 'place'), 'url', value -> 'url', 'events', value -> 'events',
      'enabled', value -> 'enabled', 'createdAt', value -> 'createdAt') as value
    from (select id, position, removed_at, ${schema}.readable(value) as value from ${schema}.endpoints) readable;
  create function ${schema}.recipient_of(endpoint json) returns text[] language plpgsql immutable strict
  as ${quoteText(recipientBody(schema))};
  create index endpoints_by_recipient on ${schema}.endpoints (${schema}.recipient_of(value)) where removed_at is null;
  `,
  createEnqueueFunctions,
  (schema) => `
  alter table ${schema}.pending add column traceparent text;
  alter table ${schema}.done add column traceparent text;
  ${createTracedFunctions(schema)}`,
];
