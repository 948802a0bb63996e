import { constantTimeEqual, signText } from '../../base/hmac.js';

/** The claims in a visitor's token, such as `{ sub: 'user-1', plan: 'pro' }`. */
export type Claims = Record<string, unknown>;

const longestToken = 8192;

/**
 * Returns the claims in a JSON Web Token if it was signed with one of these secrets (HS256) and is currently valid. Otherwise,
 * returns why it is rejected.
 */
export async function verifyToken(
  token: string,
  secrets: readonly string[],
  nowMs: number,
): Promise<{ claims: Claims } | { reason: string }> {
  const [head, body, signature, ...rest] = token.length <= longestToken ? token.split('.') : [];
  if (head === undefined || body === undefined || signature === undefined || rest.length > 0)
    return { reason: 'It is not a JSON Web Token of at most 8 KB.' };
  const { alg } = readPart(head) ?? {};
  if (alg !== 'HS256') return { reason: 'Its algorithm must be HS256.' };
  const signatures = await Promise.all(secrets.map((secret) => signText(`${head}.${body}`, secret)));
  if (!signatures.some((expected) => constantTimeEqual(signature, expected)))
    return { reason: 'It was not signed with environment.signingSecrets.siteInstallation.' };
  const claims = readPart(body);
  if (!claims) return { reason: 'Its claims are not a JSON object.' };
  const { exp, nbf } = claims;
  if (typeof exp === 'number' && exp * 1000 <= nowMs) return { reason: 'It has expired.' };
  if (typeof nbf === 'number' && nbf * 1000 > nowMs) return { reason: 'It is not valid yet.' };
  return { claims };
}

function readPart(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
