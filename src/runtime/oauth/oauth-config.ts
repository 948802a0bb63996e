import type { Installation } from '../../protocol/environment.js';
import type { InstallationChange } from '../api/api-resources.js';
import type { AnyValues } from '../environment/runtime-environment.js';

/** The response of a token endpoint. */
export interface OAuthResponse extends AnyValues {
  /** The provider's `ok` field, if it sends one. Otherwise, whether the status is 2xx. */
  ok?: boolean;
  /** The access token. */
  access_token: string;
  /** Token for requesting a new access token. */
  refresh_token?: string;
  /** Lifetime of the access token in seconds. Providers omit it if the token never expires. */
  expires_in: number;
}

/** Credentials as stored in the configuration, under `oauth_credentials`. */
export interface OAuthConfiguration {
  /** The access token. */
  access_token: string;
  /** Token for requesting a new access token. */
  refresh_token?: string;
  /** When the access token expires, as a date or in milliseconds since the Unix epoch. */
  expires_at?: string | number;
}

/** A URL, or a function that returns the URL for an installation. */
export type PerInstallation = string | ((installation: Installation<AnyValues>) => string);

/** The options of `createOAuthHandler`. */
export interface OAuthConfig<Answer = OAuthResponse> {
  /** Client id that the provider issued for your app. */
  clientId: string;
  /** Client secret that the provider issued for your app. Store it as a secret. */
  clientSecret: string;
  /** The provider's page where the user grants access. */
  authorizeURL: PerInstallation;
  /** The provider's endpoint that exchanges a code for a token. */
  accessTokenURL: PerInstallation;
  /**
   * How the client authenticates at `accessTokenURL`. `post` sends the id and secret in the body, and `basic`
   * sends them in an `Authorization` header (default: `post`).
   */
  clientAuthentication?: 'post' | 'basic';
  /** Redirect URL registered with the provider (default: the URL of the request). */
  redirectURL?: string;
  /** Scopes to request from the provider. */
  scopes?: string[];
  /** Value of the `prompt` parameter, such as `consent`. */
  prompt?: string;
  /** Whether to protect the code with PKCE (S256), so that an intercepted code is useless to an attacker. */
  pkce?: boolean;
  /** Returns the configuration to store for a provider's response (default: `defaultOAuthExtractCredentials`). */
  extractCredentials?(response: Answer): InstallationChange | Promise<InstallationChange>;
}

/** The options that are needed to request a token. */
export type TokenConfig<Answer = OAuthResponse> = Pick<
  OAuthConfig<Answer>,
  'accessTokenURL' | 'clientAuthentication' | 'clientId' | 'clientSecret' | 'extractCredentials'
>;
