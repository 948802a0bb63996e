import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { StoreError } from '../../model/store-error.js';

export const tlsParameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;

/**
 * Reads the TLS options from a URL with the meaning that psql and other clients give them: `require`
 * encrypts without checking the certificate, unless `sslrootcert` is given. Undefined if the URL has none.
 * The driver interprets some parameters differently.
 */
export function tlsOptions(params: URLSearchParams): false | ConnectionOptions | undefined {
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
