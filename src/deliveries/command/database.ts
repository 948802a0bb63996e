import { isUserError, UserError } from '../../base/user-error.js';
import type { CommandContext, OptionSpecs } from '../../cli/context/command.js';
import { hintFor } from '../../cli/session/response-hint.js';
import type { PostgresDeliveryStore } from '../index.js';
import { isWebhookError } from '../../webhooks/model/webhook-error.js';

export interface DatabaseOptions {
  database?: string;
  schema: string;
  /** Absent for commands without secrets. */
  secretKey?: string;
}

export const databaseOptions: OptionSpecs = {
  '--database <url>':
    'database URL, such as postgres://user@host/database (also: PLATFORM_DATABASE_URL, PGHOST, PGPASSWORD, …)',
  '--schema <name>': { description: 'schema of the delivery tables', default: 'platform_webhooks' },
};

/** For commands that read or write the signing secrets. */
export const secretOptions: OptionSpecs = {
  ...databaseOptions,
  '--secret-key <variable>': {
    description:
      'environment variable that holds the keys used to encrypt signing secrets, as a comma-separated list',
    default: 'PLATFORM_SECRET_KEY',
  },
};

/** The first key is used for encryption, and all of them for decryption. */
export const secretKeysOf = ({ io }: CommandContext, variable = ''): string[] =>
  (io.env[variable] ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');

/** Opens the database, and closes it when `use` is done. */
export async function withDatabase<T>(
  context: CommandContext,
  options: DatabaseOptions,
  use: (store: PostgresDeliveryStore) => Promise<T>,
): Promise<T> {
  const { schema, secretKey } = options;
  const { url } = databaseOf(context, options);
  const { createPostgresDeliveryStore } = await import('../index.js');
  const secretKeys = secretKeysOf(context, secretKey);
  const store = await createPostgresDeliveryStore({ ...(url !== undefined && { url }), schema, secretKeys });
  try {
    return await use(store);
  } catch (error) {
    if (!isWebhookError(error) && !isUserError(error)) throw error;
    const { code, message, hint = hintFor({ code }) } = error;
    // Some hints are written for the running platform.
    throw new UserError(code, message, hint?.replace('platform webhook ', 'platform-webhooks '), error);
  } finally {
    await store.close();
  }
}

/** Finds the database, and warns if the password is on the command line. */
export function databaseOf(
  { io, note, style }: CommandContext,
  { database }: { database?: string },
): DatabaseAddress {
  const address = readDatabaseAddress(database, io.env);
  if (address.passwordOnCommandLine) {
    note(
      style.yellow(
        'warning Other users of this machine can read the password in --database. Use PLATFORM_DATABASE_URL, PGPASSWORD or ~/.pgpass.',
      ),
    );
  }
  return address;
}

export interface DatabaseAddress {
  /** Undefined if only PG* variables specify the database. */
  url: string | undefined;
  /** Whether the password is on the command line, where other users can see it in the process list. */
  passwordOnCommandLine: boolean;
  /** The database as shown to the user, without the user name, password and options. */
  shown: string;
}

/** Looks for the database in `--database`, then in PLATFORM_DATABASE_URL, and then in the PG* variables. */
export function readDatabaseAddress(
  option: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): DatabaseAddress {
  const text = option ?? env['PLATFORM_DATABASE_URL'];
  if (text === undefined) {
    if (!env['PGHOST'] && !env['PGDATABASE'] && !env['PGSERVICE'] && !env['PGUSER']) {
      throw new UserError(
        'no-database',
        'No database was specified.',
        'Set PLATFORM_DATABASE_URL=postgres://user@host/database, or use --database, or set PGHOST and PGDATABASE.',
      );
    }
    const { PGHOST: host = 'localhost', PGPORT: port = '5432', PGDATABASE, PGUSER } = env;
    const shown = `${host}:${port}/${PGDATABASE ?? PGUSER ?? ''}`;
    return { url: undefined, passwordOnCommandLine: false, shown };
  }
  const { single, hosts } = splitHosts(text);
  const url = URL.canParse(single) ? new URL(single) : undefined;
  if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:') {
    // The text may contain a password, so it is not shown.
    throw new UserError(
      'bad-database',
      `The value of ${option === undefined ? 'PLATFORM_DATABASE_URL' : '--database'} is not a postgres:// URL.`,
      'Write it as postgres://user@host:5432/database.',
    );
  }
  const password = url.password !== '' || url.searchParams.has('password');
  return {
    url: text,
    passwordOnCommandLine: option !== undefined && password,
    shown: `${hosts ?? `${(url.searchParams.get('host') ?? url.hostname) || 'localhost'}:${url.port || url.searchParams.get('port') || '5432'}`}${url.pathname}`,
  };
}

/**
 * Prepares a URL for the URL class, which cannot parse URLs with several hosts or none. `hosts` is set only if there are
 * several hosts.
 */
function splitHosts(text: string): { single: string; hosts?: string } {
  const [, scheme, hosts, rest] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(text) ?? [];
  if (scheme === undefined || hosts === undefined) return { single: text };
  const [first = ''] = hosts.split(',');
  const single = `${scheme}${first || (scheme.endsWith('@') ? 'localhost' : '')}${rest}`;
  return { single, ...(hosts.includes(',') && { hosts }) };
}
