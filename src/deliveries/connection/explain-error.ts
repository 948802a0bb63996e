import { isStoreError, StoreError, type StoreErrorCode } from '../../base/store-error.js';

export interface ErrorContext {
  /** The server and the database, as `host:port/database`. */
  where: string;
  user?: string | undefined;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/**
 * Returns an error's SQLSTATE, even if the error has already been explained. Returns an empty string if the error did not come
 * from Postgres.
 */
export function sqlStateOf(error: unknown): string {
  const code = codeOf(error);
  if (/^[0-9A-Z]{5}$/.test(code) && !isSystemCode(code)) return code;
  return isStoreError(error) ? sqlStateOf(error.cause) : '';
}

/**
 * Matches system error codes such as ECONNREFUSED. A five-letter code such as EPIPE looks like an SQLSTATE, but no
 * SQLSTATE starts with E.
 */
const isSystemCode = (code: string): boolean => /^E[A-Z]/.test(code);

/**
 * Returns an error's message without a full stop. If all of a host's addresses failed, the error has a code but no
 * message.
 */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  if (/^(timeout expired|Connection terminated due to connection timeout)$/.test(message)) {
    return 'no response in time';
  }
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'connection refused',
    ENOTFOUND: 'unknown host name',
    EAI_AGAIN: 'the DNS server is not responding',
    ENOENT: 'no such socket',
  };
  return (known[code] ?? (message || code)).replace(/\.$/, '');
}

/** Explains a connection error to the person who started the process. The message never contains a password. */
export function explainConnect(error: unknown, { where, user = '' }: ErrorContext): StoreError {
  if (isStoreError(error)) return error;
  const [state, reason] = [sqlStateOf(error), reasonOf(error)];
  const explain = explainer(error);
  if (/unsupported startup parameter/.test(reason)) return throughPooler(where, error);
  if (reason === 'timeout exceeded when trying to connect') {
    return explain(
      'store/busy',
      `All connections of this process to ${where} are in use.`,
      'Try again later.',
    );
  }
  if (state === '53300') {
    return explain(
      'store/unreachable',
      `Postgres at ${where} has no free connections: ${reason}.`,
      'Raise the connection limit of Postgres, the database or the user. A worker needs up to 6 connections.',
    );
  }
  if (state.startsWith('28') || reason.startsWith('SASL')) {
    return explain(
      'store/authentication',
      `Postgres at ${where} rejected the user "${user}" or its password: ${reason}.`,
      "Check the user, PGPASSWORD or ~/.pgpass, and the server's pg_hba.conf.",
    );
  }
  if (state === '3D000') {
    return explain(
      'store/missing',
      `Postgres at ${where}: ${reason}.`,
      'Check the database name in the URL, or create the database.',
    );
  }
  if (state === '42501') {
    return explain(
      'store/rights',
      `The database user "${user}" is not allowed to connect to ${where}: ${reason}.`,
      'Grant CONNECT on the database.',
    );
  }
  if (/\bSSL connection/.test(reason)) {
    return explain(
      'store/tls',
      `Postgres at ${where} does not support TLS: ${reason}.`,
      'Turn on `ssl` on the server, or use sslmode=disable if you trust the network.',
    );
  }
  if (/CERT|TLS|SSL|ISSUER|ALTNAME/.test(codeOf(error))) {
    return explain(
      'store/tls',
      `The TLS certificate of Postgres at ${where} was rejected: ${reason}.`,
      'Set sslrootcert to the certificate of the issuing authority, and connect to a host name that the certificate contains.',
    );
  }
  if (state !== '' && state !== '57P03') {
    return explain(
      'store/failed',
      `Postgres at ${where} ended the connection: ${reason} (SQLSTATE ${state}).`,
      'See the Postgres log.',
    );
  }
  return explain(
    'store/unreachable',
    `Cannot connect to Postgres at ${where}: ${reason}.`,
    'Check that Postgres is running, and that the host and port are correct.',
  );
}

/** Explains an error from a statement. Returns errors from other sources unchanged. */
export function explainStatement(
  error: unknown,
  { where, user = '', text, mayBeDone }: ErrorContext & { text: string; mayBeDone: boolean },
): unknown {
  if (isStoreError(error)) return error;
  const [state, reason] = [sqlStateOf(error), reasonOf(error)];
  const explain = explainer(error);
  if (isConnectionLost(error)) return connectionLost({ where, mayBeDone, reason, cause: error });
  if (state === '') return error;
  const shown = `${reason} (SQLSTATE ${state})`;
  if (state === '42501') {
    return explain('store/rights', missingRight(reason, user, text), grantsHint);
  }
  if (/^(3F000|42P01|42883|42703)$/.test(state)) {
    return explain(
      'store/missing',
      `The delivery tables at ${where} are incomplete: ${shown}.`,
      'Run `platform-webhooks migrate`.',
    );
  }
  if (state === '57014' || state === '55P03') {
    return explain(
      'store/timeout',
      `Postgres at ${where} canceled a statement: ${shown}.`,
      'Nothing was changed. Try again when no long-running transactions are active.',
    );
  }
  if (state === '25006') {
    return explain(
      'store/unsuitable',
      `Postgres at ${where} is read-only: ${shown}.`,
      'Connect to the primary. If the URL has several hosts, add target_session_attrs=read-write.',
    );
  }
  const { hint } = error as { hint?: unknown };
  return explain(
    'store/failed',
    `Postgres at ${where} reported an error: ${shown}.`,
    typeof hint === 'string' ? hint : 'See the Postgres log.',
  );
}

/** Whether the server has ended the session or cannot be reached. */
function isConnectionLost(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== '') return /^(08|57P)/.test(state);
  return (
    isSystemCode(codeOf(error)) ||
    (error instanceof Error &&
      /^(Connection terminated|Client has encountered a connection error)/.test(error.message))
  );
}

/** Creates the error for a connection that was lost while a statement was running. */
export function connectionLost(lost: {
  where: string;
  /** Whether the server may have committed the statement anyway. */
  mayBeDone: boolean;
  reason: string;
  cause?: unknown;
}): StoreError {
  const { where, mayBeDone, reason, cause } = lost;
  const explain = explainer(cause);
  const message = `The connection to Postgres at ${where} was lost: ${reason}.`;
  return mayBeDone
    ? explain(
        'store/outcome-unknown',
        `${message} It is unknown whether a change was made.`,
        'Deliveries may have been queued. It is safe to queue them again with the same event ids.',
      )
    : explain('store/unreachable', message, 'Nothing was changed. Try again.');
}

export const throughPooler = (where: string, cause?: unknown): StoreError =>
  explainer(cause)(
    'store/unsuitable',
    `The connection to ${where} goes through a pooler. A worker needs its own session, because otherwise its locks would stay in the pooler's session.`,
    'Connect workers directly to Postgres. Processes that only enqueue can use the pooler.',
  );

const explainer =
  (cause: unknown) =>
  (code: StoreErrorCode, message: string, hint: string): StoreError =>
    new StoreError(code, message, { hint, cause });

const grantsHint = 'Print the privileges that each role needs: platform-webhooks migrate --grants';

const verbs: Readonly<Record<string, string>> = {
  SELECT: '(?:from|join)',
  INSERT: 'insert into',
  UPDATE: 'update',
  DELETE: 'delete from',
};

/** The Postgres error contains only the table name. Which permissions are missing depends on the statement. */
function missingRight(reason: string, user: string, text: string): string {
  const [, kind = '', name = ''] = /^permission denied for (\w+) (.+)$/.exec(reason) ?? [];
  const whole: Readonly<Record<string, string>> = {
    schema: 'USAGE',
    function: 'EXECUTE',
    database: 'CREATE',
  };
  const onTable = (/^\w+$/.test(name) ? Object.keys(verbs) : []).filter((right) =>
    new RegExp(`\\b${verbs[right]} "(?:[^"]|"")*"\\.${name}\\b`).test(text),
  );
  const rights = whole[kind] ?? onTable.join(', ');
  return rights === ''
    ? `The database user "${user}" is not allowed to do this: ${reason}.`
    : `The database user "${user}" needs ${rights} on the ${kind} "${name}": ${reason}.`;
}
