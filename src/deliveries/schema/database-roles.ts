import { quoteName, tablesOf } from '../model/tables.js';
import { producerFunctions } from './enqueue-functions.js';

/** The roles to create: one for workers, one for processes that only queue events, and one for read-only users. */
const roles = { worker: 'platform_worker', producer: 'platform_producer', reader: 'platform_reader' };

/** Postgres has no `create role if not exists`, and several schemas may share the same roles. */
const createRole = (role: string): string =>
  `do $$ begin create role ${role} login; exception when duplicate_object then null; end $$;`;

/**
 * Returns SQL that creates three roles and grants them the permissions they need. Producers have no access to the tables, and
 * readers have no access to the table that contains the signing secrets.
 */
export function grantsSql(name: string): string {
  const { revisions, endpoints, installations, lanes, pending, done, failing, endpointList } = tablesOf(name);
  const schema = quoteName(name);
  const functions = producerFunctions(schema).join(',\n  ');
  const { worker, producer, reader } = roles;
  return `-- Run this as the owner of the schema, after each \`platform-webhooks migrate\`.
-- Workers, and people who change endpoints or send deliveries again.
${createRole(worker)}
grant usage on schema ${schema} to ${worker};
grant select on ${schema}.version, ${endpointList} to ${worker};
grant select, update on ${revisions}, ${lanes} to ${worker};
grant select, insert, update, delete on ${endpoints}, ${installations}, ${pending}, ${done}, ${failing} to ${worker};
grant execute on function
  ${functions}
  to ${worker};

-- Processes that queue events.
${createRole(producer)}
grant usage on schema ${schema} to ${producer};
grant select on ${schema}.version to ${producer};
grant execute on function
  ${functions}
  to ${producer};

-- \`platform-webhooks status\`, \`deliveries\` and \`inspect\`. The signing secrets are not visible.
${createRole(reader)}
grant usage on schema ${schema} to ${reader};
grant select on ${schema}.version, ${endpointList}, ${installations}, ${lanes}, ${pending}, ${done}, ${failing} to ${reader};
-- A superuser can let it see how long the workers have been running, and the oldest transaction:
-- grant pg_read_all_stats to ${reader};
`;
}
