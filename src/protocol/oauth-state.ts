import { constantTimeEqual, fromBase64Url, importKey, toBase64Url, utf8 } from './hmac.js';

/** What the `state` of an OAuth round trip carries: who asked, and when. */
export interface OAuthState {
  installation: string;
  site?: string | undefined;
  space?: string | undefined;
  nonce: string;
  /** Seconds since the Unix epoch. */
  issued: number;
}

/** The state as it goes to the provider: readable by anyone, made by nobody but the secret's owner. */
export async function sealOAuthState(state: OAuthState, secret: string): Promise<string> {
  const payload = toBase64Url(utf8(JSON.stringify(state)));
  return `${payload}.${await signText(`oauth-state.${payload}`, secret)}`;
}

/** The state, if this secret sealed it. */
export async function openOAuthState(sealed: string, secret: string): Promise<OAuthState | undefined> {
  const state = peekOAuthState(sealed);
  return state && constantTimeEqual(sealed, await sealOAuthState(state, secret)) ? state : undefined;
}

/** What a state claims. Whoever routes by it must leave the proof to the script. */
export function peekOAuthState(sealed: string): OAuthState | undefined {
  try {
    const text = new TextDecoder().decode(fromBase64Url(sealed.split('.')[0] ?? ''));
    const state = JSON.parse(text) as Partial<OAuthState>;
    return typeof state.installation === 'string' ? (state as OAuthState) : undefined;
  } catch {
    return undefined;
  }
}

/** What only the secret's owner can make of a text. */
export const signText = async (text: string, secret: string): Promise<string> =>
  toBase64Url(await crypto.subtle.sign('HMAC', await importKey(secret), utf8(text)));
