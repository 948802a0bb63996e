import { isUserError, UserError } from '../../../../base/user-error.js';
import { isWebhookError } from '../../../../webhooks/model/webhook-error.js';
import type { Call } from '../../../../contract/call.js';
import type { PostgresDeliveryStore } from '../../../../store/postgres/index.js';
import type { CommandContext, OptionSpec } from '../../../context/command.js';
import { hintFor } from '../../../session/response-hint.js';
import { connect } from '../../../session/connect.js';
import { databaseOf, secretKeyOption, secretKeysOf } from '../worker/database-options.js';

/** With `--database`, a command uses a Postgres database instead of the running platform. */
export interface DatabaseFlags {
  /** True if the option was given without a value. The database is then taken from the environment. */
  database?: string | true;
  schema: string;
  secretKey: string;
}

export const databaseFlags: readonly OptionSpec[] = [
  {
    flags: '--database [url]',
    description: 'use a Postgres database instead of the running platform (default: PLATFORM_DATABASE_URL)',
  },
  { flags: '--schema <name>', description: 'schema of the delivery tables', default: 'platform_webhooks' },
  secretKeyOption,
];

/** Calls the webhook routes of the running platform or of a database. */
export async function withWebhooks<T>(
  context: CommandContext,
  options: DatabaseFlags,
  use: (call: Call) => Promise<T>,
): Promise<T> {
  if (options.database === undefined) return use((await connect(context)).call);
  return withDatabase(context, options, async (store) => {
    const { createDatabaseCall } = await import('./database-call.js');
    return use(createDatabaseCall(store, context.io.clock));
  });
}

/** Opens the database, and closes it when `use` is done. */
export async function withDatabase<T>(
  context: CommandContext,
  { database, schema, secretKey }: DatabaseFlags,
  use: (store: PostgresDeliveryStore) => Promise<T>,
): Promise<T> {
  const { url } = databaseOf(context, typeof database === 'string' ? { database } : {});
  const { createPostgresDeliveryStore } = await import('../../../../store/postgres/index.js');
  const secretKeys = secretKeysOf(context, secretKey);
  const store = await createPostgresDeliveryStore({ ...(url !== undefined && { url }), schema, secretKeys });
  try {
    return await use(store);
  } catch (error) {
    throw explain(error);
  } finally {
    await store.close();
  }
}

function explain(error: unknown): unknown {
  if (!isWebhookError(error) && !isUserError(error)) return error;
  const { code, message, hint = hintFor({ code }) } = error;
  // Hints are written for the running platform. Only hints about migrations already concern a database.
  const inDatabase = hint?.replace(/platform webhook (?!migrate).*$/, '$& --database');
  return new UserError(code, message, inDatabase, error);
}
