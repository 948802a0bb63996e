import type { ClientConfig } from 'pg';
import { StoreError } from '../../store-error.js';

/** Where the database is. What is left out comes from the usual `PG*` variables. */
export interface PostgresConnection {
  host?: string;
  port?: number;
  user?: string;
  password?: string | (() => string | Promise<string>);
  database?: string;
  /** `true`, or options of Node's `tls.connect`. */
  ssl?: boolean | object;
  /** Options for the server, as in `-c work_mem=64MB`. */
  options?: string;
}

export interface ConnectTarget {
  config: ClientConfig;
  /** The server options that the user has set. */
  serverOptions: string;
}

const connectTimeoutMs = 10_000;

/** One configuration from a URL or its parts. The driver lets a URL win over the rest, so its options are taken out. */
export function connectTarget(
  url: string | undefined,
  connection: PostgresConnection | undefined,
): ConnectTarget {
  const { options = '', ...parts } = connection ?? {};
  const common = { connectionTimeoutMillis: connectTimeoutMs, keepAlive: true };
  if (url === undefined) return { config: { ...common, ...(parts as ClientConfig) }, serverOptions: options };
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new StoreError('store/unreachable', 'The database URL is not a Postgres URL.', {
      hint: 'It looks like postgres://user@host:5432/database.',
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

/** The settings of the session that delivers; those of the user's that it does not need stay. */
export const workerSettings: Readonly<Record<string, string>> = {
  idle_session_timeout: '10000',
  idle_in_transaction_session_timeout: '10000',
  statement_timeout: '5000',
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

/** The later one of two options wins. */
export const workerOptions = (serverOptions: string): string =>
  [
    serverOptions,
    ...Object.entries(workerSettings).map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`),
  ]
    .join(' ')
    .trim();
