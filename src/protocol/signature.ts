import { nowOn } from '../base/clock.js';
import { constantTimeEqual, importKey, toHex, utf8 } from '../base/hmac.js';

/** The header that contains the signature of a webhook request. */
export const signatureHeader = 'X-Platform-Signature';

export type ParsedSignature =
  | { ok: true; timestamp: string; signatures: string[] }
  | {
      ok: false;
      reason:
        | 'missing'
        | 'too-long'
        | 'no-timestamp'
        | 'several-timestamps'
        | 'bad-timestamp'
        | 'no-signature';
    };

export type SignatureCheck =
  | { valid: true; timestamp: number }
  | { valid: false; reason: Extract<ParsedSignature, { ok: false }>['reason'] | 'no-secret' | 'mismatch' }
  | { valid: false; reason: 'too-old' | 'too-new'; ageSeconds: number };

/** The maximum age of a signature. */
export interface VerifyOptions {
  /**
   * The maximum difference between the signature's timestamp and the current time, in seconds. If it is omitted, signatures of
   * any age are accepted.
   */
  toleranceSeconds?: number;
  /** Milliseconds since the Unix epoch. The system time by default. */
  now?: number;
}

export const longestHeader = 4096;

/**
 * Returns the value of the `X-Platform-Signature` header for a body. With several secrets, for example during
 * a rotation, the header contains a signature for each.
 *
 * @example
 * ```ts
 * import { signPayload } from 'integration-platform/webhooks';
 *
 * const body = JSON.stringify({ eventId: 'evt_1', type: 'site_view', installationId: 'ins_1' });
 * const header = await signPayload(body, 'whsec_…', { timestamp: 1700000000 });
 * ```
 */
export async function signPayload(
  body: string | Uint8Array | ArrayBuffer,
  secret: string | readonly string[],
  { timestamp }: { timestamp: number },
): Promise<string> {
  const t = String(timestamp);
  if (!/^\d{1,12}$/.test(t)) {
    throw new RangeError('The timestamp of a signature must be a whole number of seconds since 1970.');
  }
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const signatures = await Promise.all(secrets.map((one) => signature(t, body, one)));
  return [`t=${t}`, ...signatures.map((hex) => `v1=${hex}`)].join(',');
}

/**
 * Returns whether the header contains a valid signature of exactly these bytes, made with this secret. Never
 * throws, whatever the header contains, and compares in constant time.
 *
 * @example
 * ```ts
 * import { verifySignature } from 'integration-platform/webhooks';
 *
 * async function isGenuine(request: Request, secret: string): Promise<boolean> {
 *   const body = await request.arrayBuffer();
 *   const header = request.headers.get('x-platform-signature');
 *   return verifySignature(body, header, secret, { toleranceSeconds: 300 });
 * }
 * ```
 */
export async function verifySignature(
  body: string | Uint8Array | ArrayBuffer,
  header: string | null | undefined,
  secret: string,
  options: VerifyOptions = {},
): Promise<boolean> {
  return (await checkSignature(body, header, secret, options)).valid;
}

/** Like `verifySignature`, but returns why a signature is rejected. */
export async function checkSignature(
  body: string | Uint8Array | ArrayBuffer,
  header: string | null | undefined,
  secret: string,
  { toleranceSeconds, now = nowOn() }: VerifyOptions = {},
): Promise<SignatureCheck> {
  const parsed = parseSignatureHeader(header);
  if (!parsed.ok) return { valid: false, reason: parsed.reason };
  if (!secret) return { valid: false, reason: 'no-secret' };

  const expected = await signature(parsed.timestamp, body, secret);
  const matches = parsed.signatures.filter((candidate) => constantTimeEqual(candidate, expected));
  if (matches.length === 0) return { valid: false, reason: 'mismatch' };

  const timestamp = Number(parsed.timestamp);
  const ageSeconds = Math.floor(now / 1000) - timestamp;
  if (toleranceSeconds !== undefined && Math.abs(ageSeconds) > toleranceSeconds) {
    return { valid: false, reason: ageSeconds > 0 ? 'too-old' : 'too-new', ageSeconds };
  }
  return { valid: true, timestamp };
}

/**
 * Parses the header without trimming. Skips unknown keys and malformed `v1` values.
 *
 * @public
 */
export function parseSignatureHeader(header: string | null | undefined): ParsedSignature {
  if (typeof header !== 'string' || header === '') return { ok: false, reason: 'missing' };
  if (header.length > longestHeader) return { ok: false, reason: 'too-long' };
  const pieces = header.split(',');
  const valuesOf = (key: string): string[] =>
    pieces.filter((piece) => piece.startsWith(key)).map((piece) => piece.slice(key.length));

  const [timestamp, ...more] = valuesOf('t=');
  if (timestamp === undefined) return { ok: false, reason: 'no-timestamp' };
  if (more.length > 0) return { ok: false, reason: 'several-timestamps' };
  if (!/^\d{1,12}$/.test(timestamp)) return { ok: false, reason: 'bad-timestamp' };
  const signatures = valuesOf('v1=').filter((hex) => /^[0-9a-f]{64}$/.test(hex));
  if (signatures.length === 0) return { ok: false, reason: 'no-signature' };
  return { ok: true, timestamp, signatures };
}

async function signature(
  t: string,
  body: string | Uint8Array | ArrayBuffer,
  secret: string,
): Promise<string> {
  const bytes = typeof body === 'string' ? utf8(body) : bytesOf(body);
  const prefix = utf8(`${t}.`);
  const message = new Uint8Array(prefix.length + bytes.length);
  message.set(prefix);
  message.set(bytes, prefix.length);
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret), message)));
}

const maxKeys = 1000;

/** Cached, because importing a key takes as long as signing a short message. */
const keys = new Map<string, Promise<CryptoKey>>();

function keyOf(secret: string): Promise<CryptoKey> {
  const known = keys.get(secret);
  if (known) return known;
  const key = importKey(secret);
  if (keys.size >= maxKeys) keys.clear();
  keys.set(secret, key);
  return key;
}

const bytesOf = (body: Uint8Array | ArrayBuffer): Uint8Array =>
  body instanceof Uint8Array ? body : new Uint8Array(body);
