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
  /** `true`, or options of Node's `tls.connect`. */
  ssl?: boolean | object;
  /** Options for the server, such as `-c work_mem=64MB`. */
  options?: string;
}

export interface ConnectTarget {
  /** One for each host, in the order of the address. */
  configs: readonly ClientConfig[];
  /** Connections must be able to write: another host is tried otherwise. */
  readWrite: boolean;
  /** The server options set by the user. */
  serverOptions: string;
}

const connectTimeoutMs = 4000;

/**
 * Reads the connection from a URL or from its parts. The driver prefers the URL over everything else, so
 * what it must not see is taken out: server options, which are merged, and TLS.
 */
export function connectTarget(
  url: string | undefined,
  connection: PostgresConnection | undefined,
): ConnectTarget {
  const { options = '', ...parts } = connection ?? {};
  const urls = url === undefined ? [] : splitHosts(url);
  // All URLs have the same parameters, except for the host.
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
