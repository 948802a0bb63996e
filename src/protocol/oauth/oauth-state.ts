import { signText } from '../../base/hmac.js';

/** The content of OAuth's `state` parameter: where to store the credentials, and when the state was issued. */
export interface OAuthState {
  /** The API path of an installation, or of an installation on a site or in a space. */
  path: string;
  /** Milliseconds since the Unix epoch. */
  issued: number;
}

const sign = async (text: string, secret: string): Promise<string> =>
  `${await signText(`oauth-state.${text}`, secret)}~${text}`;

/** Creates the state to send to the provider. Anyone can read it, but only someone who knows the secret can create it. */
export const sealOAuthState = ({ issued, path }: OAuthState, secret: string): Promise<string> =>
  sign(`${issued}~${crypto.randomUUID()}~${path}`, secret);

export const resealOAuthState = (sealed: string, secret: string): Promise<string> =>
  sign(sealed.replace(/^.*?~/, ''), secret);

export const openOAuthState = async (sealed: string, secret: string): Promise<OAuthState | undefined> => {
  const due = await resealOAuthState(sealed, secret);
  // Compares signatures instead of states, so that timing reveals nothing about the state.
  return (await signText(sealed, secret)) === (await signText(due, secret))
    ? peekOAuthState(sealed)
    : undefined;
};

/** Reads a state without verifying it. Use this only for routing. The script must verify the state itself. */
export const peekOAuthState = (sealed: string): OAuthState => {
  const [, issued, , ...path] = sealed.split('~');
  return { issued: Number(issued), path: path.join('~') };
};
