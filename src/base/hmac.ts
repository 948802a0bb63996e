export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export const importKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', utf8(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);

/** Compares two strings in constant time, so that the timing reveals nothing about their content. */
export function constantTimeEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The signature of a body, as other services write it. */
export async function hmacOf(
  body: BufferSource,
  secret: string,
  encoding: 'hex' | 'base64' = 'hex',
): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', await importKey(secret), body));
  return encoding === 'hex' ? toHex(bytes) : btoa(String.fromCharCode(...bytes));
}

export const toBase64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll(
    /[+/=]/g,
    (sign) => ({ '+': '-', '/': '_' })[sign] ?? '',
  );

export const signText = async (text: string, secret: string): Promise<string> =>
  toBase64Url(await crypto.subtle.sign('HMAC', await importKey(secret), utf8(text)));
