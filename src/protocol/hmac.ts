export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const algorithm = { name: 'HMAC', hash: 'SHA-256' };
const mostKeys = 1000;

/** To import a key costs as much as to sign a short message. */
const keys = new Map<string, Promise<CryptoKey>>();

function keyOf(secret: string): Promise<CryptoKey> {
  const known = keys.get(secret);
  if (known) return known;
  const key = crypto.subtle.importKey('raw', utf8(secret), algorithm, false, ['sign']);
  if (keys.size >= mostKeys) keys.clear();
  keys.set(secret, key);
  return key;
}

/** HMAC-SHA256 with a key given as text. */
export async function hmacSha256(secret: string, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret), message));
}

/** Whether two texts are equal, in a time that depends on their length alone. */
export function constantTimeEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % b.length || 0);
  return difference === 0;
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

export const fromBase64Url = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));
