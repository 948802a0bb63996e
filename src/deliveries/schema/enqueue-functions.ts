import { defaultMaxBodyBytes } from '../model/body-limit.js';
import { selectableEvents, webhookTypes } from '../../protocol/webhook-events.js';
import { quoteText } from '../model/tables.js';

/** Key lookups must not depend on statistics, because a table that was empty a moment ago has none yet. */
const settings = `set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off
    set enable_mergejoin = off`;

const queueTypes = 'smallint[], text[], bytea[], bytea[], bytea[], float8[], bigint[], bytea[]';

/**
 * The signatures of the functions: without a body limit, in which case the default limit applies, with a limit, and with
 * a limit and the span that queued the event.
 */
const signatures = [
  {
    plain: `queue(${queueTypes})`,
    limited: `queue(${queueTypes}, integer)`,
    traced: `queue(${queueTypes}, integer, text[])`,
  },
  {
    plain: 'enqueue_event(json)',
    limited: 'enqueue_event(json, integer)',
    traced: 'enqueue_event(json, integer, text)',
  },
] as const;

type Variant = keyof (typeof signatures)[number];

const functionsOf = (schema: string, variants: readonly Variant[]): string[] =>
  signatures.flatMap((signature) => variants.map((variant) => `${schema}.${signature[variant]}`));

export const producerFunctions = (schema: string): string[] =>
  functionsOf(schema, ['plain', 'limited', 'traced']);

/**
 * The functions that producers use to queue deliveries. They run with their owner's privileges, so producers need no
 * privileges on the tables. Roles that could call them before version 1.4 may also call the variants with a limit.
 */
export const createEnqueueFunctions = (schema: string): string => `
  create or replace function ${schema}.queue(
    lanes smallint[], endpoints text[], installations bytea[], event_ids bytea[], event_types bytea[],
    created float8[], resent bigint[], bodies bytea[], max_body_bytes integer)
  returns table (delivery bigint, queued boolean, state text, due float8, created_at float8, finished_at float8, attempts integer)
  language plpgsql security definer ${settings}
  as ${quoteText(queueBody(schema))};

  create or replace function ${schema}.queue(
    lanes smallint[], endpoints text[], installations bytea[], event_ids bytea[], event_types bytea[],
    created float8[], resent bigint[], bodies bytea[])
  returns table (delivery bigint, queued boolean, state text, due float8, created_at float8, finished_at float8, attempts integer)
  language sql security definer ${settings}
  as ${quoteText(`select * from ${schema}.queue($1, $2, $3, $4, $5, $6, $7, $8, ${defaultMaxBodyBytes})`)};

  create or replace function ${schema}.enqueue_event(event json, max_body_bytes integer)
  returns table (delivery text, endpoint text, queued boolean)
  language plpgsql security definer ${settings}
  as ${quoteText(enqueueEventBody(schema))};

  create or replace function ${schema}.enqueue_event(event json)
  returns table (delivery text, endpoint text, queued boolean)
  language sql security definer ${settings}
  as ${quoteText(`select * from ${schema}.enqueue_event($1, ${defaultMaxBodyBytes})`)};

  ${revokeAll(schema, ['plain', 'limited'])}
  do ${quoteText(copyRights(schema, 'plain', 'limited'))};
`;

/**
 * Variants that also store the span that queued the event, as a W3C `traceparent` header. Roles that could call the variants with
 * a limit may call them.
 */
export const createTracedFunctions = (schema: string): string => `
  create function ${schema}.queue(
    lanes smallint[], endpoints text[], installations bytea[], event_ids bytea[], event_types bytea[],
    created float8[], resent bigint[], bodies bytea[], max_body_bytes integer, traceparents text[])
  returns table (delivery bigint, queued boolean, state text, due float8, created_at float8, finished_at float8, attempts integer)
  language plpgsql security definer ${settings}
  as ${quoteText(queueBody(schema, true))};

  create function ${schema}.enqueue_event(event json, max_body_bytes integer, traceparent text)
  returns table (delivery text, endpoint text, queued boolean)
  language plpgsql security definer ${settings}
  as ${quoteText(enqueueEventBody(schema, true))};

  ${revokeAll(schema, ['traced'])}
  do ${quoteText(copyRights(schema, 'limited', 'traced'))};
`;

const revokeAll = (schema: string, variants: readonly Variant[]): string =>
  functionsOf(schema, variants)
    .map((signature) => `revoke all on function ${signature} from public;`)
    .join('\n  ');

const copyRights = (schema: string, from: Variant, to: Variant): string => `
  declare
    producer regrole;
  begin${signatures
    .map(
      (signature) => `
    for producer in select distinct r.grantee from pg_catalog.pg_proc p, pg_catalog.aclexplode(p.proacl) r
      where p.oid = ${quoteText(`${schema}.${signature[from]}`)}::regprocedure and r.grantee <> 0 and r.grantee <> p.proowner
    loop
      execute format('grant execute on function %s to %s', ${quoteText(`${schema}.${signature[to]}`)}, producer);
    end loop;`,
    )
    .join('')}
  end`;

/** Fails if the arguments could not be delivered later. */
const checkArguments = `
    if 0 > any (lanes) or 255 < any (lanes) then
      raise exception using errcode = 'invalid_parameter_value',
        message = 'A lane must be a number from 0 to 255.',
        hint = 'Use get_byte(sha256(convert_to(endpoint, ''UTF8'')), 0).';
    end if;
    if created && array['NaN', 'Infinity', '-Infinity']::float8[] then
      raise exception using errcode = 'invalid_parameter_value',
        message = 'The creation time of a delivery must be a finite number of milliseconds.';
    end if;
    largest := (select max(octet_length(body)) from unnest(bodies) body);
    if largest > max_body_bytes then
      raise exception using errcode = 'invalid_parameter_value',
        message = format('The event has %s bytes, but at most %s bytes are allowed.', largest, max_body_bytes),
        hint = 'Send less data, or raise the limit: max_body_bytes here, and --max-body of all workers.';
    end if;`;

/**
 * The ids are assigned first, because an insert does not return the rows that it skips. The unique index finds
 * existing deliveries that are still waiting. A separate statement finds deliveries that have already moved to
 * `done`, because it needs a newer snapshot than the insert. All inserts follow the order of the unique index.
 * Otherwise, two inserts of the same events might wait for each other, and large inserts would be 25% slower.
 */
const queueBody = (schema: string, traced = false): string => `
  #variable_conflict use_column
  declare
    ids bigint[];
    fresh bigint[];
    finished bigint[];
    largest integer;
    sequence regclass;
  begin${checkArguments}
    sequence := pg_get_serial_sequence(${quoteText(`${schema}.pending`)}, 'id');
    ids := array(select nextval(sequence) from unnest(lanes));
    with inserted as (
      insert into ${schema}.pending (id, lane, endpoint, installation, event_id, event_type, created_at, resent_from, body, keyed${traced ? ', traceparent' : ''})
      overriding system value
      select n.id, n.lane, n.endpoint, n.installation, n.event_id, n.event_type, n.created, n.resent, n.body, n.resent is null${traced ? `, ${keptTraceparent(schema)}` : ''}
        from unnest(ids, lanes, endpoints, installations, event_ids, event_types, created, resent, bodies${traced ? ', traceparents' : ''})
          n(id, lane, endpoint, installation, event_id, event_type, created, resent, body${traced ? ', traceparent' : ''})
        order by n.endpoint, n.event_id, n.id
      on conflict (endpoint, event_id) where keyed do nothing
      returning id)
    select array_agg(id) into fresh from inserted;
    select array_agg(n.id) into finished from unnest(ids, endpoints, event_ids, resent) n(id, endpoint, event_id, resent)
      where n.resent is null and exists (
        select from ${schema}.done d where d.endpoint = n.endpoint and d.event_id = n.event_id and d.keyed);
    if finished is not null then
      delete from ${schema}.pending p where p.id = any (finished);
    end if;
    if finished is null and cardinality(fresh) = cardinality(ids) then
      return query select n.id, true, 'pending', extract(epoch from now())::float8 * 1000, n.created, null::float8, 0
        from unnest(ids, created) n(id, created);
      return;
    end if;
    return query
      select coalesce(p.id, d.id), coalesce(p.id = n.id, false),
          case when p.id is null then d.state when p.parked then 'held' when p.attempt = 0 then 'pending' else 'retrying' end,
          extract(epoch from p.due)::float8 * 1000, coalesce(p.created_at, d.created_at),
          extract(epoch from d.finished_at)::float8 * 1000,
          coalesce(p.attempt, array_length(d.history, 1), 0)
        from unnest(ids, endpoints, event_ids, resent) with ordinality n(id, endpoint, event_id, resent, place)
        left join lateral (
          select * from ${schema}.pending p where p.id = n.id and n.resent is not null
          union all
          select * from ${schema}.pending p
            where p.endpoint = n.endpoint and p.event_id = n.event_id and p.keyed and n.resent is null) p on true
        left join lateral (
          select * from ${schema}.done d
            where d.endpoint = n.endpoint and d.event_id = n.event_id and d.keyed and n.resent is null and p.id is null
            order by d.id desc limit 1) d on true
        order by n.place;
  end`;

/** A delivery that is sent again stays in the trace of its event. */
const keptTraceparent = (schema: string): string =>
  `case when n.resent is null then n.traceparent else (select d.traceparent from ${schema}.done d where d.id = n.resent) end`;

/** The field with the space or site of the event. */
const targetKey = `case when event_type in (${selectableEvents.space.map(quoteText).join(', ')}) then 'spaceId' else 'siteId' end`;

const enqueueEventBody = (schema: string, traced = false): string => `
  #variable_conflict use_column
  declare
    event_type text := event ->> 'type';
    target text := event ->> ${targetKey};
    found text[];
  begin
    if event_type is null or event_type not in (${webhookTypes.map(quoteText).join(', ')}) then
      raise exception using errcode = 'invalid_parameter_value',
        message = format('"%s" is not a webhook event type.', event_type),
        hint = 'Use ${webhookTypes.slice(0, -1).join(', ')} or ${webhookTypes.at(-1)}.';
    end if;
    if coalesce(event ->> 'eventId', '') = '' or event ->> 'installationId' is null or target is null then
      raise exception using errcode = 'invalid_parameter_value',
        message = format('The event "%s" needs eventId, installationId and %s.', event_type,
          ${targetKey});
    end if;
    found := array(
      select e.id from ${schema}.endpoints e cross join lateral ${schema}.readable(e.value) endpoint
      where ${schema}.recipient_of(e.value) = array[event ->> 'installationId', target] and e.removed_at is null
        and exists (select from json_array_elements_text(endpoint -> 'events') selected where selected = event_type)
      order by e.position);
    return query
      select 'dlv_' || q.delivery, n.endpoint, q.queued
        from unnest(found) with ordinality n(endpoint, place)
        join ${schema}.queue(
          array(select get_byte(sha256(convert_to(id, 'UTF8')), 0)::smallint from unnest(found) id),
          found,
          array_fill(convert_to(event ->> 'installationId', 'UTF8'), array[cardinality(found)]),
          array_fill(convert_to(event ->> 'eventId', 'UTF8'), array[cardinality(found)]),
          array_fill(convert_to(event_type, 'UTF8'), array[cardinality(found)]),
          array_fill(extract(epoch from clock_timestamp())::float8 * 1000, array[cardinality(found)]),
          array_fill(null::bigint, array[cardinality(found)]),
          array_fill(convert_to(event::text, 'UTF8'), array[cardinality(found)]),
          max_body_bytes${traced ? ', array_fill(traceparent, array[cardinality(found)])' : ''})
        with ordinality q(delivery, queued, state, due, created_at, finished_at, attempts, place) using (place)
        order by n.place;
  end`;
