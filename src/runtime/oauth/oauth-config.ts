import type { Installation } from '../../protocol/environment.js';
import type { InstallationChange } from '../api/api-client.js';
import type { AnyValues } from '../runtime-environment.js';

/** The answer of a token endpoint. `ok` is the answer's own, or whether its status was 2xx. */
export interface OAuthResponse extends AnyValues {
  ok?: boolean;
  access_token: string;
  refresh_token?: string;
  /** Seconds. Providers whose tokens never expire leave it out. */
  expires_in: number;
}

/** What is stored under `oauth_credentials`. */
export interface OAuthConfiguration {
  access_token: string;
  refresh_token?: string;
  /** A date, or milliseconds since the Unix epoch. */
  expires_at?: string | number;
}

export type PerInstallation = string | ((installation: Installation<AnyValues>) => string);

export interface OAuthConfig<Answer = OAuthResponse> {
  clientId: string;
  clientSecret: string;
  /** Where the user is sent to agree. */
  authorizeURL: PerInstallation;
  /** Where the code is exchanged for a token. */
  accessTokenURL: PerInstallation;
  /** For providers that accept one fixed address; the request's own address otherwise. */
  redirectURL?: string;
  scopes?: string[];
  prompt?: string;
  /** Proves to the provider that the code is redeemed by whoever asked for it (S256). */
  pkce?: boolean;
  /** Turns the provider's answer into what is stored. */
  extractCredentials?(response: Answer): InstallationChange | Promise<InstallationChange>;
}

/** As much of it as an exchange of tokens needs. */
export type TokenConfig<Answer = OAuthResponse> = Pick<
  OAuthConfig<Answer>,
  'accessTokenURL' | 'clientId' | 'clientSecret' | 'extractCredentials'
>;
