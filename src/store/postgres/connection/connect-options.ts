import type { ClientConfig } from 'pg';
import { StoreError } from '../../model/store-error.js';
import { splitHosts } from './split-hosts.js';
import { tlsOptions, tlsParameters } from './tls-options.js';

/** Where the database is. Missing values come from the usual `PG*` variables. */
export interface PostgresConnection {
  host?: string;
  port?: number;
  user?: string;
  password?: string | (() => string | Promise<string>);
  database?: string;
  /** `true`, or options for Node's `tls.connect`. */
  ssl?: boolean | object;
  /** Server options, such as `-c work_mem=64MB`. */
  options?: string;
}

export interface ConnectTarget {
  /** One per host, in the order of the URL. */
  configs: readonly ClientConfig[];
  /** Connections must be able to write. If one cannot, the next host is tried. */
  readWrite: boolean;
  /** The server options set by the user. */
  serverOptions: string;
}

const connectTimeoutMs = 4000;

/**
 * Reads the connection from a URL or its parts. The driver gives the URL precedence over everything else,
 * so server options (which are merged) and TLS options are removed from it.
 */
export function connectTarget(
  url: string | undefined,
  connection: PostgresConnection | undefined,
): ConnectTarget {
  const { options = '', ...parts } = connection ?? {};
  const urls = url === undefined ? [] : splitHosts(url);
  // All URLs have the same parameters; only the host differs.
  const params = new URLSearchParams(urls[0]?.search);
  const ssl = parts.ssl ?? tlsOptions(params);
  const config: ClientConfig = {
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    ...(parts as ClientConfig),
    ...(ssl !== undefined && { ssl }),
  };
  return {
    configs:
      url === undefined
        ? [config]
        : urls.map((one) => ({ ...config, connectionString: withoutOptions(one).href })),
    readWrite: needsReadWrite(params.get('target_session_attrs') ?? 'any'),
    serverOptions: `${params.get('options') ?? ''} ${options}`.trim(),
  };
}

const taken = ['options', 'application_name', 'target_session_attrs', ...tlsParameters];

function withoutOptions(url: URL): URL {
  const kept = new URL(url);
  for (const name of taken) kept.searchParams.delete(name);
  return kept;
}

function needsReadWrite(attributes: string): boolean {
  if (['any', 'read-write', 'primary'].includes(attributes)) return attributes !== 'any';
  throw new StoreError('store/unsuitable', `target_session_attrs=${attributes} is not supported.`, {
    hint: 'Use read-write, primary or any.',
  });
}

/** The settings that a worker's session needs. The user's other settings are kept. */
export const workerSettings: Readonly<Record<string, string>> = {
  idle_session_timeout: '10000',
  idle_in_transaction_session_timeout: '10000',
  statement_timeout: '5000',
  // A row that another session has locked must not delay the others.
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
