import { nowOn, parseTime } from '../../base/clock.js';
import type { RuntimeContext } from '../definition/context.js';
import type { OAuthConfiguration, TokenConfig } from './oauth-config.js';
import { noAccessToken, OAuthError } from './oauth-error.js';
import { changeTarget, pathOf, readTarget } from './oauth-target.js';
import { requestCredentials, withCallers } from './request-token.js';

interface Holder {
  configuration: { oauth_credentials?: OAuthConfiguration };
}

/** A token that expires within this time counts as expired, in milliseconds. */
const margin = 10_000;
const refreshes = new Map<string | undefined, Promise<string>>();

/**
 * Returns a valid access token. If the token has expired or is about to, refreshes and stores the credentials
 * first. Simultaneous callers share one refresh.
 *
 * @example
 * ```ts
 * import { getOAuthToken, type OAuthConfig, type RuntimeContext } from 'integration-platform';
 *
 * async function profile(context: RuntimeContext, config: OAuthConfig): Promise<unknown> {
 *   const { configuration } = context.environment.installation ?? {};
 *   const token = await getOAuthToken(configuration?.oauth_credentials, config, context);
 *   const response = await fetch('https://provider.example/me', {
 *     headers: { Authorization: `Bearer ${token}` },
 *   });
 *   return response.json();
 * }
 * ```
 */
export const getOAuthToken = async (
  credentials: OAuthConfiguration,
  config: TokenConfig,
  context: RuntimeContext,
): Promise<string> => {
  if (isLive(credentials, context)) return credentials.access_token;
  // If the refresh fails, the author's line that called this function is no longer on the stack by then.
  const called = new Error();
  const { refresh_token } = credentials;
  let refreshing = refreshes.get(refresh_token);
  if (!refreshing) {
    refreshing = withCallers(refresh(credentials, config, context), called).finally(() =>
      refreshes.delete(refresh_token),
    );
    refreshes.set(refresh_token, refreshing);
    // Other requests may be waiting for this refresh, so it must continue even after the request that started it has
    // ended.
    context.waitUntil(refreshing.catch(() => {}));
  }
  return refreshing;
};

const isLive = ({ expires_at }: OAuthConfiguration, { clock }: RuntimeContext): boolean =>
  !expires_at || !(parseTime(expires_at) - nowOn(clock) <= margin);

const refresh = async (
  expired: OAuthConfiguration,
  config: TokenConfig,
  context: RuntimeContext,
): Promise<string> => {
  const { access_token } = expired;
  const { installation, siteInstallation, spaceInstallation } = context.environment;
  if (!expired.refresh_token || !installation)
    throw new OAuthError(
      'The OAuth token has expired and cannot be refreshed: no refresh_token, or no installation.',
      undefined,
      !expired.refresh_token,
    );
  const holder = [siteInstallation, spaceInstallation].find(
    (target) => target?.configuration.oauth_credentials?.access_token === access_token,
  );
  const path = pathOf(context.environment, holder);
  const { configuration } = await readTarget(context, path);
  // Another process may have refreshed the token since this environment was created.
  const stored: OAuthConfiguration = configuration.oauth_credentials ?? expired;
  if (stored.access_token !== access_token && isLive(stored, context)) return stored.access_token;

  const refresh_token = stored.refresh_token ?? expired.refresh_token;
  const change = await requestCredentials(
    config,
    installation,
    { grant_type: 'refresh_token', refresh_token },
    context.clock,
  );
  const fresh = (change as Partial<Holder>).configuration?.oauth_credentials;
  if (!fresh?.access_token) throw noAccessToken(undefined);
  // A provider that does not rotate refresh tokens either omits the refresh token from the response or sends an empty one.
  fresh.refresh_token ||= refresh_token;
  await changeTarget(context, path, change, configuration);
  return fresh.access_token;
};
