import { readLink } from '../api/session-key.js';

const everyMs = 1000;

/**
 * Waits until the next session of the same project has taken over this address, and returns its link. What this sends is
 * random, and only the project's own session can respond: the link is encrypted with the secret from the ids of the live
 * stream, for this address and this request. The tab has never sent that secret to anyone.
 */
export async function nextSession(secret: string): Promise<{ origin: string; key: string }> {
  for (;;) {
    const link = await ask(secret).catch(() => undefined);
    if (link) return link;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

async function ask(secret: string): Promise<{ origin: string; key: string } | undefined> {
  const nonce = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  const response = await fetch(`/console/api/handover?nonce=${nonce}`, { redirect: 'error' });
  return response.ok
    ? readLink(await openLink(await response.text(), { secret, origin: location.origin, nonce }))
    : undefined;
}

/** Decrypts a link. Fails if it was encrypted with another secret, at another address, or for another request. */
export async function openLink(
  sealed: string,
  { secret, origin, nonce }: { secret: string; origin: string; nonce: string },
): Promise<string> {
  const { subtle } = crypto;
  const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
  const bytes = Uint8Array.from(atob(sealed), (char) => char.charCodeAt(0));
  const digest = await subtle.digest('SHA-256', encode(secret));
  const key = await subtle.importKey('raw', digest, 'AES-GCM', false, ['decrypt']);
  const how = { name: 'AES-GCM', iv: bytes.subarray(0, 12), additionalData: encode(`${origin} ${nonce}`) };
  return new TextDecoder().decode(await subtle.decrypt(how, key, bytes.subarray(12)));
}
