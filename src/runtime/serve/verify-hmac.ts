import { constantTimeEqual, hmacOf } from '../../base/hmac.js';

/** How another service signs the requests that it sends. */
export interface HmacSignature {
  /** The header that contains the signature, such as `x-hub-signature-256`. */
  header: string;
  /** The shared secret, for example from `environment.secrets`. */
  secret: string;
  /** What precedes the signature in the header, such as `sha256=`. */
  prefix?: string;
  /** How the signature is written. Default: `hex`. */
  encoding?: 'hex' | 'base64';
}

/**
 * Returns the body of a request from another service if the header contains the HMAC-SHA256 signature of the body, and
 * undefined if not. Compares in constant time.
 *
 * @example
 * ```ts
 * import { createIntegration, verifyHmac } from 'integration-platform';
 *
 * export default createIntegration({
 *   async fetch(request, { environment }) {
 *     const secret = environment.secrets['BUILD_SECRET'] ?? '';
 *     const body = await verifyHmac(request, { header: 'x-signature', prefix: 'sha256=', secret });
 *     if (body === undefined) return new Response('Invalid signature', { status: 401 });
 *     return Response.json(JSON.parse(body));
 *   },
 * });
 * ```
 */
export async function verifyHmac(
  request: Request,
  { header, secret, prefix = '', encoding }: HmacSignature,
): Promise<string | undefined> {
  // Anyone can sign with an empty secret.
  if (secret === '') throw new Error(`The secret for the ${header} header is empty.`);
  const body = await request.arrayBuffer();
  const expected = prefix + (await hmacOf(body, secret, encoding));
  const given = request.headers.get(header) ?? '';
  return constantTimeEqual(given, expected) ? new TextDecoder().decode(body) : undefined;
}
