import { nowOn, type Clock } from '../../base/clock.js';
import type { InstallationChange } from '../api/api-resources.js';
import type { OAuthResponse } from './oauth-config.js';
import { noAccessToken } from './oauth-error.js';

/**
 * The default for `extractCredentials`. Returns the tokens and their expiry time under `oauth_credentials`.
 *
 * @example
 * ```ts
 * import { defaultOAuthExtractCredentials, type OAuthResponse } from 'integration-platform';
 *
 * const extractCredentials = (response: OAuthResponse & { team: { id: string } }) => ({
 *   ...defaultOAuthExtractCredentials(response),
 *   externalIds: [response.team.id],
 * });
 * ```
 */
export const defaultOAuthExtractCredentials = (
  response: OAuthResponse,
  clock?: Pick<Clock, 'now'>,
): InstallationChange => {
  const { access_token, refresh_token, expires_in } = response;
  if (!access_token) throw noAccessToken(response['error']);
  const expires_at = expires_in && nowOn(clock) + expires_in * 1000;
  const oauth_credentials = { access_token, refresh_token, expires_at };
  return { configuration: { oauth_credentials } };
};
