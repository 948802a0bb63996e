import type { CommandContext } from '../../../context/command.js';
import { readDatabaseAddress, type DatabaseAddress } from './database-address.js';

export interface DatabaseOptions {
  database?: string;
  schema: string;
}

export const secretKeyOption = {
  flags: '--secret-key <variable>',
  description:
    'environment variable that holds the keys used to encrypt signing secrets, as a comma-separated list',
  default: 'PLATFORM_SECRET_KEY',
};

/** The first key is used for encryption, and all of them for decryption. */
export const secretKeysOf = ({ io }: CommandContext, variable: string): string[] =>
  (io.env[variable] ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');

export const databaseOptions = [
  {
    flags: '--database <url>',
    description:
      'database URL, such as postgres://user@host/database (also: PLATFORM_DATABASE_URL, PGHOST, PGPASSWORD, …)',
  },
  { flags: '--schema <name>', description: 'schema of the delivery tables', default: 'platform_webhooks' },
];

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
