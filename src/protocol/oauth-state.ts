import { signText } from './hmac.js';

/** What the `state` of an OAuth round trip carries: where the credentials go, and when it was issued. */
export interface OAuthState {
  /** The API's path of an installation, or of its place in a site or space. */
  path: string;
  nonce: string;
  /** Milliseconds since the Unix epoch. */
  issued: number;
}

/** The state as it goes to the provider: readable by anyone, made by nobody but the secret's owner. */
export const sealOAuthState = async (
  { issued, nonce, path }: OAuthState,
  secret: string,
): Promise<string> => {
  const text = `${issued}~${nonce}~${path}`;
  return `${await signText(`oauth-state.${text}`, secret)}~${text}`;
};

/** The state, if this secret sealed it. */
export const openOAuthState = async (sealed: string, secret: string): Promise<OAuthState | undefined> => {
  const state = peekOAuthState(sealed);
  const due = await sealOAuthState(state, secret);
  // How long two signatures take to compare tells nothing of what was signed.
  return (await signText(sealed, secret)) === (await signText(due, secret)) ? state : undefined;
};

/** What a state claims. Whoever routes by it must leave the proof to the script. */
export const peekOAuthState = (sealed: string): OAuthState => {
  const [, issued, nonce = '', ...path] = sealed.split('~');
  return { issued: Number(issued), nonce, path: path.join('~') };
};
