import { constantTimeEqual, hmacSha256, toBase64Url } from './hmac.js';

/** What the `state` of an OAuth round trip carries: who asked, and when. */
export interface OAuthState {
  installation: string;
  site?: string;
  space?: string;
  nonce: string;
  /** Seconds since the Unix epoch. */
  issued: number;
}

/** The state as it goes to the provider: readable by anyone, made by nobody but the secret's owner. */
export async function sealOAuthState(state: OAuthState, secret: string): Promise<string> {
  const payload = toBase64Url(new TextEncoder().encode(JSON.stringify(state)));
  return `${payload}.${await sealOf(payload, secret)}`;
}

/** The state, if this secret sealed it. */
export async function openOAuthState(sealed: string, secret: string): Promise<OAuthState | undefined> {
  const [payload = '', seal = '', ...rest] = sealed.split('.');
  if (rest.length > 0 || !constantTimeEqual(seal, await sealOf(payload, secret))) return undefined;
  return peekOAuthState(sealed);
}

/** What a state claims. Whoever routes by it must leave the proof to the script. */
export function peekOAuthState(sealed: string): OAuthState | undefined {
  try {
    const text = atob((sealed.split('.')[0] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    const json = new TextDecoder().decode(Uint8Array.from(text, (c) => c.charCodeAt(0)));
    const state = JSON.parse(json) as Partial<OAuthState> | null;
    return typeof state?.installation === 'string' ? (state as OAuthState) : undefined;
  } catch {
    return undefined;
  }
}

const sealOf = async (payload: string, secret: string): Promise<string> =>
  toBase64Url(await hmacSha256(secret, new TextEncoder().encode(`oauth-state.${payload}`)));
