import { signText } from '../../base/hmac.js';

/** What the `state` of an OAuth round trip carries: where the credentials go, and when it was issued. */
export interface OAuthState {
  /** The API's path of an installation, or of its place in a site or space. */
  path: string;
  /** Milliseconds since the Unix epoch. */
  issued: number;
}

const sign = async (text: string, secret: string): Promise<string> =>
  `${await signText(`oauth-state.${text}`, secret)}~${text}`;

/** The state as it goes to the provider: readable by anyone, made by nobody but the secret's owner. */
export const sealOAuthState = ({ issued, path }: OAuthState, secret: string): Promise<string> =>
  sign(`${issued}~${crypto.randomUUID()}~${path}`, secret);

/** The state, if this secret sealed it. */
export const openOAuthState = async (sealed: string, secret: string): Promise<OAuthState | undefined> => {
  const due = await sign(sealed.replace(/^.*?~/, ''), secret);
  // How long two signatures take to compare tells nothing of what was signed.
  return (await signText(sealed, secret)) === (await signText(due, secret))
    ? peekOAuthState(sealed)
    : undefined;
};

/** What a state claims. Whoever routes by it must leave the proof to the script. */
export const peekOAuthState = (sealed: string): OAuthState => {
  const [, issued, , ...path] = sealed.split('~');
  return { issued: Number(issued), path: path.join('~') };
};
