import { systemClock } from '../protocol/clock.js';
import { hmacSha256, toBase64Url } from '../protocol/hmac.js';
import { openOAuthState, sealOAuthState, type OAuthState } from '../protocol/oauth-state.js';
import type { RuntimeCallback, RuntimeContext } from './context.js';
import { ExposableError } from './exposable-error.js';
import { defaultOAuthExtractCredentials } from './oauth-credentials.js';
import type { OAuthConfig, OAuthResponse } from './oauth-config.js';
import { oauthPage } from './oauth-page.js';
import { readInstallation, readPlace, writePlace, type CredentialsPlace } from './store-credentials.js';
import { requestCredentials } from './token-endpoint.js';

const longestTrip = 600;

/**
 * Answers the path at which users connect an account: sends them to the provider, and on their
 * return exchanges the code and stores the credentials in the configuration of the installation
 * that they started from.
 *
 * @example
 * ```ts
 * import { createIntegration, createOAuthHandler, routePath } from 'integration-platform';
 *
 * export default createIntegration({
 *   fetch: async (request, context) => {
 *     const { environment } = context;
 *     if (routePath(request, environment) !== '/oauth') return new Response('Not found', { status: 404 });
 *     const connect = createOAuthHandler({
 *       clientId: environment.secrets.CLIENT_ID ?? '',
 *       clientSecret: environment.secrets.CLIENT_SECRET ?? '',
 *       authorizeURL: 'https://provider.example/authorize',
 *       accessTokenURL: 'https://provider.example/token',
 *       scopes: ['read'],
 *     });
 *     return connect(request, context);
 *   },
 * });
 * ```
 */
export function createOAuthHandler<Answer = OAuthResponse>(
  config: OAuthConfig<Answer>,
  options: {
    /** Replaces the configuration by the credentials, where they are merged into it otherwise. */
    replace?: boolean;
  } = {},
): RuntimeCallback<[Request], Promise<Response>> {
  return async (request, context) => {
    for (const key of ['clientId', 'clientSecret'] as const) {
      if (config[key]) continue;
      throw new ExposableError(`OAuth is not set up: ${key} is empty. Is its secret declared and set?`, 500);
    }
    const url = new URL(request.url);
    const redirectURL = config.redirectURL ?? `${url.origin}${url.pathname}`;
    const denied = url.searchParams.get('error');
    if (denied !== null) {
      const description = url.searchParams.get('error_description') ?? denied;
      return oauthPage(400, 'Not connected', `The provider refused: ${description}`);
    }
    const code = url.searchParams.get('code');
    if (code === null) return depart(config, redirectURL, context);

    const state = await validState(config, url.searchParams.get('state'), context);
    if (!state) {
      return oauthPage(400, 'Not connected', 'This link is invalid or too old. Please connect again.');
    }
    const place = placeOf(context, state);
    const credentials = await redeem(config, code, redirectURL, state, place, context);
    const before = options.replace ? {} : (await readPlace(context.api, place)).configuration;
    const configuration = { ...before, ...credentials.configuration };
    await writePlace(context.api, place, { ...credentials, configuration });
    return oauthPage(200, 'Connected', 'You can close this window now.', 'window.close();');
  };
}

async function depart<Answer>(
  config: OAuthConfig<Answer>,
  redirectURL: string,
  { environment, clock = systemClock }: RuntimeContext,
): Promise<Response> {
  const { installation, siteInstallation, spaceInstallation } = environment;
  if (!installation) {
    return oauthPage(400, 'Not connected', 'Start from the settings of an installation.');
  }
  const state: OAuthState = {
    installation: installation.id,
    ...(siteInstallation && { site: siteInstallation.site }),
    ...(spaceInstallation && { space: spaceInstallation.space }),
    nonce: toBase64Url(crypto.getRandomValues(new Uint8Array(16))),
    issued: Math.floor(clock.now() / 1000),
  };
  const { authorizeURL, clientId, clientSecret, scopes, prompt } = config;
  const url = new URL(typeof authorizeURL === 'function' ? authorizeURL(installation) : authorizeURL);
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectURL,
    response_type: 'code',
    state: await sealOAuthState(state, clientSecret),
    ...(scopes?.length && { scope: scopes.join(' ') }),
    ...(prompt && { prompt }),
    ...(config.pkce && {
      code_challenge: await challengeOf(await verifierOf(clientSecret, state)),
      code_challenge_method: 'S256',
    }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  // Not every provider reads a plus as a space.
  url.search = url.searchParams.toString().replaceAll('+', '%20');
  return Response.redirect(url.href, 302);
}

/** The state of a return trip, if it was issued here, lately, and for the installation in play. */
async function validState<Answer>(
  { clientSecret }: OAuthConfig<Answer>,
  sealed: string | null,
  { environment, clock = systemClock }: RuntimeContext,
): Promise<OAuthState | undefined> {
  const state = sealed === null ? undefined : await openOAuthState(sealed, clientSecret);
  if (!state || clock.now() / 1000 - state.issued > longestTrip) return undefined;
  const { installation, siteInstallation, spaceInstallation } = environment;
  const elsewhere =
    (installation && installation.id !== state.installation) ||
    (siteInstallation && siteInstallation.site !== state.site) ||
    (spaceInstallation && spaceInstallation.space !== state.space);
  return elsewhere ? undefined : state;
}

const placeOf = (
  { environment }: RuntimeContext,
  { installation, site, space }: OAuthState,
): CredentialsPlace => ({
  integration: environment.integration.name,
  installation,
  site,
  space,
});

async function redeem<Answer>(
  config: OAuthConfig<Answer>,
  code: string,
  redirectURL: string,
  state: OAuthState,
  place: CredentialsPlace,
  { api, environment, clock = systemClock }: RuntimeContext,
) {
  const { accessTokenURL, clientId, clientSecret, pkce, extractCredentials } = config;
  const url =
    typeof accessTokenURL === 'function'
      ? accessTokenURL(environment.installation ?? (await readInstallation(api, place)))
      : accessTokenURL;
  const parameters = {
    client_id: clientId,
    client_secret: clientSecret,
    code,
    redirect_uri: redirectURL,
    grant_type: 'authorization_code',
    ...(pkce && { code_verifier: await verifierOf(clientSecret, state) }),
  };
  const extract =
    extractCredentials?.bind(config) ??
    ((answer: Answer) => defaultOAuthExtractCredentials(answer as OAuthResponse, clock));
  return requestCredentials(url, parameters, extract);
}

/** Derived, so that nothing is kept between the two trips. */
const verifierOf = async (clientSecret: string, { nonce }: OAuthState): Promise<string> =>
  toBase64Url(await hmacSha256(clientSecret, new TextEncoder().encode(`pkce.${nonce}`)));

const challengeOf = async (verifier: string): Promise<string> =>
  toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
