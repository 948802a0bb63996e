import { UserError } from '../../../../base/user-error.js';

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
