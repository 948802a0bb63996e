import { parseTime, systemClock, type Clock } from '../protocol/clock.js';
import type { RuntimeContext } from './context.js';
import { defaultOAuthExtractCredentials } from './oauth-credentials.js';
import type { OAuthConfig, OAuthConfiguration, OAuthResponse } from './oauth-config.js';
import { readPlace, writePlace, type CredentialsPlace } from './store-credentials.js';
import { requestCredentials } from './token-endpoint.js';

type RefreshConfig = Pick<OAuthConfig, 'accessTokenURL' | 'clientId' | 'clientSecret' | 'extractCredentials'>;

const margin = 10_000;
const refreshes = new Map<string, Promise<string>>();

/**
 * An access token that is live. One that has expired, or is about to, is refreshed and stored;
 * callers that ask at the same time share one refresh.
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
export async function getOAuthToken(
  credentials: OAuthConfiguration,
  config: RefreshConfig,
  context: RuntimeContext,
): Promise<string> {
  const { clock = systemClock } = context;
  if (isLive(credentials, clock)) return credentials.access_token;
  if (!credentials.refresh_token) {
    throw new Error(`The OAuth token expired at ${credentials.expires_at}, and there is no refresh token.`);
  }
  const key = `${config.clientId} ${credentials.refresh_token}`;
  const running = refreshes.get(key);
  if (running) return running;
  const refreshing = refresh(credentials, config, context, clock).finally(() => refreshes.delete(key));
  refreshes.set(key, refreshing);
  // Others may wait for it, so it must outlive the request that began it.
  context.waitUntil(refreshing.catch(() => undefined));
  return refreshing;
}

function isLive({ expires_at }: OAuthConfiguration, clock: Clock): boolean {
  if (!expires_at) return true;
  const time = typeof expires_at === 'number' ? expires_at : parseTime(expires_at);
  return time - clock.now() > margin;
}

async function refresh(
  stale: OAuthConfiguration,
  config: RefreshConfig,
  context: RuntimeContext,
  clock: Clock,
): Promise<string> {
  const { api, environment } = context;
  const place = placeOf(stale, context);
  const { configuration } = await readPlace(api, place);
  // Another process may have refreshed since this environment was made.
  const stored = (configuration.oauth_credentials as OAuthConfiguration | undefined) ?? stale;
  if (stored.access_token !== stale.access_token && isLive(stored, clock)) return stored.access_token;

  const { accessTokenURL, clientId, clientSecret, extractCredentials } = config;
  const refreshToken = stored.refresh_token ?? stale.refresh_token ?? '';
  const url =
    typeof accessTokenURL === 'function' && environment.installation
      ? accessTokenURL(environment.installation)
      : String(accessTokenURL);
  const change = await requestCredentials<OAuthResponse>(
    url,
    {
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    },
    extractCredentials?.bind(config) ?? ((answer) => defaultOAuthExtractCredentials(answer, clock)),
  );
  const { oauth_credentials: fresh, ...others } = (change.configuration ?? {}) as {
    oauth_credentials?: OAuthConfiguration;
  };
  if (!fresh?.access_token) throw new Error('The refreshed credentials hold no access_token.');
  // A provider that does not rotate refresh tokens leaves them out of its answer.
  const oauth_credentials = { refresh_token: refreshToken, ...fresh };
  await writePlace(api, place, {
    ...change,
    configuration: { ...configuration, ...others, oauth_credentials },
  });
  return fresh.access_token;
}

/** The installation in play whose configuration holds these credentials. */
function placeOf({ access_token }: OAuthConfiguration, { environment }: RuntimeContext): CredentialsPlace {
  const { integration, installation, siteInstallation, spaceInstallation } = environment;
  if (!installation) throw new Error('There is no installation whose OAuth token could be refreshed.');
  const holds = (place: { configuration: { oauth_credentials?: OAuthConfiguration } } | undefined): boolean =>
    place?.configuration.oauth_credentials?.access_token === access_token;
  return {
    integration: integration.name,
    installation: installation.id,
    ...(holds(siteInstallation) && { site: siteInstallation?.site }),
    ...(holds(spaceInstallation) && { space: spaceInstallation?.space }),
  };
}
