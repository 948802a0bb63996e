import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import { StoreError } from '../../base/store-error.js';

/** Connection options. Missing options are taken from the usual `PG*` variables. */
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
  /** One set of options per host, in the order of the hosts in the URL. */
  configs: readonly ClientConfig[];
  /** Whether a connection must be able to write. If it cannot write, the next host is tried. */
  readWrite: boolean;
  /** The server options set by the user. */
  serverOptions: string;
}

const connectTimeoutMs = 4000;

/**
 * Reads the connection options from a URL or from its parts, passed as individual options. The driver gives the URL
 * precedence over all other options. Server and TLS options are therefore removed from the URL, and the server
 * options are merged.
 */
export function connectTarget(
  url: string | undefined,
  connection: PostgresConnection | undefined,
): ConnectTarget {
  const { options = '', ...parts } = connection ?? {};
  const urls = url === undefined ? [] : splitHosts(url);
  // All URLs have the same parameters. Only their hosts differ.
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

const tlsParameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;

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

/** The settings that a worker's session needs. All other settings are up to the user. */
export const workerSettings: Readonly<Record<string, string>> = {
  idle_session_timeout: '10000',
  idle_in_transaction_session_timeout: '10000',
  statement_timeout: '5000',
  // A row that another session has locked must not delay other rows.
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

const address = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;

/**
 * Returns one URL for each host. The hosts may be before the path or in the query parameters. The URL of a Unix
 * socket may have a user but no host, which the URL class cannot parse.
 */
function splitHosts(text: string): URL[] {
  const [, scheme, names = '', rest = ''] = address.exec(text) ?? [];
  if (scheme === undefined) throw notAnAddress();
  const urls = names.split(',').map((name) => {
    const host = name === '' && scheme.endsWith('@') ? 'localhost' : name;
    const one = `${scheme}${host}${rest}`;
    if (!URL.canParse(one)) throw notAnAddress();
    return new URL(one);
  });
  return urls.flatMap(splitParameters);
}

function splitParameters(url: URL): URL[] {
  const [hosts = [], ports = []] = ['host', 'port'].map((name) => url.searchParams.get(name)?.split(','));
  if (hosts.length < 2) return [url];
  return hosts.map((host, at) => {
    const one = new URL(url);
    one.searchParams.set('host', host);
    const port = ports[at] ?? ports[0];
    if (port) one.searchParams.set('port', port);
    return one;
  });
}

const notAnAddress = (): StoreError =>
  new StoreError('store/unreachable', 'The database URL is not a Postgres URL.', {
    hint: 'Use the form postgres://user@host:5432/database.',
  });

/**
 * Reads the TLS options from a URL the way psql and other clients do: `require` encrypts without checking the
 * certificate, unless `sslrootcert` is given. Returns undefined if the URL has no TLS options. Needed because the
 * driver interprets some of the parameters differently.
 */
function tlsOptions(params: URLSearchParams): false | ConnectionOptions | undefined {
  const [mode, root, cert, key] = tlsParameters.map((name) => params.get(name) || undefined);
  if (mode === undefined && root === undefined) return undefined;
  const authority = root === undefined || root === 'system' ? {} : { ca: read('sslrootcert', root) };
  const certificate = {
    ...(cert !== undefined && { cert: read('sslcert', cert) }),
    ...(key !== undefined && { key: read('sslkey', key) }),
  };
  const anyName = { checkServerIdentity: () => undefined };
  switch (mode) {
    case 'disable':
      return false;
    case 'no-verify':
      return { rejectUnauthorized: false, ...certificate };
    case 'require':
      return root === undefined
        ? { rejectUnauthorized: false, ...certificate }
        : { ...authority, ...anyName, ...certificate };
    case 'verify-ca':
      if (root === undefined) throw invalid('sslmode=verify-ca needs sslrootcert.');
      return { ...authority, ...anyName, ...certificate };
    case undefined:
    case 'verify-full':
      return { ...authority, ...certificate };
    default:
      throw invalid(`sslmode=${mode} is not supported.`);
  }
}

const invalid = (message: string): StoreError =>
  new StoreError('store/tls', message, { hint: 'Use verify-full with sslrootcert, require, or disable.' });

function read(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new StoreError('store/tls', `Cannot read ${option}: ${(cause as Error).message}.`, {
      hint: 'Check the path and its permissions.',
      cause,
    });
  }
}
