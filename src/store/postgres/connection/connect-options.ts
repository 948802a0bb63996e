import type { ClientConfig } from 'pg';
import { StoreError } from '../../store-error.js';

/** Where the database is. Missing values come from the usual `PG*` variables. */
export interface PostgresConnection {
  host?: string;
  port?: number;
  user?: string;
  password?: string | (() => string | Promise<string>);
  database?: string;
  /** `true`, or options of Node's `tls.connect`. */
  ssl?: boolean | object;
  /** Options for the server, such as `-c work_mem=64MB`. */
  options?: string;
}

export interface ConnectTarget {
  config: ClientConfig;
  /** The server options set by the user. */
  serverOptions: string;
}

const connectTimeoutMs = 4000;

/**
 * Reads the connection from a URL or from its parts. The driver prefers the URL over everything else, so
 * server options in the URL are taken out and merged.
 */
export function connectTarget(
  url: string | undefined,
  connection: PostgresConnection | undefined,
): ConnectTarget {
  const { options = '', ...parts } = connection ?? {};
  const common = {
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
  };
  if (url === undefined) return { config: { ...common, ...(parts as ClientConfig) }, serverOptions: options };
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new StoreError('store/unreachable', 'The database URL is not a Postgres URL.', {
      hint: 'Use the form postgres://user@host:5432/database.',
    });
  }
  const parsed = new URL(url);
  const fromUrl = parsed.searchParams.get('options') ?? '';
  parsed.searchParams.delete('options');
  parsed.searchParams.delete('application_name');
  return {
    config: { ...common, ...(parts as ClientConfig), connectionString: parsed.href },
    serverOptions: `${fromUrl} ${options}`.trim(),
  };
}

/** The settings that a worker's session needs. Other settings of the user are kept. */
export const workerSettings: Readonly<Record<string, string>> = {
  idle_session_timeout: '10000',
  idle_in_transaction_session_timeout: '10000',
  statement_timeout: '5000',
  // A row that somebody else has locked must not keep others waiting.
  lock_timeout: '500',
  tcp_user_timeout: '10000',
  client_connection_check_interval: '1000',
  synchronous_commit: 'on',
  default_transaction_isolation: 'read committed',
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  jit: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/** If an option is set twice, Postgres uses the last one. */
export const workerOptions = (serverOptions: string): string =>
  [
    serverOptions,
    ...Object.entries(workerSettings).map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`),
  ]
    .join(' ')
    .trim();
