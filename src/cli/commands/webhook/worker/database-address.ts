import { UserError } from '../../../../base/user-error.js';

export interface DatabaseAddress {
  /** Absent if only PG* variables name the database. */
  url: string | undefined;
  /** Other users can read the password in the list of processes. */
  passwordOnCommandLine: boolean;
  /** For output: without user, password and options. */
  shown: string;
}

/** Finds the database: `--database`, then PLATFORM_DATABASE_URL, then the PG* variables. */
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
  const url = URL.canParse(text) ? new URL(text) : undefined;
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
    shown: `${url.hostname || (url.searchParams.get('host') ?? 'localhost')}:${url.port || '5432'}${url.pathname}`,
  };
}
