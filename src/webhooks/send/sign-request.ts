import { signatureHeader, signPayload } from '../../protocol/signature.js';
import type { Endpoint } from '../model/endpoint.js';
import type { SentRequest } from '../model/delivery.js';

/** Returns the request to send to an endpoint at `now` (in milliseconds), signed with the secrets valid at that time. */
export async function signRequest(
  { url, secret, previousSecret }: Endpoint,
  body: Uint8Array,
  { userAgent, now }: { userAgent: string; now: number },
): Promise<SentRequest> {
  const secrets = previousSecret && previousSecret.until > now ? [secret, previousSecret.secret] : [secret];
  const signature = await signPayload(body, secrets, { timestamp: secondOf(now) });
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    [signatureHeader]: signature,
  };
  return { url, headers };
}

/** Signature timestamps are in seconds. */
export const secondOf = (now: number): number => Math.floor(now / 1000);
