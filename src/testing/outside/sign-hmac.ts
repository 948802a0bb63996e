import { hmacOf, utf8 } from '../../base/hmac.js';
import type { HmacSignature } from '../../runtime/serve/verify-hmac.js';

/**
 * Returns the header with which another service signs a body.
 *
 * @example
 * ```ts
 * import { signHmac, type TestPlatform } from 'integration-platform/testing';
 *
 * async function send(platform: TestPlatform, body: string): Promise<Response> {
 *   const headers = await signHmac(body, { header: 'x-signature', prefix: 'sha256=', secret: 'test' });
 *   return platform.fetch('/webhook', { method: 'POST', body, headers });
 * }
 * ```
 */
export const signHmac = async (
  body: string,
  { header, secret, prefix = '', encoding }: HmacSignature,
): Promise<Record<string, string>> => ({ [header]: prefix + (await hmacOf(utf8(body), secret, encoding)) });
